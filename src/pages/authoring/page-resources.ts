/** Reads the fields of resources that writing their pages needs. */

import { readUriHolders, siteContent } from '../../content/models/resources.js';
import { AppError } from '../../errors/app-error.js';
import type { RowOf } from '../../store/models/model.js';
import type { Store } from '../../store/open/open.js';
import type { PagePlace } from '../rules/section-type.js';

export interface PageResource extends PagePlace {
  readonly pagetitle: string;
  readonly uri: string;
  readonly isPublished: boolean;
  readonly isDeleted: boolean;
}

export interface ResourcePlace {
  readonly context: string;
  readonly uri: string;
}

type Content = Pick<Store, 'content' | 'prefix' | 'tables'>;

const read = ['id', 'pagetitle', 'uri', 'context_key', 'template', 'parent', 'published', 'deleted'] as const;
type ReadRow = Pick<RowOf<typeof siteContent>, (typeof read)[number]>;

export async function readPageResources(
  { content, prefix }: Content,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PageResource>> {
  const rows = await siteContent.on(content.primary, prefix).lookUpAll({ id: ids }, { attributes: read });
  return new Map(rows.map((row) => [row.id, resourceOf(row)]));
}

export async function findPlace(store: Content, id: number): Promise<ResourcePlace | null> {
  const found = (await readPageResources(store, [id])).get(id);
  return found === undefined ? null : { context: found.context, uri: found.uri };
}

/** By `placeKey`. Of several with one URI the published one counts, then the first by parent, menuindex and id. */
export async function findPageResources(
  { content, prefix, tables }: Content,
  places: readonly ResourcePlace[],
): Promise<ReadonlyMap<string, PageResource>> {
  const name = `${prefix}${siteContent.table}`;
  const table = { name, columns: tables.get(name)?.columns ?? new Map() };
  // The index finds candidates in the collation of the column; the exact text decides.
  const uris = [...new Set(places.map(({ uri }) => uri))];
  const holders = await readUriHolders(content.primary, table, { uris, context: null });
  const ids = holders.map(({ id }) => id);
  const attributes = [...read, 'menuindex'] as const;
  const rows = await siteContent.on(content.primary, prefix).lookUpAll({ id: ids }, { attributes });
  rows.sort(
    (one, other) =>
      Number(other.published) - Number(one.published) ||
      one.parent - other.parent ||
      one.menuindex - other.menuindex ||
      one.id - other.id,
  );
  const found = new Map<string, PageResource>();
  for (const resource of rows.map(resourceOf)) {
    const key = placeKey(resource);
    if (!found.has(key)) found.set(key, resource);
  }
  return found;
}

export function placeKey({ context, uri }: ResourcePlace): string {
  return JSON.stringify([context, uri]);
}

function resourceOf(row: ReadRow): PageResource {
  const { id, pagetitle, uri, context_key: context, template, parent, published, deleted } = row;
  const states = { isPublished: published, isDeleted: deleted };
  return Object.freeze({ id, pagetitle, uri: uri ?? '', context, template, parent, ...states });
}

/** Deleted and unpublished resources too: their pages can be prepared. Throws not_found. */
export async function loadPageResource(store: Store, id: number): Promise<PageResource> {
  const resource = (await readPageResources(store, [id])).get(id);
  if (!resource) throw new AppError('not_found', { message: `There is no resource ${id}` });
  return resource;
}
