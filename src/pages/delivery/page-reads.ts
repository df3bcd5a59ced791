/** Publications as readers see them. Statements that find resources come from the caller and have a column `id`. */
import type { Predicate } from '../../content/query/predicate.js';
import type { Param, RawRow, Reader, Statement } from '../../store/base/database.js';
import type { RowOf } from '../../store/models/model.js';
import { pages } from '../models/pages.js';
import { type DeliverySite, factsStatement, hasId } from './deliverable.js';

const publication = ['resource', 'lastPublished', 'isPublished', 'publishedOn'] as const;

type PublicationRow = Pick<RowOf<typeof pages>, (typeof publication)[number]>;

export interface ResourceRow {
  readonly row: RawRow;
  readonly publication: PublicationRow | null;
}

/** Made once: requests wait for these statements. */
const columns = publication.map((name) => `\`p\`.\`${pages.columnOf(name)}\``).join(', ');
const samePage = '`hcd_pages` AS p ON `p`.`resource_id` = t.`id`';

interface Joined {
  readonly join: string;
  readonly params?: readonly Param[];
}

async function selectJoined(db: Reader, resources: Statement, { join, params = [] }: Joined): Promise<ResourceRow[]> {
  const sql = `SELECT t.*, ${columns} FROM (${resources.sql}) AS t ${join}`;
  const rows = await db.select({ ...resources, sql, params: [...resources.params, ...params] });
  return rows.map((row) => {
    const own = row.slice(row.length - publication.length);
    return { row, publication: own[0] === null ? null : pages.decode(own, publication) };
  });
}

/** For one database; in no order. */
export function readResourcesWithPages(db: Reader, resources: Statement): Promise<readonly ResourceRow[]> {
  return selectJoined(db, resources, { join: `LEFT JOIN ${samePage}` });
}

/** The first by id of those with a published page, else the first by id. */
export async function readResourceWithPage(db: Reader, resources: Statement): Promise<ResourceRow | null> {
  const join = `LEFT JOIN ${samePage} ORDER BY \`p\`.\`is_published\` DESC, t.\`id\` LIMIT 1`;
  return (await selectJoined(db, resources, { join }))[0] ?? null;
}

export function readPublishedResources(
  db: Reader,
  { resources, limit, offset }: { readonly resources: Statement; readonly limit: number; readonly offset: number },
): Promise<readonly ResourceRow[]> {
  const join = `JOIN ${samePage} AND \`p\`.\`is_published\` = 1 ORDER BY \`p\`.\`resource_id\` LIMIT ? OFFSET ?`;
  return selectJoined(db, resources, { join, params: [limit, offset] });
}

export async function countPublishedResources(db: Reader, resources: Statement): Promise<number> {
  const sql = `SELECT COUNT(*) FROM (${resources.sql}) AS t JOIN ${samePage} AND \`p\`.\`is_published\` = 1`;
  const rows = await db.select({ ...resources, sql, heavy: resources.heavy ?? { over: 'hcd_pages' } });
  return Number(rows[0]?.[0] ?? 0);
}

export async function readResourcesApart(
  { store }: Pick<DeliverySite, 'store'>,
  { resources, ids }: { readonly resources: Statement; readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, ResourceRow>> {
  const [rows, publications] = await Promise.all([
    store.content.primary.select(resources),
    pages.on(store.own.primary).lookUpAll({ resource: ids }, { attributes: publication }),
  ]);
  const byId = new Map(publications.map((one) => [one.resource, one]));
  return new Map(rows.map((row) => [Number(row[0]), { row, publication: byId.get(Number(row[0])) ?? null }]));
}

export async function readResourcesOf(
  site: DeliverySite,
  ids: readonly number[],
  where: readonly Predicate[],
): Promise<ReadonlyMap<number, ResourceRow>> {
  if (ids.length === 0) return new Map();
  return readResourcesApart(site, { resources: factsStatement(site, [hasId(site, ids), ...where]), ids });
}

export async function readPublishedIds(own: Reader): Promise<readonly number[]> {
  const rows = await own.select({
    sql: 'SELECT `resource_id` FROM `hcd_pages` WHERE `is_published` = 1 ORDER BY `resource_id`',
    params: [],
    heavy: { over: 'hcd_pages' },
  });
  return rows.map(([id]) => Number(id));
}
