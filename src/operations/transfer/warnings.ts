/** What an export left out, and what an import takes although something is wrong with it, for the operator. */
import type { Loss } from './kind.js';
import type { Problem, WarningKind } from './transfer-record.js';

const most = { listed: 100, shown: 10, reasons: 100, ids: 20 };

const said: Readonly<Record<WarningKind, (count: number) => string>> = {
  rule: (count) =>
    `${count === 1 ? '1 value breaks a rule' : `${count} values break rules`} of template variables; an import takes them.`,
  picture: (count) =>
    `${count === 1 ? '1 picture is' : `${count} pictures are`} not among the files of the site. To put one there: hcd media put FILE PATH`,
  edit: (count) =>
    `${count === 1 ? '1 record has' : `${count} records have`} edits in the site that the files lack. To get them first: hcd export`,
};

export class Warnings {
  readonly #byKind = new Map<WarningKind, { readonly list: Problem[]; count: number }>();

  add(kind: WarningKind, problem: Problem): void {
    const known = this.#byKind.get(kind) ?? { list: [], count: 0 };
    this.#byKind.set(kind, known);
    known.count += 1;
    if (known.list.length < most.listed) known.list.push(problem);
  }

  clear(): void {
    this.#byKind.clear();
  }

  get count(): number {
    return [...this.#byKind.values()].reduce((sum, { count }) => sum + count, 0);
  }

  get data() {
    if (this.count === 0) return {};
    const all = [...this.#byKind.values()].flatMap(({ list }) => list);
    const warnings = all.map(({ file = null, line, object = '', field = '', problem }) => ({
      ...{ file, line, object, field },
      message: problem,
    }));
    return { warned: this.count, warnings };
  }

  get notes(): string[] {
    return [...this.#byKind].flatMap(([kind, { list, count }]) => {
      const shown = list.slice(0, most.shown).map(({ at, field, problem }) => `${at}: ${field} ${problem}`);
      const more = count > shown.length ? [`... and ${count - shown.length} more`] : [];
      return [...shown, ...more, said[kind](count)];
    });
  }
}

interface LeftOut extends Omit<Loss, 'key'> {
  readonly ids: string[];
  count: number;
}

/** The same reason once, with the ids of the records. */
export class Losses {
  readonly list: LeftOut[];
  more: number;

  /** Of a copy that JSON made. */
  constructor({ list, more }: Pick<Losses, 'list' | 'more'> = { list: [], more: 0 }) {
    this.list = list;
    this.more = more;
  }

  add({ key, object, member, why }: Loss): void {
    const known = this.list.find((one) => one.object === object && one.member === member && one.why === why);
    const one = known ?? { object, member, why, ids: [], count: 0 };
    if (known === undefined && this.list.length >= most.reasons) this.more += 1;
    else if (known === undefined) this.list.push(one);
    one.count += 1;
    if (one.ids.length < most.ids) one.ids.push(String(key));
  }

  get notes(): string[] {
    const notes = this.list.map(({ object, member, why, ids, count }) => {
      const more = count > ids.length ? ` and ${count - ids.length} more` : '';
      return `Left out: ${member === null ? '' : `${member} of `}${object} ${ids.join(', ')}${more}: ${why}.`;
    });
    return this.more === 0 ? notes : [...notes, `Left out for other reasons: ${this.more} values or records.`];
  }
}
