/**
 * Reads the login sessions that the content system keeps in its own table
 * (docs/reference/storage.md#sessions-of-the-content-system). Never writes to it.
 */
import type { Reader } from '../../store/base/database.js';
import { type CharacterSet, dialectOf } from '../../store/base/dialect.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

export interface CmsSessionRow {
  /** PHP's session format. */
  readonly data: string;
  /** When it was last written, Unix milliseconds. */
  readonly accessedOn: number;
  /** Milliseconds since then, by the clock of the database. */
  readonly ageMs: number;
}

/** One read by the primary key; null when there is no session with exactly this id. `column` is how ids are stored. */
export async function readCmsSession(
  db: Reader,
  prefix: string,
  { id, column }: { readonly id: string; readonly column: CharacterSet },
): Promise<CmsSessionRow | null> {
  const rows = await db.select({
    sql: `SELECT \`id\`, \`access\`, \`data\`, ${nowMilliseconds(db.dialect)} FROM \`${prefix}session\` WHERE \`id\` = ${dialectOf(db.dialect).candidateMark(column)}`,
    params: [id],
  });
  // The CMS's collation disregards case; an id is a secret and must be the same in every letter.
  const row = rows.find(([found]) => found === id);
  if (row === undefined) return null;
  const [, access, data, now] = row;
  const accessedOn = Number(access) * 1000;
  return { data: data === null || data === undefined ? '' : String(data), accessedOn, ageMs: Number(now) - accessedOn };
}
