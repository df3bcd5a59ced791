/** Questions that the rules of resources ask of other tables and other rows; each one statement. */
import { systemClock } from '../../clock/clock.js';
import type { Param, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { ResourceTable } from './resource-rows.js';

/** URIs in one statement. */
const batchSize = 200;

export async function templateExists(db: Reader, prefix: string, id: number): Promise<boolean> {
  const rows = await db.select({ sql: `SELECT 1 FROM \`${prefix}site_templates\` WHERE \`id\` = ?`, params: [id] });
  return rows.length > 0;
}

export interface ContentTypeRow {
  readonly mimeType: string | null;
  readonly fileExtensions: string | null;
}

/** All content types by id; there are a handful. */
export async function readContentTypes(db: Reader, prefix: string): Promise<ReadonlyMap<number, ContentTypeRow>> {
  const rows = await db.select({
    sql: `SELECT \`id\`, \`mime_type\`, \`file_extensions\` FROM \`${prefix}content_type\``,
    params: [],
  });
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  return new Map(
    rows.map(([id, mime, extensions]) => [Number(id), { mimeType: text(mime), fileExtensions: text(extensions) }]),
  );
}

/** Whether a resource of the class is stored; compared exactly. */
export async function classIsStored(db: Reader, table: ResourceTable, name: string): Promise<boolean> {
  const mark = textMark(db, table, 'class_key');
  const rows = await db.select({
    sql: `SELECT DISTINCT \`class_key\` FROM \`${table.name}\` WHERE \`class_key\` = ${mark}`,
    params: [name],
  });
  return rows.some(([stored]) => stored === name);
}

/** The highest menuindex among the siblings, deleted ones included; null without siblings. */
export async function lastMenuindex(
  db: Reader,
  table: ResourceTable,
  place: { readonly parent: number; readonly context: string },
): Promise<number | null> {
  const rows = await db.select({
    sql: `SELECT MAX(\`menuindex\`) FROM \`${table.name}\` WHERE \`parent\` = ? AND \`context_key\` = ${textMark(db, table, 'context_key')}`,
    params: [place.parent, place.context],
  });
  const [last] = rows[0] ?? [];
  return last === null || last === undefined ? null : Number(last);
}

/** Whether the resource has a child other than `except`; deleted ones count. */
export async function hasOtherChild(
  db: Reader,
  table: ResourceTable,
  asked: { readonly parent: number; readonly except: number },
): Promise<boolean> {
  const rows = await db.select({
    sql: `SELECT 1 FROM \`${table.name}\` WHERE \`parent\` = ? AND \`id\` <> ? LIMIT 1`,
    params: [asked.parent, asked.except],
  });
  return rows.length > 0;
}

export interface UriRow {
  readonly id: number;
  readonly uri: string | null;
  readonly contextKey: string;
  readonly deleted: boolean;
}

/** Rows that are not deleted and have one of the URIs, as the column's collation compares; of any context with null. */
export async function readUriHolders(
  db: Reader,
  table: ResourceTable,
  asked: { readonly uris: readonly string[]; readonly context: string | null },
): Promise<UriRow[]> {
  const found: UriRow[] = [];
  const mark = textMark(db, table, 'uri');
  const inContext = asked.context === null ? '' : ` AND \`context_key\` = ${textMark(db, table, 'context_key')}`;
  for (let at = 0; at < asked.uris.length; at += batchSize) {
    // As in the reading of a branch: others get their turn between statements.
    if (at > 0) await systemClock.sleep(0);
    const uris = asked.uris.slice(at, at + batchSize);
    const params: Param[] = asked.context === null ? [...uris] : [...uris, asked.context];
    const rows = await db.select({
      sql: `SELECT \`id\`, \`uri\`, \`context_key\` FROM \`${table.name}\` WHERE \`uri\` IN (${uris.map(() => mark).join(', ')})${inContext} AND \`deleted\` = 0`,
      params,
    });
    for (const [id, uri, context] of rows) {
      found.push({
        id: Number(id),
        uri: uri === null ? null : String(uri),
        contextKey: String(context),
        deleted: false,
      });
    }
  }
  return found;
}

/** The content of a resource; empty for none. */
export async function readContent(db: Reader, table: ResourceTable, id: number): Promise<string> {
  const [row] = await db.select({ sql: `SELECT \`content\` FROM \`${table.name}\` WHERE \`id\` = ?`, params: [id] });
  return String(row?.[0] ?? '');
}

/** Resource groups of one resource. */
export async function readResourceGroups(db: Reader, prefix: string, id: number): Promise<number[]> {
  const rows = await db.select({
    sql: `SELECT \`document_group\` FROM \`${prefix}document_groups\` WHERE \`document\` = ?`,
    params: [id],
  });
  return rows.map(([group]) => Number(group));
}

function textMark(db: Reader, table: ResourceTable, column: string): string {
  const found = table.columns.get(column);
  return found ? dialectOf(db.dialect).candidateMark(found) : '?';
}
