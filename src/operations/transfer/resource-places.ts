/** Where resources are: context and URI instead of ids, which differ from store to store. */

import { shortDigest } from '../../crypto/primitives.js';
import type { RawRow, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { groupBy } from '../../values/batches.js';
import type { JsonValue } from '../../values/json.js';
import { type Place, placeName } from './record-names.js';
import { type Filter, MissingResource } from './transfer-record.js';

export class ResourcePlaces {
  #reader: Reader;
  readonly #prefix: string;
  readonly #ids = new Map<string, number[]>();
  readonly #places = new Map<number, Place>();
  #index: Awaited<ReturnType<typeof indexResources>> | undefined;
  /** The order stays as it was found, although an import may change the resources. */
  #shared = new Map<string, number[]>();
  /** The first resource at a place that is not in the database yet. */
  readonly #added = new Map<string, number>();

  constructor(reader: Reader, prefix: string) {
    this.#reader = reader;
    this.#prefix = prefix;
  }

  use(reader: Reader, { isWritten }: { readonly isWritten: boolean }): void {
    this.#reader = reader;
    this.#ids.clear();
    this.#places.clear();
    if (isWritten) this.#added.clear();
  }

  forget(): void {
    this.#shared = new Map();
  }

  /** Parents before their children. The resources must not change from now on. */
  async list({ contexts, since = Number.NEGATIVE_INFINITY }: Filter): Promise<readonly number[]> {
    this.#index ??= await indexResources(this.#reader, this.#prefix);
    const rows = [...this.#index.rows.values()];
    const wanted = rows.filter(({ context, changed }) => contexts?.includes(context) !== false && changed >= since);
    return wanted.map(({ id }) => id);
  }

  /** Whether the parent of the record is below it; exports leave such a parent out. */
  closesCircle(object: string, key: number | string): boolean {
    return object === 'resources' && this.#index?.loose.has(Number(key)) === true;
  }

  async idAt(place: Place): Promise<number> {
    const id = await this.find(place);
    if (id === undefined) {
      const folder = { ...place, uri: `${place.uri}/` };
      const isFolder =
        !/[./]/.test(place.uri.slice(place.uri.lastIndexOf('/'))) && (await this.find(folder)) !== undefined;
      const hint = isFolder ? `; did you mean ${folder.uri}?` : '';
      throw new MissingResource(`there is no resource with the URI ${place.uri} in ${place.context}${hint}`);
    }
    this.#places.set(id, place);
    return id;
  }

  async find(place: Place): Promise<number | undefined> {
    return (await this.#idsAt(place))[place.nth - 1];
  }

  async add(place: Place, id: number): Promise<void> {
    const key = placeKey(place);
    const ids = (await this.#idsAt(place)).slice();
    // The second resource of a place may come before the first.
    ids[place.nth - 1] = id;
    if (ids.length === 1) this.#added.set(shortDigest(key), id);
    else this.#shared.set(key, ids);
    this.#places.set(id, place);
  }

  async shared(): Promise<readonly (readonly [name: JsonValue, ids: readonly number[]])[]> {
    const { exactText } = dialectOf(this.#reader.dialect);
    const text = "COALESCE(`uri`, '')";
    const sql = `SELECT MIN(\`context_key\`), MIN(${text}) FROM \`${this.#prefix}site_content\`
      GROUP BY ${exactText('`context_key`')}, ${exactText(text)} HAVING COUNT(*) > 1`;
    const found: (readonly [JsonValue, readonly number[]])[] = [];
    for (const [context, uri] of await this.#reader.select({ sql, params: [] })) {
      const place = { context: String(context), uri: String(uri), nth: 1 };
      found.push([placeName(place), await this.#idsAt(place)]);
    }
    return found;
  }

  async placeOf(id: number): Promise<Place | undefined> {
    const known = this.#index?.rows.get(id) ?? this.#places.get(id);
    if (known || this.#index) return known;
    const sql = `SELECT \`context_key\`, \`uri\` FROM \`${this.#prefix}site_content\` WHERE \`id\` = ?`;
    const [row] = await this.#reader.select({ sql, params: [id] });
    if (row === undefined) return undefined;
    const place = { context: String(row[0]), uri: String(row[1] ?? '') };
    const found = { ...place, nth: (await this.#idsAt(place)).indexOf(id) + 1 };
    this.#places.set(id, found);
    return found;
  }

  async #idsAt(place: Address): Promise<readonly number[]> {
    const key = placeKey(place);
    const shared = this.#shared.get(key);
    if (shared) return shared;
    const stored = this.#ids.get(key) ?? (await this.#storedAt(place));
    this.#ids.set(key, stored);
    if (stored.length > 1) this.#shared.set(key, stored);
    const added = this.#added.get(shortDigest(key));
    return added === undefined ? stored : [...stored, added];
  }

  async #storedAt({ context, uri }: Address): Promise<number[]> {
    const rows = await this.#reader.select({
      sql: `SELECT \`id\`, \`uri\`, \`context_key\` FROM \`${this.#prefix}site_content\`
        WHERE (\`uri\` = ?${uri === '' ? ' OR `uri` IS NULL' : ''}) AND \`context_key\` = ? ORDER BY ${placeOrder}`,
      params: [uri, context],
    });
    const same = rows.filter(([, itsUri, itsContext]) => String(itsUri ?? '') === uri && itsContext === context);
    return same.map(([id]) => Number(id));
  }
}

type Address = Omit<Place, 'nth'>;

function placeKey({ context, uri }: Address): string {
  return `${context}\n${uri}`;
}

/** No other texts of a resource are kept: 100,000 of them are in memory. */
interface Indexed extends Place {
  readonly id: number;
  readonly parent: number;
  /** The later of the times of creation and of the last change. */
  readonly changed: number;
}

/** For each page the database sorts all rows. */
const rowsOfRead = 20_000;
/** The resource that is delivered comes first. Ids of other resources do not count: they differ elsewhere. */
const placeOrder = '`deleted`, `published` DESC, `menuindex`, `id`';

/** `loose` has one resource of each circle of parents. */
async function indexResources(content: Reader, prefix: string) {
  const all = await readRows(content, `\`${prefix}site_content\``);
  const byId = new Map(all.map((row) => [row.id, row]));
  const children = groupBy(all, ({ parent }) => parent);
  const rows = new Map<number, Indexed>();
  const takeTree = (first: readonly Indexed[]): void => {
    const waiting = [...first];
    for (const row of waiting) {
      if (rows.has(row.id)) continue;
      rows.set(row.id, row);
      for (const child of children.get(row.id) ?? []) waiting.push(child);
    }
  };
  takeTree(all.filter(({ parent }) => !byId.has(parent)));
  const loose = new Set<number>();
  for (const row of all) {
    if (rows.has(row.id)) continue;
    const path = new Set<Indexed>();
    for (let at = row; !path.has(at); at = byId.get(at.parent) ?? at) path.add(at);
    const last = [...path].at(-1) ?? row;
    loose.add(last.id);
    takeTree([last]);
  }
  return { rows, loose };
}

/** In the order of places. */
async function readRows(content: Reader, table: string): Promise<readonly Indexed[]> {
  const found: Indexed[] = [];
  // One text for all rows of a context.
  const contexts = new Map<string, string>();
  const { exactText } = dialectOf(content.dialect);
  const text = "COALESCE(`uri`, '')";
  const sql = `SELECT \`id\`, \`parent\`, \`editedon\`, \`createdon\`, \`context_key\`, ${text} FROM ${table}
    ORDER BY ${exactText('`context_key`')}, ${exactText(text)}, ${placeOrder} LIMIT ${rowsOfRead} OFFSET ?`;
  let rows: readonly RawRow[];
  do {
    rows = await content.select({ sql, params: [found.length] });
    for (const [id, parent, editedOn, createdOn, key, path] of rows) {
      const context = contexts.get(String(key)) ?? String(key);
      contexts.set(context, context);
      const uri = String(path);
      const before = found.at(-1);
      const nth = before?.context === context && before.uri === uri ? before.nth + 1 : 1;
      const changed = Math.max(Number(editedOn), Number(createdOn));
      found.push({ id: Number(id), parent: Number(parent), context, uri, changed, nth });
    }
  } while (rows.length === rowsOfRead);
  return found;
}
