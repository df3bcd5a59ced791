/**
 * Rows of `hcd_pages` as authors see them: numbers, times and plans of a page. Drafts are long and read one by one.
 * Times are Unix milliseconds of the database's clock.
 */
import type { Param, RawRow, RawValue, Reader, Tx } from '../../store/base/database.js';

export interface PageRow {
  readonly resource: number;
  /** Of the draft; grows with every save. */
  readonly revision: number;
  /** Highest number under which the page was published; 0 before the first time. */
  readonly lastPublished: number;
  readonly isPublished: boolean;
  /** Revision of the draft that was published last. */
  readonly publishedDraft: number;
  readonly publishedOn: number | null;
  /** When it is to be published or withdrawn; null = not planned. */
  readonly publishOn: number | null;
  readonly unpublishOn: number | null;
  /** Revision of the draft whose planned publication was refused. */
  readonly failedDraft: number | null;
  readonly isDelivered: boolean;
  readonly siteRevision: number;
  readonly createdOn: number;
  readonly editedOn: number;
  readonly editedBy: string;
}

/** Where a page stands between draft and publication. */
export type PageState = 'draft' | 'published' | 'changed' | 'withdrawn';

export interface PageFilter {
  readonly state: PageState | null;
  /** Only pages with a planned publication or withdrawal. */
  readonly isPlanned: boolean;
}

const columns = [
  'resource_id',
  'revision',
  'last_published',
  'is_published',
  'published_draft',
  'published_on',
  'publish_on',
  'unpublish_on',
  'failed_draft',
  'is_delivered',
  'site_revision',
  'created_on',
  'edited_on',
  'edited_by',
]
  .map((name) => `\`${name}\``)
  .join(', ');

const conditions: Readonly<Record<PageState, string>> = {
  draft: '`last_published` = 0',
  published: '`is_published` = 1 AND `revision` = `published_draft`',
  changed: '`is_published` = 1 AND `revision` <> `published_draft`',
  withdrawn: '`is_published` = 0 AND `last_published` > 0',
};

/** Null when the resource has no page. */
export async function readPageRow(reader: Reader, resource: number): Promise<PageRow | null> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_pages\` WHERE \`resource_id\` = ?`,
    params: [resource],
  });
  return rows[0] === undefined ? null : decodePage(rows[0]);
}

/** The pages of these resources that there are, by resource. */
export async function readPageRowsOf(
  reader: Reader,
  resources: readonly number[],
): Promise<ReadonlyMap<number, PageRow>> {
  return readThese(reader, { resources, lock: '' });
}

/** The same, locked against other writers until the transaction ends; in the order of ids, so that two never cross. */
export async function lockPageRows(tx: Tx, resources: readonly number[]): Promise<ReadonlyMap<number, PageRow>> {
  return readThese(tx, { resources, lock: tx.dialect === 'mariadb' ? ' FOR UPDATE' : '' });
}

async function readThese(
  reader: Reader,
  { resources, lock }: { readonly resources: readonly number[]; readonly lock: string },
): Promise<ReadonlyMap<number, PageRow>> {
  const ids = [...new Set(resources)];
  if (ids.length === 0) return new Map();
  const marks = ids.map(() => '?').join(', ');
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_pages\` WHERE \`resource_id\` IN (${marks}) ORDER BY \`resource_id\`${lock}`,
    params: ids,
  });
  return new Map(rows.map(decodePage).map((row) => [row.resource, row]));
}

/** One part of the list of pages, by resource id, and how many there are. */
export async function readPageRows(
  reader: Reader,
  { filter, limit, offset }: { readonly filter: PageFilter; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly PageRow[]; readonly total: number }> {
  const where = whereOf(filter);
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_pages\` WHERE ${where} ORDER BY \`resource_id\` LIMIT ? OFFSET ?`,
    params: [limit, offset],
  });
  const counted = await reader.select({ sql: `SELECT COUNT(*) FROM \`hcd_pages\` WHERE ${where}`, params: [] });
  return { rows: rows.map(decodePage), total: Number(counted[0]?.[0] ?? 0) };
}

function whereOf({ state, isPlanned }: PageFilter): string {
  const parts = [
    ...(state === null ? [] : [conditions[state]]),
    ...(isPlanned ? ['(`publish_on` IS NOT NULL OR `unpublish_on` IS NOT NULL)'] : []),
  ];
  return parts.length === 0 ? '1 = 1' : parts.join(' AND ');
}

/** JSON of the draft; null when the page or its draft is not there. */
export async function readDraft(reader: Reader, resource: number): Promise<string | null> {
  const params: readonly Param[] = [resource];
  const rows = await reader.select({ sql: 'SELECT `draft` FROM `hcd_pages` WHERE `resource_id` = ?', params });
  const [draft] = rows[0] ?? [];
  return draft === null || draft === undefined ? null : String(draft);
}

function decodePage(row: RawRow): PageRow {
  const [resource, revision, lastPublished, isPublished, publishedDraft, publishedOn, publishOn, unpublishOn, ...rest] =
    row;
  const [failedDraft, isDelivered, siteRevision, createdOn, editedOn, editedBy] = rest;
  return {
    resource: Number(resource),
    revision: Number(revision),
    lastPublished: Number(lastPublished),
    isPublished: Number(isPublished) === 1,
    publishedDraft: Number(publishedDraft),
    publishedOn: optionalNumber(publishedOn),
    publishOn: optionalNumber(publishOn),
    unpublishOn: optionalNumber(unpublishOn),
    failedDraft: optionalNumber(failedDraft),
    isDelivered: Number(isDelivered) === 1,
    siteRevision: Number(siteRevision),
    createdOn: Number(createdOn),
    editedOn: Number(editedOn),
    editedBy: String(editedBy),
  };
}

function optionalNumber(value: RawValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
