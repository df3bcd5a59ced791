/**
 * Publications as readers see them, by themselves or with the resources of the content store where both are in one
 * database. Statements that find resources come in from outside and have a column `id`.
 */
import type { RawRow, Reader, Statement } from '../../store/base/database.js';
import type { RowOf } from '../../store/models/model.js';
import { pages } from '../models/pages.js';

const publication = ['resource', 'lastPublished', 'isPublished', 'publishedOn'] as const;

type PublicationRow = Pick<RowOf<typeof pages>, (typeof publication)[number]>;

/** A row of the statement, with the publication of its page; null where the resource has no page. */
export interface ResourceRow {
  readonly row: RawRow;
  readonly publication: PublicationRow | null;
}

/** Made once: requests wait for these statements. */
const columns = publication.map((name) => `\`p\`.\`${pages.columnOf(name)}\``).join(', ');

/** The one row that counts: the first by id of those with a published page, else the first by id. */
export async function readResourceWithPage(db: Reader, { sql, params }: Statement): Promise<ResourceRow | null> {
  const rows = await db.select({
    sql: `SELECT t.*, ${columns} FROM (${sql}) AS t LEFT JOIN \`hcd_pages\` AS p ON \`p\`.\`resource_id\` = t.\`id\`
      ORDER BY \`p\`.\`is_published\` DESC, t.\`id\` LIMIT 1`,
    params,
  });
  return rows[0] === undefined ? null : decodeBoth(rows[0]);
}

/** Every resource that the statement finds, in no order. */
export async function readResourcesWithPages(db: Reader, { sql, params }: Statement): Promise<readonly ResourceRow[]> {
  const rows = await db.select({
    sql: `SELECT t.*, ${columns} FROM (${sql}) AS t LEFT JOIN \`hcd_pages\` AS p ON \`p\`.\`resource_id\` = t.\`id\``,
    params,
  });
  return rows.map(decodeBoth);
}

/** One part of the resources with a published page, by id. */
export async function readPublishedResources(
  db: Reader,
  { resources, limit, offset }: { readonly resources: Statement; readonly limit: number; readonly offset: number },
): Promise<readonly ResourceRow[]> {
  const rows = await db.select({
    ...resources,
    sql: `SELECT t.*, ${columns} FROM (${resources.sql}) AS t JOIN \`hcd_pages\` AS p ON \`p\`.\`resource_id\` = t.\`id\`
      AND \`p\`.\`is_published\` = 1 ORDER BY \`p\`.\`resource_id\` LIMIT ? OFFSET ?`,
    params: [...resources.params, limit, offset],
  });
  return rows.map(decodeBoth);
}

/** How many of the resources have a published page. */
export async function countPublishedResources(db: Reader, resources: Statement): Promise<number> {
  const rows = await db.select({
    ...resources,
    sql: `SELECT COUNT(*) FROM (${resources.sql}) AS t JOIN \`hcd_pages\` AS p ON \`p\`.\`resource_id\` = t.\`id\`
      AND \`p\`.\`is_published\` = 1`,
    heavy: resources.heavy ?? { over: 'hcd_pages' },
  });
  return Number(rows[0]?.[0] ?? 0);
}

/** The publications of these resources that there are. */
export async function findPublications(
  own: Reader,
  resources: readonly number[],
): Promise<ReadonlyMap<number, PublicationRow>> {
  const rows = await pages.on(own).lookUpAll({ resource: resources }, { attributes: publication });
  return new Map(rows.map((row) => [row.resource, row]));
}

/** Ids of all resources with a published page, in their order. */
export async function readPublishedIds(own: Reader): Promise<readonly number[]> {
  const rows = await own.select({
    sql: 'SELECT `resource_id` FROM `hcd_pages` WHERE `is_published` = 1 ORDER BY `resource_id`',
    params: [],
    heavy: { over: 'hcd_pages' },
  });
  return rows.map(([id]) => Number(id));
}

function decodeBoth(row: RawRow): ResourceRow {
  const own = row.slice(row.length - publication.length);
  return { row, publication: own[0] === null ? null : pages.decode(own, publication) };
}
