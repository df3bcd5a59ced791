/**
 * Stable names of the records of a store, and their ids: content moves between stores whose ids differ.
 * Most things are named by a text that is unique; categories by their path, resources by context and URI.
 */
import type { Param, Reader } from '../../store/base/database.js';

/**
 * Where names are, by what is named: the table, and what messages call it. Columns have the usual names unless they are
 * given.
 */
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
} as const;

export type NamedKind = keyof typeof named;

export interface Place {
  readonly context: string;
  readonly uri: string;
}

/** Thrown for a value that a record must not have. */
export class WrongValue extends Error {}

/** Thrown for a name that nothing has so far; a later line of the file may have it. */
export class Missing extends WrongValue {}

interface Found {
  readonly id: number;
  readonly deleted: boolean;
}

/** Methods that look a name up throw `Missing`. */
export class Names {
  readonly #reader: Reader;
  readonly #prefix: string;
  readonly #ids = new Map<NamedKind, Map<string, Param>>();
  /** The highest ids that the tables had before. */
  readonly #stored = new Map<string, number>();
  readonly #highest = new Map<string, number>();
  readonly #places = new Map<string, Found>();
  #categories: Map<string, number> | undefined;

  constructor(reader: Reader, prefix: string) {
    this.#reader = reader;
    this.#prefix = prefix;
  }

  /**
   * The next id of a table: they count up from the highest there is, so that an empty store gets those of the file's
   * order.
   */
  async nextId(table: string): Promise<number> {
    const id = (this.#highest.get(table) ?? (await this.#highestStored(table))) + 1;
    this.#highest.set(table, id);
    return id;
  }

  async idOf(kind: NamedKind, name: string): Promise<Param> {
    const id = (await this.#known(kind)).get(name);
    if (id === undefined) throw new Missing(`there is no ${named[kind].called} ${JSON.stringify(name)}`);
    return id;
  }

  /** False when the name is taken. */
  async add(kind: NamedKind, name: string, id: Param): Promise<boolean> {
    return setNew(await this.#known(kind), name, id);
  }

  async categoryAt(path: readonly string[]): Promise<number> {
    const id = (await this.#knownCategories()).get(JSON.stringify(path));
    if (id === undefined) throw new Missing(`there is no category ${path.join(' / ')}`);
    return id;
  }

  async addCategory(path: readonly string[], id: number): Promise<boolean> {
    return setNew(await this.#knownCategories(), JSON.stringify(path), id);
  }

  async resourceAt(place: Place): Promise<number> {
    const found = await this.#foundAt(place);
    if (found === undefined) throw new Missing(`there is no resource with the URI ${place.uri} in ${place.context}`);
    return found.id;
  }

  /** False when a resource that is not deleted is at the place already. Deleted ones may share it. */
  async addResource(place: Place, resource: Found): Promise<boolean> {
    const found = await this.#foundAt(place);
    if (found === undefined || (found.deleted && !resource.deleted)) this.#places.set(placeKey(place), resource);
    return found === undefined || found.deleted || resource.deleted;
  }

  async #known(kind: NamedKind): Promise<Map<string, Param>> {
    const known = this.#ids.get(kind);
    if (known) return known;
    const { table, id = 'id', name = 'name' }: { table: string; id?: string; name?: string } = named[kind];
    const sql = `SELECT \`${name}\`, \`${id}\` FROM \`${this.#prefix}${table}\``;
    const rows = await this.#reader.select({ sql, params: [] });
    const idOf = kind === 'contexts' ? String : Number;
    const ids = new Map<string, Param>(rows.map(([text, value]) => [String(text), idOf(value)]));
    this.#ids.set(kind, ids);
    return ids;
  }

  async #knownCategories(): Promise<Map<string, number>> {
    if (this.#categories) return this.#categories;
    const sql = `SELECT \`id\`, \`parent\`, \`category\` FROM \`${this.#prefix}categories\``;
    const rows = await this.#reader.select({ sql, params: [] });
    const byId = new Map(
      rows.map(([id, parent, name]) => [Number(id), { parent: Number(parent), name: String(name) }]),
    );
    const ids = new Map<string, number>();
    for (const id of byId.keys()) {
      const path: string[] = [];
      // A circle is damage, and has no path.
      for (let at = byId.get(id); at && path.length <= byId.size; at = byId.get(at.parent)) path.unshift(at.name);
      ids.set(JSON.stringify(path), id);
    }
    this.#categories = ids;
    return ids;
  }

  async #foundAt(place: Place): Promise<Found | undefined> {
    const key = placeKey(place);
    const known = this.#places.get(key);
    if (known) return known;
    if ((await this.#highestStored('site_content')) === 0) return undefined;
    const rows = await this.#reader.select({
      sql: `SELECT \`id\`, \`deleted\`, \`uri\`, \`context_key\` FROM \`${this.#prefix}site_content\`
        WHERE \`uri\` = ? AND \`context_key\` = ? ORDER BY \`deleted\`, \`published\` DESC, \`parent\`, \`menuindex\`, \`id\``,
      params: [place.uri, place.context],
    });
    // The collation of a column may take other texts for the same.
    const row = rows.find(([, , uri, context]) => uri === place.uri && context === place.context);
    if (row === undefined) return undefined;
    const found = { id: Number(row[0]), deleted: Number(row[1]) === 1 };
    this.#places.set(key, found);
    return found;
  }

  async #highestStored(table: string): Promise<number> {
    const known = this.#stored.get(table);
    if (known !== undefined) return known;
    const sql = `SELECT MAX(\`id\`) FROM \`${this.#prefix}${table}\``;
    const [row] = await this.#reader.select({ sql, params: [] });
    const highest = Number(row?.[0] ?? 0);
    this.#stored.set(table, highest);
    return highest;
  }
}

/** False when the key is taken. */
function setNew<T>(values: Map<string, T>, key: string, value: T): boolean {
  if (values.has(key)) return false;
  values.set(key, value);
  return true;
}

function placeKey({ context, uri }: Place): string {
  return `${context}\n${uri}`;
}
