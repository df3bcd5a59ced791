/** The few facts of resources that writing their pages asks for; by id, or by context and URI. */
import { AppError } from '../../errors/app-error.js';
import type { RawRow } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { Store } from '../../store/open/open.js';
import type { PagePlace } from '../rules/section-type.js';

export interface PageResource {
  readonly id: number;
  readonly pagetitle: string;
  readonly uri: string;
  readonly context: string;
  readonly template: number;
  readonly parent: number;
  readonly isPublished: boolean;
  readonly isDeleted: boolean;
}

/** The context and URI of a resource. */
export interface ResourcePlace {
  readonly context: string;
  readonly uri: string;
}

type Content = Pick<Store, 'content' | 'prefix' | 'tables'>;

const columns = '`id`, `pagetitle`, `uri`, `context_key`, `template`, `parent`, `published`, `deleted`, `menuindex`';

/** The resources with these ids that there are. */
export async function readPageResources(
  { content, prefix }: Content,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PageResource>> {
  if (ids.length === 0) return new Map();
  const rows = await content.primary.select({
    sql: `SELECT ${columns} FROM \`${prefix}site_content\` WHERE \`id\` IN (${ids.map(() => '?').join(', ')})`,
    params: ids,
  });
  return new Map(rows.map(decodeResource).map((resource) => [resource.id, resource]));
}

/**
 * The resources at these places, by `placeKey`; deleted ones are at none. Of several with one URI the published one
 * counts, then the first by parent, menuindex and id, as servers choose.
 */
export async function findPageResources(
  { content, prefix, tables }: Content,
  places: readonly ResourcePlace[],
): Promise<ReadonlyMap<string, PageResource>> {
  const uris = [...new Set(places.map(({ uri }) => uri))];
  if (uris.length === 0) return new Map();
  const table = `${prefix}site_content`;
  const column = tables.get(table)?.columns.get('uri');
  const dialect = dialectOf(content.dialect);
  const mark = column === undefined ? '?' : dialect.candidateMark(column);
  // The index finds candidates in the collation of the column; what is meant is decided by the exact text.
  const rows = await content.primary.select({
    sql: `SELECT ${columns} FROM \`${table}\` WHERE \`uri\` IN (${uris.map(() => mark).join(', ')}) AND \`deleted\` = 0
      ORDER BY \`published\` DESC, \`parent\`, \`menuindex\`, \`id\``,
    params: uris,
  });
  const found = new Map<string, PageResource>();
  for (const resource of rows.map(decodeResource)) {
    const key = placeKey(resource);
    if (!found.has(key)) found.set(key, resource);
  }
  return found;
}

/** Two places are the same when their keys are. */
export function placeKey({ context, uri }: ResourcePlace): string {
  return JSON.stringify([context, uri]);
}

function decodeResource([id, pagetitle, uri, context, template, parent, published, deleted]: RawRow): PageResource {
  return Object.freeze({
    id: Number(id),
    pagetitle: String(pagetitle ?? ''),
    uri: String(uri ?? ''),
    context: String(context),
    template: Number(template),
    parent: Number(parent),
    isPublished: Number(published) === 1,
    isDeleted: Number(deleted) === 1,
  });
}

/** Deleted and unpublished resources too: their pages can be prepared. Throws not_found. */
export async function loadPageResource(store: Store, id: number): Promise<PageResource> {
  const resource = (await readPageResources(store, [id])).get(id);
  if (!resource) throw new AppError('not_found', { message: `There is no resource ${id}` });
  return resource;
}

/** Where the page stands, as availability of section types asks. */
export function placeOf({ id, parent, template, context }: PageResource): PagePlace {
  return { resource: id, parent, template, context };
}
