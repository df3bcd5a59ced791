/**
 * Stable names of what a store holds, and the ids that they have there: content moves between stores whose ids differ.
 * Most things are named by a text that is unique; categories by their path, resources by context and URI.
 */
import type { Param, Reader } from '../../store/base/database.js';

/** Where names are, by what is named: the table, the columns with id and name, and what messages call it. */
const named = {
  contexts: { table: 'context', id: 'key', name: 'key', called: 'context' },
  content_types: { table: 'content_type', id: 'id', name: 'name', called: 'content type' },
  media_sources: { table: 'media_sources', id: 'id', name: 'name', called: 'media source' },
  templates: { table: 'site_templates', id: 'id', name: 'templatename', called: 'template' },
  tvs: { table: 'site_tmplvars', id: 'id', name: 'name', called: 'template variable' },
  chunks: { table: 'site_htmlsnippets', id: 'id', name: 'name', called: 'chunk' },
  snippets: { table: 'site_snippets', id: 'id', name: 'name', called: 'snippet' },
  roles: { table: 'user_group_roles', id: 'id', name: 'name', called: 'role' },
  policies: { table: 'access_policies', id: 'id', name: 'name', called: 'policy' },
  user_groups: { table: 'membergroup_names', id: 'id', name: 'name', called: 'user group' },
  resource_groups: { table: 'documentgroup_names', id: 'id', name: 'name', called: 'resource group' },
  users: { table: 'users', id: 'id', name: 'username', called: 'user' },
} as const;

export type NamedKind = keyof typeof named;

export interface Place {
  readonly context: string;
  readonly uri: string;
}

/** A name that nothing has so far; a later line of the file may have it. */
export class Missing {
  constructor(readonly problem: string) {}
}

interface Found {
  readonly id: number;
  readonly deleted: boolean;
}

export class Names {
  readonly #reader: Reader;
  readonly #prefix: string;
  readonly #ids = new Map<NamedKind, Map<string, Param>>();
  readonly #highest = new Map<string, number>();
  readonly #places = new Map<string, Found>();
  #categories: Map<string, number> | undefined;

  constructor(reader: Reader, prefix: string) {
    this.#reader = reader;
    this.#prefix = prefix;
  }

  /** The next id of a table: they count up from the highest there is, so that an empty store gets those of the file's order. */
  async nextId(table: string): Promise<number> {
    const id = (await this.#highestId(table)) + 1;
    this.#highest.set(table, id);
    return id;
  }

  async idOf(kind: NamedKind, name: string): Promise<Param | Missing> {
    const ids = await this.#known(kind);
    return ids.get(name) ?? new Missing(`there is no ${named[kind].called} ${JSON.stringify(name)}`);
  }

  /** False when the name is taken. */
  async add(kind: NamedKind, name: string, id: Param): Promise<boolean> {
    const ids = await this.#known(kind);
    if (ids.has(name)) return false;
    ids.set(name, id);
    return true;
  }

  async categoryAt(path: readonly string[]): Promise<number | Missing> {
    const id = (await this.#knownCategories()).get(JSON.stringify(path));
    return id ?? new Missing(`there is no category ${path.join(' / ')}`);
  }

  async addCategory(path: readonly string[], id: number): Promise<boolean> {
    const ids = await this.#knownCategories();
    const key = JSON.stringify(path);
    if (ids.has(key)) return false;
    ids.set(key, id);
    return true;
  }

  async resourceAt(place: Place): Promise<number | Missing> {
    const found = await this.#foundAt(place);
    return found?.id ?? new Missing(`there is no resource with the URI ${place.uri} in ${place.context}`);
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
    const { table, id, name } = named[kind];
    const rows = await this.#reader.select({
      sql: `SELECT \`${name}\`, \`${id}\` FROM \`${this.#prefix}${table}\``,
      params: [],
    });
    const ids = new Map(
      rows.map(([text, value]) => [String(text), kind === 'contexts' ? String(value) : Number(value)]),
    );
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
    if ((await this.#stored('site_content')) === 0) return undefined;
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

  readonly #storedHighest = new Map<string, number>();

  /** The highest id that was there before. */
  async #stored(table: string): Promise<number> {
    const known = this.#storedHighest.get(table);
    if (known !== undefined) return known;
    const sql = `SELECT MAX(\`id\`) FROM \`${this.#prefix}${table}\``;
    const [row] = await this.#reader.select({ sql, params: [] });
    const highest = Number(row?.[0] ?? 0);
    this.#storedHighest.set(table, highest);
    return highest;
  }

  async #highestId(table: string): Promise<number> {
    return this.#highest.get(table) ?? (await this.#stored(table));
  }
}

function placeKey({ context, uri }: Place): string {
  return `${context}\n${uri}`;
}
