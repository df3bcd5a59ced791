/** Stable names of records instead of ids, which differ between stores. `nth` distinguishes equal names. */

import { tvs } from '../../content/models/template-variables.js';
import type { JsonValue } from '../../content/objects/values.js';
import { KnownFiles } from '../../content/reading/known-files.js';
import type { TvRuleFacts } from '../../content/rules/tv-rules.js';
import type { Param } from '../../store/base/database.js';
import { isJsonObject } from '../../values/json.js';
import { type Place, ResourcePlaces } from './resource-places.js';
import { isCount, Missing, type Readers, type WantedId, WrongValue } from './transfer-record.js';
import { TreeParents } from './tree-parents.js';

/** The table, and what messages call it. Columns have the usual names unless they are given. */
const named = {
  contexts: { table: 'context', called: 'context', id: 'key', name: 'key' },
  content_types: { table: 'content_type', called: 'content type' },
  media_sources: { table: 'media_sources', called: 'media source' },
  templates: { table: 'site_templates', called: 'template', name: 'templatename' },
  tvs: { table: 'site_tmplvars', called: 'template variable' },
  chunks: { table: 'site_htmlsnippets', called: 'chunk' },
  snippets: { table: 'site_snippets', called: 'snippet' },
  roles: { table: 'user_group_roles', called: 'role' },
  policies: { table: 'access_policies', called: 'policy' },
  user_groups: { table: 'membergroup_names', called: 'user group' },
  resource_groups: { table: 'documentgroup_names', called: 'resource group' },
  users: { table: 'users', called: 'user', name: 'username' },
  positions: { table: 'hcd_ad_positions', called: 'position' },
  banners: { table: 'hcd_ads', called: 'banner' },
  banner_presets: { table: 'hcd_ad_presets', called: 'preset' },
} as const;

export type NamedKind = keyof typeof named;

interface Known {
  readonly ids: Map<string, Param[]>;
  readonly names: Map<Param, string>;
}

/** Methods that look a name up throw `Missing`. */
export class Names {
  readonly resources: ResourcePlaces;
  readonly #trees = new Map<string, TreeParents>();
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
  #categories:
    | { readonly ids: Map<string, number>; readonly paths: Map<number, readonly string[]>; readonly loose: number[] }
    | undefined;

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
    for (const tree of this.#trees.values()) tree.forget();
    this.#highest.clear();
  }

  forget(): void {
    this.#known = new Map();
    this.#rules = undefined;
    this.#categories = undefined;
    this.#ids.clear();
    this.resources.forget();
    this.use(this.#readers, { isWritten: true });
  }

  treeOf(table: string): TreeParents {
    const tree = this.#trees.get(table) ?? new TreeParents();
    this.#trees.set(table, tree);
    return tree;
  }

  /** Counts up from the highest id, so that an empty store gets ids in the file's order. */
  async nextId(table: string): Promise<number> {
    const id = (this.#highest.get(table) ?? (await this.#highestStored(table))) + 1;
    this.#highest.set(table, id);
    return id;
  }

  /** The wanted one, unless a row has it; a repeated transaction begins with `forget`. */
  async takeId(table: string, id?: WantedId): Promise<number> {
    if (id === undefined) return this.nextId(table);
    const { wanted, highest } = id;
    const taken = this.#ids.get(table) ?? (await this.#idsStored(table));
    this.#ids.set(table, taken);
    if (wanted !== null && !taken.has(wanted)) {
      taken.add(wanted);
      return wanted;
    }
    this.#highest.set(table, Math.max(highest, this.#highest.get(table) ?? (await this.#highestStored(table))));
    const next = await this.nextId(table);
    taken.add(next);
    return next;
  }

  /** A name is a text, or `{"name": "…", "nth": 2}`. */
  async idOf(kind: NamedKind, given: unknown): Promise<Param> {
    const id = await this.find(kind, given);
    if (id === undefined) throw new Missing(`there is no ${named[kind].called} ${JSON.stringify(given)}`);
    return id;
  }

  async find(kind: NamedKind, given: unknown): Promise<Param | undefined> {
    const { name, nth } = readName(given);
    return (await this.#of(kind)).ids.get(name)?.[nth - 1];
  }

  async findWithoutCase(kind: NamedKind, name: string): Promise<string | undefined> {
    const { ids } = await this.#of(kind);
    if (ids.has(name)) return name;
    return [...ids.keys()].find((one) => one.toLowerCase() === name.toLowerCase());
  }

  async add(kind: NamedKind, name: string, id: Param): Promise<void> {
    addTo(await this.#of(kind), name, id);
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
    (await this.#of(kind)).names.delete(id);
  }

  /** Undefined, and noted as lost, when it does not exist. */
  async nameOrLose(kind: NamedKind, stored: unknown): Promise<JsonValue | undefined> {
    const name = await this.nameOf(kind, idForm(kind)(stored));
    if (name === undefined) this.lose(`there is no ${named[kind].called} ${stored}`);
    return name;
  }

  /** Undefined, and noted as lost, for resources that exports do not have. */
  async placeOrLose(id: number): Promise<Place | undefined> {
    const place = await this.resources.placeOf(id);
    if (place !== undefined && (await this.nameOf('contexts', place.context)) !== undefined) return place;
    this.lose(`there is no resource ${id}`);
    return undefined;
  }

  async nameOf(kind: NamedKind, id: Param): Promise<JsonValue | undefined> {
    const { ids, names } = await this.#of(kind);
    const name = names.get(id);
    if (name === undefined) return undefined;
    const nth = (ids.get(name)?.indexOf(id) ?? 0) + 1;
    return nth > 1 ? { name, nth } : name;
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

  async categoryAt(path: readonly string[]): Promise<number> {
    const id = await this.findCategory(path);
    if (id === undefined) throw new Missing(`there is no category ${path.join(' / ')}`);
    return id;
  }

  async findCategory(path: readonly string[]): Promise<number | undefined> {
    return (await this.categories()).ids.get(JSON.stringify(path));
  }

  async pathOf(category: number): Promise<readonly string[] | undefined> {
    return (await this.categories()).paths.get(category);
  }

  async pathsNamed(name: string): Promise<readonly (readonly string[])[]> {
    return [...(await this.categories()).paths.values()].filter((path) => path.at(-1) === name);
  }

  async addCategory(path: readonly string[], id: number): Promise<void> {
    const { ids, paths } = await this.categories();
    ids.set(JSON.stringify(path), id);
    paths.set(id, path);
  }

  async #of(kind: NamedKind): Promise<Known> {
    const found = this.#known.get(kind);
    if (found) return found;
    const { table, id = 'id', name = 'name' }: { table: string; id?: string; name?: string } = named[kind];
    const isOwn = table.startsWith('hcd_');
    const reader = isOwn ? this.#readers.own : this.#readers.content;
    const sql = `SELECT \`${name}\`, \`${id}\` FROM \`${isOwn ? '' : this.#prefix}${table}\` ORDER BY \`${id}\``;
    const rows = await reader.select({ sql, params: [] });
    const known: Known = { ids: new Map(), names: new Map() };
    for (const [text, value] of rows) addTo(known, String(text), idForm(kind)(value));
    this.#known.set(kind, known);
    return known;
  }

  async categories() {
    if (this.#categories) return this.#categories;
    const sql = `SELECT \`id\`, \`parent\`, \`category\` FROM \`${this.#prefix}categories\` ORDER BY \`id\``;
    const rows = await this.#readers.content.select({ sql, params: [] });
    const byId = new Map(
      rows.map(([id, parent, name]) => [Number(id), { parent: Number(parent), name: String(name) }]),
    );
    const [ids, paths] = [new Map<string, number>(), new Map<number, readonly string[]>()];
    const loose: number[] = [];
    for (const id of byId.keys()) {
      const path: string[] = [];
      for (let at = byId.get(id); at && path.length <= byId.size; at = byId.get(at.parent)) path.unshift(at.name);
      // A circle is damage, and has no path; of two with one path the first counts.
      if (path.length > byId.size || ids.has(JSON.stringify(path))) loose.push(id);
      else {
        ids.set(JSON.stringify(path), id);
        paths.set(id, path);
      }
    }
    this.#categories = { ids, paths, loose };
    return this.#categories;
  }

  async #idsStored(table: string): Promise<Set<number>> {
    const sql = `SELECT \`id\` FROM \`${this.#prefix}${table}\``;
    const rows = await this.#readers.content.select({ sql, params: [] });
    return new Set(rows.map(([id]) => Number(id)));
  }

  async #highestStored(table: string): Promise<number> {
    const [reader, prefix] = table.startsWith('hcd_') ? [this.#readers.own, ''] : [this.#readers.content, this.#prefix];
    const [row] = await reader.select({ sql: `SELECT MAX(\`id\`) FROM \`${prefix}${table}\``, params: [] });
    return Number(row?.[0] ?? 0);
  }
}

function rulesOf({ type, elements, input_properties: given }: Readonly<Record<string, unknown>>): TvRuleFacts {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { type: String(type ?? ''), elements: text(elements), inputProperties: text(given) };
}

/** What messages call a record of the kind. */
export function calledName(kind: NamedKind | 'categories' | 'resources'): string {
  return kind === 'categories' ? 'category' : kind === 'resources' ? 'resource' : named[kind].called;
}

function idForm(kind: NamedKind) {
  return kind === 'contexts' ? String : Number;
}

function readName(given: unknown): { readonly name: string; readonly nth: number } {
  if (typeof given === 'string') return { name: given, nth: 1 };
  const { name, nth, ...others } = isJsonObject(given) ? given : {};
  if (typeof name === 'string' && isCount(nth) && Object.keys(others).length === 0) return { name, nth };
  throw new WrongValue('must be a name');
}

function addTo({ ids, names }: Known, name: string, id: Param): void {
  const same = ids.get(name);
  if (same) same.push(id);
  else ids.set(name, [id]);
  names.set(id, name);
}
