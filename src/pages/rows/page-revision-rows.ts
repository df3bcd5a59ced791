/** Rows of `hcd_page_revisions`: what was published under each number. They are written once and never changed. */
import type { RawRow, Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

export interface PageRevisionRow {
  readonly revision: number;
  /** Unix milliseconds of the database's clock. */
  readonly publishedOn: number;
  readonly publishedBy: string;
  /** The earlier number whose document this is again; null when it came from the draft. */
  readonly restoredFrom: number | null;
  /** Characters of the document as JSON. */
  readonly size: number;
}

export interface NewPageRevision {
  readonly resource: number;
  readonly revision: number;
  readonly document: string;
  readonly publishedBy: string;
  readonly restoredFrom: number | null;
}

/** A number that was used before is refused by the database. */
export async function insertPageRevision(tx: Tx, row: NewPageRevision): Promise<void> {
  await tx.run({
    sql: `INSERT INTO \`hcd_page_revisions\` (\`resource_id\`, \`revision\`, \`document\`, \`published_on\`, \`published_by\`, \`restored_from\`)
      VALUES (?, ?, ?, ${nowMilliseconds(tx.dialect)}, ?, ?)`,
    params: [row.resource, row.revision, row.document, row.publishedBy, row.restoredFrom],
  });
}

/** Without the documents, the newest first, and how many there are. */
export async function readPageRevisions(
  reader: Reader,
  { resource, limit, offset }: { readonly resource: number; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly PageRevisionRow[]; readonly total: number }> {
  const size = reader.dialect === 'mariadb' ? 'CHAR_LENGTH(`document`)' : 'LENGTH(`document`)';
  const rows = await reader.select({
    sql: `SELECT \`revision\`, \`published_on\`, \`published_by\`, \`restored_from\`, ${size} FROM \`hcd_page_revisions\`
      WHERE \`resource_id\` = ? ORDER BY \`revision\` DESC LIMIT ? OFFSET ?`,
    params: [resource, limit, offset],
  });
  const counted = await reader.select({
    sql: 'SELECT COUNT(*) FROM `hcd_page_revisions` WHERE `resource_id` = ?',
    params: [resource],
  });
  return { rows: rows.map(decodeRevision), total: Number(counted[0]?.[0] ?? 0) };
}

/** JSON of the document; null when nothing was published under the number. */
export async function readPublishedDocument(
  reader: Reader,
  { resource, revision }: { readonly resource: number; readonly revision: number },
): Promise<string | null> {
  const rows = await reader.select({
    sql: 'SELECT `document` FROM `hcd_page_revisions` WHERE `resource_id` = ? AND `revision` = ?',
    params: [resource, revision],
  });
  return rows[0] === undefined ? null : String(rows[0][0]);
}

function decodeRevision([revision, publishedOn, publishedBy, restoredFrom, size]: RawRow): PageRevisionRow {
  return {
    revision: Number(revision),
    publishedOn: Number(publishedOn),
    publishedBy: String(publishedBy),
    restoredFrom: restoredFrom === null || restoredFrom === undefined ? null : Number(restoredFrom),
    size: Number(size),
  };
}
