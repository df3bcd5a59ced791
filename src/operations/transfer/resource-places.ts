/** Where resources are: context and URI instead of ids, which differ from store to store. */
import { shortDigest } from '../../crypto/primitives.js';
import type { Reader } from '../../store/base/database.js';
import { batchesOf, padded } from '../../values/batches.js';
import { indexResources, placeOrder, type ResourceIndex } from './resource-index.js';
import { MissingResource } from './wrong-value.js';

export interface Place {
  readonly context: string;
  readonly uri: string;
  /** From 1: which of the resources with this context and URI. */
  readonly nth: number;
}

const together = 200;

export class ResourcePlaces {
  #reader: Reader;
  readonly #prefix: string;
  readonly #ids = new Map<string, number[]>();
  readonly #places = new Map<number, Place>();
  #loading: Promise<ResourceIndex> | undefined;
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
    this.#loading ??= indexResources(this.#reader, this.#prefix);
    this.#index = await this.#loading;
    return this.#index;
  }

  /** Reads the places of a batch ahead, and forgets those of the last one. */
  async read(ids: readonly number[]): Promise<void> {
    const index = this.#index;
    if (index === undefined) return;
    this.#places.clear();
    const known = [...new Set(ids)].filter((id) => index.nthOf(id) !== undefined);
    for (const some of batchesOf(known, together)) {
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
    // The collation of a column may take other texts for the same.
    const same = rows.filter(([, itsUri, itsContext]) => String(itsUri ?? '') === uri && itsContext === context);
    return same.map(([id]) => Number(id));
  }
}

function placeKey({ context, uri }: Place): string {
  return `${context}\n${uri}`;
}
