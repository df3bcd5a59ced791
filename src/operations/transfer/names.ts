/** The names of the records of a store, and their ids. */

import { tvs } from '../../content/models/template-variables.js';
import type { JsonValue } from '../../content/objects/values.js';
import { KnownFiles } from '../../content/reading/known-files.js';
import type { TvRuleFacts } from '../../content/rules/tv-rules.js';
import type { Param, RawRow } from '../../store/base/database.js';
import { isJsonObject } from '../../values/json.js';
import { idForm, type NamedKind, placeName, readName, readPlace, tableOf } from './record-names.js';
import { ResourcePlaces } from './resource-places.js';
import { isCount, Missing, type Readers, type WantedId } from './transfer-record.js';

interface Known {
  readonly ids: Map<string, Param[]>;
  readonly names: Map<Param, string>;
}

/** `idOf` throws `Missing`; a name of another form is a `WrongValue`. */
export class Names {
  readonly resources: ResourcePlaces;
  /** By table and id: read, or of a record that is about to be written. */
  readonly #parents = new Map<string, number>();
  #readers: Readers;
  readonly #prefix: string;
  #known = new Map<NamedKind, Known>();
  #rules: Map<Param, TvRuleFacts> | undefined;
  readonly pictures: KnownFiles | null;
  /** The last ids of tables, including rows that are about to be written. */
  readonly #highest = new Map<string, number>();
  readonly #ids = new Map<string, Set<number>>();
  /** Why parts of the shown record cannot be in a file. */
  #lost: string[] = [];

  constructor(readers: Readers, prefix: string, files?: string) {
    this.pictures = files === undefined ? null : new KnownFiles(files);
    this.#readers = readers;
    this.#prefix = prefix;
    this.resources = new ResourcePlaces(readers.content, prefix);
  }

  /** What was added stays known only when it is not in the database. */
  use(readers: Readers, { isWritten }: { readonly isWritten: boolean }): void {
    this.#readers = readers;
    this.resources.use(readers.content, { isWritten });
    if (!isWritten) return;
    this.#parents.clear();
    this.#highest.clear();
  }

  forget(): void {
    this.#known = new Map();
    this.#rules = undefined;
    this.#ids.clear();
    this.resources.forget();
    this.use(this.#readers, { isWritten: true });
  }

  setParent(table: string, id: number, parent: number): void {
    this.#parents.set(`${table} ${id}`, parent);
  }

  async isBelow(table: string, id: number, above: number): Promise<boolean> {
    const seen = new Set<number>();
    // A loop in the store is damage, and ends here.
    for (let at = id; at !== 0 && !seen.has(at); seen.add(at), at = await this.#parentOf(table, at)) {
      if (at === above) return true;
    }
    return false;
  }

  async #parentOf(table: string, id: number): Promise<number> {
    const known = this.#parents.get(`${table} ${id}`);
    if (known !== undefined) return known;
    const [row] = await this.#select(table, '`parent`', 'WHERE `id` = ?', [id]);
    const parent = Number(row?.[0] ?? 0);
    this.setParent(table, id, parent);
    return parent;
  }

  /** The wanted one, unless a row has it; else above the highest, so that an empty store gets ids in the file's order. */
  async takeId(table: string, { wanted, highest }: WantedId = { wanted: null, highest: 0 }): Promise<number> {
    if (wanted !== null) {
      const taken = this.#ids.get(table) ?? new Set((await this.#select(table, '`id`')).map(([id]) => Number(id)));
      this.#ids.set(table, taken);
      if (!taken.has(wanted)) {
        taken.add(wanted);
        return wanted;
      }
    }
    const last = this.#highest.get(table) ?? Number((await this.#select(table, 'MAX(`id`)'))[0]?.[0] ?? 0);
    const id = Math.max(last, highest) + 1;
    this.#highest.set(table, id);
    return id;
  }

  async idOf(kind: NamedKind, given: unknown): Promise<Param> {
    if (kind === 'resources') return this.resources.idAt(readPlace(given));
    const id = await this.find(kind, given);
    if (id !== undefined) return id;
    const name = Array.isArray(given) ? given.join(' / ') : JSON.stringify(given);
    throw new Missing(`there is no ${tableOf(kind).called} ${name}`);
  }

  async find(kind: NamedKind, given: unknown): Promise<Param | undefined> {
    if (kind === 'resources') return this.resources.find(readPlace(given));
    const { name, nth } = readName(kind, given);
    return (await this.#of(kind)).ids.get(name)?.[nth - 1];
  }

  /** Names that several records have, with their ids in the order of their numbers. */
  async shared(kind: NamedKind): Promise<readonly (readonly [name: JsonValue, ids: readonly Param[]])[]> {
    if (kind === 'resources') return this.resources.shared();
    return [...(await this.#of(kind)).ids].filter(([, ids]) => ids.length > 1);
  }

  async findWithoutCase(kind: NamedKind, name: string): Promise<string | undefined> {
    const { ids } = await this.#of(kind);
    if (ids.has(name)) return name;
    return [...ids.keys()].find((one) => one.toLowerCase() === name.toLowerCase());
  }

  async add(kind: NamedKind, given: unknown, id: Param): Promise<void> {
    if (kind === 'resources') await this.resources.add(readPlace(given), Number(id));
    else addTo(await this.#of(kind), { ...readName(kind, given), id });
  }

  lose(why: string): void {
    this.#lost.push(why);
  }

  takeLost(): readonly string[] {
    const lost = this.#lost;
    if (lost.length > 0) this.#lost = [];
    return lost;
  }

  /** Nothing may refer to a record that exports leave out. */
  async leaveOut(kind: NamedKind, id: Param): Promise<void> {
    if (kind !== 'resources') (await this.#of(kind)).names.delete(id);
  }

  /** Undefined, and noted as lost, when it does not exist. */
  async nameOrLose(kind: NamedKind, stored: unknown): Promise<JsonValue | undefined> {
    const name = await this.nameOf(kind, idForm(kind)(stored));
    if (name === undefined) this.lose(`there is no ${tableOf(kind).called} ${stored}`);
    return name;
  }

  /** Undefined also for a resource without its context, which exports do not have. */
  async nameOf(kind: NamedKind, id: Param): Promise<JsonValue | undefined> {
    if (kind === 'resources') {
      const place = await this.resources.placeOf(Number(id));
      const isHere = place !== undefined && (await this.nameOf('contexts', place.context)) !== undefined;
      return isHere ? placeName(place) : undefined;
    }
    const { ids, names } = await this.#of(kind);
    const name = names.get(id);
    if (name === undefined) return undefined;
    if (kind === 'categories') return JSON.parse(name);
    const nth = (ids.get(name)?.indexOf(id) ?? 0) + 1;
    return nth > 1 ? { name, nth } : name;
  }

  async nthOf(kind: NamedKind, id: string | number): Promise<number> {
    const name = await this.nameOf(kind, id);
    return isJsonObject(name) && isCount(name['nth']) ? name['nth'] : 1;
  }

  async rulesOfTv(id: Param): Promise<TvRuleFacts | undefined> {
    return (await this.#allRules()).get(id);
  }

  async #allRules(): Promise<Map<Param, TvRuleFacts>> {
    if (this.#rules === undefined) {
      const attributes = ['id', 'type', 'elements', 'input_properties'] as const;
      const rows = await tvs.on(this.#readers.content, this.#prefix).lookUpAll({}, { attributes });
      this.#rules = new Map(rows.map((row) => [row.id, rulesOf(row)]));
    }
    return this.#rules;
  }

  async pictureProblem(text: string): Promise<string | null> {
    return (await this.pictures?.problemOf(text, { content: this.#readers.content, prefix: this.#prefix })) ?? null;
  }

  async addTv(id: Param, row: Readonly<Record<string, unknown>>): Promise<void> {
    (await this.#allRules()).set(id, rulesOf(row));
  }

  async pathsNamed(name: string): Promise<readonly (readonly string[])[]> {
    const { names } = await this.#of('categories');
    return [...names.values()].map((path): string[] => JSON.parse(path)).filter((path) => path.at(-1) === name);
  }

  async #of(kind: NamedKind): Promise<Known> {
    const found = this.#known.get(kind);
    if (found) return found;
    const { table, id, name } = tableOf(kind);
    const rows =
      kind === 'categories'
        ? await this.#readPaths()
        : await this.#select(table, `\`${name}\`, \`${id}\``, `ORDER BY \`${id}\``);
    const known: Known = { ids: new Map(), names: new Map() };
    for (const [text, value] of rows) addTo(known, { name: String(text), id: idForm(kind)(value) });
    this.#known.set(kind, known);
    return known;
  }

  async #readPaths(): Promise<readonly (readonly [string, number])[]> {
    const rows = await this.#select('categories', '`id`, `parent`, `category`', 'ORDER BY `id`');
    const byId = new Map(
      rows.map(([id, parent, name]) => [Number(id), { parent: Number(parent), name: String(name) }]),
    );
    const ids = new Map<string, number>();
    for (const [id, path] of pathsOf(byId)) {
      // Of two with one path the first counts.
      const text = JSON.stringify(path);
      if (!ids.has(text)) ids.set(text, id);
    }
    return [...ids];
  }

  #select(table: string, columns: string, rest = '', params: readonly Param[] = []): Promise<readonly RawRow[]> {
    const [reader, prefix] = table.startsWith('hcd_') ? [this.#readers.own, ''] : [this.#readers.content, this.#prefix];
    return reader.select({ sql: `SELECT ${columns} FROM \`${prefix}${table}\` ${rest}`, params });
  }
}

/** The names of categories from the top. A circle is damage, and has no path. */
export function* pathsOf(
  byId: ReadonlyMap<number, { readonly name: string; readonly parent: number }>,
): Generator<readonly [id: number, path: readonly string[]]> {
  for (const id of byId.keys()) {
    const path: string[] = [];
    let at = byId.get(id);
    for (; at && path.length <= byId.size; at = byId.get(at.parent)) path.push(at.name);
    if (at === undefined) yield [id, path.toReversed()];
  }
}

function rulesOf({ type, elements, input_properties: given }: Readonly<Record<string, unknown>>): TvRuleFacts {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { type: String(type ?? ''), elements: text(elements), inputProperties: text(given) };
}

/** The second of a name may come before the first. */
function addTo(
  { ids, names }: Known,
  { name, id, nth }: { readonly name: string; readonly id: Param; readonly nth?: number },
): void {
  const same = ids.get(name) ?? [];
  same[nth === undefined ? same.length : nth - 1] = id;
  ids.set(name, same);
  names.set(id, name);
}
