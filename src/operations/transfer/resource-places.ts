/** Where resources are: context and URI instead of ids, which differ from store to store. */

import { shortDigest } from '../../crypto/primitives.js';
import type { RawRow, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { batchesOf, padded } from '../../values/batches.js';
import type { Place } from './record-names.js';
import { MissingResource } from './transfer-record.js';

export class ResourcePlaces {
  #reader: Reader;
  readonly #prefix: string;
  readonly #ids = new Map<string, number[]>();
  readonly #places = new Map<number, Place>();
  #index: ResourceIndex | undefined;
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

  /** The resources must not change from now on. */
  async index(): Promise<ResourceIndex> {
    this.#index ??= await indexResources(this.#reader, this.#prefix);
    return this.#index;
  }

  /** Reads the places of a batch ahead, and forgets those of the last one. */
  async read(ids: readonly number[]): Promise<void> {
    const index = this.#index;
    if (index === undefined) return;
    this.#places.clear();
    const known = [...new Set(ids)].filter((id) => index.nthOf(id) !== undefined);
    for (const some of batchesOf(known)) {
      const rows = await this.#reader.select({
        sql: `${this.#selectPlace()} IN (${padded(some)
          .map(() => '?')
          .join(', ')})`,
        params: padded(some),
      });
      for (const [id, context, uri] of rows) {
        const nth = index.nthOf(Number(id)) ?? 1;
        this.#places.set(Number(id), { context: String(context), uri: String(uri ?? ''), nth });
      }
    }
  }

  async nthOf(id: number): Promise<number> {
    return this.#index?.nthOf(id) ?? (await this.placeOf(id))?.nth ?? 1;
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
    const ids = await this.#idsAt(place);
    if (ids.length === 0) this.#added.set(shortDigest(key), id);
    if (this.#shared.has(key) || ids.length > 0) this.#shared.set(key, [...ids, id]);
    this.#places.set(id, { ...place, nth: ids.length + 1 });
  }

  async placeOf(id: number): Promise<Place | undefined> {
    const known = this.#places.get(id);
    if (known) return known;
    const [row] = await this.#reader.select({ sql: `${this.#selectPlace()} = ?`, params: [id] });
    if (row === undefined) return undefined;
    const place = { context: String(row[1]), uri: String(row[2] ?? ''), nth: 1 };
    const found = { ...place, nth: this.#index?.nthOf(id) ?? (await this.#idsAt(place)).indexOf(id) + 1 };
    this.#places.set(id, found);
    return found;
  }

  async #idsAt(place: Place): Promise<readonly number[]> {
    const key = placeKey(place);
    const shared = this.#shared.get(key);
    if (shared) return shared;
    const stored = this.#ids.get(key) ?? (await this.#storedAt(place));
    this.#ids.set(key, stored);
    if (stored.length > 1) this.#shared.set(key, stored);
    const added = this.#added.get(shortDigest(key));
    return added === undefined ? stored : [...stored, added];
  }

  #selectPlace(): string {
    return `SELECT \`id\`, \`context_key\`, \`uri\` FROM \`${this.#prefix}site_content\` WHERE \`id\``;
  }

  async #storedAt({ context, uri }: Place): Promise<number[]> {
    const rows = await this.#reader.select({
      sql: `SELECT \`id\`, \`uri\`, \`context_key\` FROM \`${this.#prefix}site_content\`
        WHERE (\`uri\` = ?${uri === '' ? ' OR `uri` IS NULL' : ''}) AND \`context_key\` = ? ORDER BY ${placeOrder}`,
      params: [uri, context],
    });
    const same = rows.filter(([, itsUri, itsContext]) => String(itsUri ?? '') === uri && itsContext === context);
    return same.map(([id]) => Number(id));
  }
}

function placeKey({ context, uri }: Place): string {
  return `${context}\n${uri}`;
}

/** In about 100 bytes for each resource: none of its texts is kept. */
interface ResourceIndex {
  /** Which of the resources at its place, from 1; undefined for an unknown id. */
  readonly nthOf: (id: number) => number | undefined;
  readonly rankOf: (id: number) => number;
  readonly contextOf: (id: number) => string | undefined;
  /** One resource of each circle of parents. */
  readonly loose: ReadonlySet<number>;
  readonly ordered: (filter: { readonly contexts?: readonly string[]; readonly since?: number }) => readonly number[];
}

/** For each page the database sorts all rows. */
const rowsOfRead = 20_000;
/** The resource that is delivered comes first. Ids of other resources do not count: they differ elsewhere. */
const placeOrder = '`deleted`, `published` DESC, `menuindex`, `id`';

async function indexResources(content: Reader, prefix: string): Promise<ResourceIndex> {
  const { ids, parents, changed, contexts, nths } = await readRows(content, `\`${prefix}site_content\``);
  const ranks = new Map(ids.map((id, rank) => [id, rank]));
  const { depths, loose } = depthsOf(parents.map((parent) => ranks.get(parent)));
  return {
    loose: new Set([...loose].map((rank) => ids[rank] ?? 0)),
    nthOf: (id) => nths[ranks.get(id) ?? -1],
    rankOf: (id) => ranks.get(id) ?? 0,
    contextOf: (id) => contexts[ranks.get(id) ?? -1],
    ordered({ contexts: wanted, since }) {
      const byDepth: number[][] = [];
      for (const [rank, id] of ids.entries()) {
        if (wanted?.includes(contexts[rank] ?? '') === false) continue;
        if (since !== undefined && (changed[rank] ?? 0) < since) continue;
        const depth = depths[rank] ?? 0;
        byDepth[depth] ??= [];
        byDepth[depth].push(id);
      }
      return byDepth.flat();
    },
  };
}

/** In the order of places; `changed` is the later of the times of creation and of the last change. */
async function readRows(content: Reader, table: string) {
  const ids: number[] = [];
  const parents: number[] = [];
  const changed: number[] = [];
  const nths: number[] = [];
  const contexts: string[] = [];
  const known = new Map<string, string>();
  const { exactText } = dialectOf(content.dialect);
  const uri = "COALESCE(`uri`, '')";
  const sql = `SELECT \`id\`, \`parent\`, \`editedon\`, \`createdon\`, \`context_key\`, ${uri} FROM ${table}
    ORDER BY ${exactText('`context_key`')}, ${exactText(uri)}, ${placeOrder} LIMIT ${rowsOfRead} OFFSET ?`;
  let before: RawRow = [];
  let rows: readonly RawRow[];
  do {
    rows = await content.select({ sql, params: [ids.length] });
    for (const row of rows) {
      const [id, parent, editedOn, createdOn, context] = row;
      const isSame = context === before[4] && row[5] === before[5];
      nths.push(isSame ? (nths.at(-1) ?? 0) + 1 : 1);
      ids.push(Number(id));
      parents.push(Number(parent));
      changed.push(Math.max(Number(editedOn), Number(createdOn)));
      // One text for all rows of a context.
      const key = known.get(String(context)) ?? String(context);
      known.set(key, key);
      contexts.push(key);
      before = row;
    }
  } while (rows.length === rowsOfRead);
  return { ids, parents, changed, contexts, nths };
}

const unknown = -1;
const onPath = -2;

/** Levels above each row; one row of each circle counts as one without a parent. */
function depthsOf(parents: readonly (number | undefined)[]) {
  const loose = new Set<number>();
  const depths = parents.map(() => unknown);
  for (const start of parents.keys()) {
    const path: number[] = [];
    let at: number | undefined = start;
    while (at !== undefined && depths[at] === unknown) {
      depths[at] = onPath;
      path.push(at);
      at = parents[at];
    }
    const last = path.at(-1);
    if (last !== undefined && at !== undefined && depths[at] === onPath) loose.add(last);
    let depth = Math.max(-1, at === undefined ? -1 : (depths[at] ?? -1));
    for (const index of path.toReversed()) {
      depth += 1;
      depths[index] = depth;
    }
  }
  return { depths, loose };
}
