/** What an export left out, for the operator: the same reason once, with the ids of the records. */
import type { Loss } from './kind.js';

const most = { reasons: 100, ids: 20 };

interface LeftOut extends Omit<Loss, 'key'> {
  readonly ids: string[];
  count: number;
}

export class Losses {
  readonly #reasons = new Map<string, LeftOut>();
  #more = 0;

  add({ key, object, member, why }: Loss): void {
    const name = JSON.stringify([object, member, why]);
    const known = this.#reasons.get(name);
    const one = known ?? { object, member, why, ids: [], count: 0 };
    if (known === undefined && this.#reasons.size >= most.reasons) this.#more += 1;
    else this.#reasons.set(name, one);
    one.count += 1;
    if (one.ids.length < most.ids) one.ids.push(String(key));
  }

  get list() {
    return [...this.#reasons.values()].map((one) => ({ ...one }));
  }

  get notes(): string[] {
    const notes = this.list.map(({ object, member, why, ids, count }) => {
      const more = count > ids.length ? ` and ${count - ids.length} more` : '';
      return `Left out: ${member === null ? '' : `${member} of `}${object} ${ids.join(', ')}${more}: ${why}.`;
    });
    return this.#more === 0 ? notes : [...notes, `Left out for other reasons: ${this.#more} values or records.`];
  }
}
