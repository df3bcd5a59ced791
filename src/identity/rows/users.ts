/** Who a user of the content system is and whether the account may be used. Never reads passwords. */
import type { Param, RawRow, Reader } from '../../store/base/database.js';
import { type CharacterSet, dialectOf } from '../../store/base/dialect.js';

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly active: boolean;
  readonly blocked: boolean;
  /** Unix seconds; 0 = not set. */
  readonly blockedUntil: number;
  /** Unix seconds; 0 = not set. */
  readonly blockedAfter: number;
}

/** Those of the users that exist. */
export async function readUsers(db: Reader, prefix: string, ids: readonly number[]): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  return selectUsers(db, prefix, { where: `u.\`id\` IN (${ids.map(() => '?').join(', ')})`, params: ids });
}

/** The user with exactly this name; null when there is none. `column` is how the name is stored. */
export async function readUserByName(
  db: Reader,
  prefix: string,
  { username, column }: { readonly username: string; readonly column: CharacterSet },
): Promise<UserRow | null> {
  const where = `u.\`username\` = ${dialectOf(db.dialect).candidateMark(column)}`;
  const found = await selectUsers(db, prefix, { where, params: [username] });
  // The CMS's collation disregards case and accents.
  return found.find((user) => user.username === username) ?? null;
}

/** A user without a profile cannot be blocked. */
async function selectUsers(
  db: Reader,
  prefix: string,
  { where, params }: { readonly where: string; readonly params: readonly Param[] },
): Promise<UserRow[]> {
  const rows = await db.select({
    sql: `SELECT u.\`id\`, u.\`username\`, u.\`active\`, a.\`blocked\`, a.\`blockeduntil\`, a.\`blockedafter\` FROM \`${prefix}users\` u LEFT JOIN \`${prefix}user_attributes\` a ON a.\`internalKey\` = u.\`id\` WHERE ${where}`,
    params,
  });
  return rows.map(decodeUser);
}

function decodeUser([id, username, active, blocked, blockedUntil, blockedAfter]: RawRow): UserRow {
  return {
    id: Number(id),
    username: String(username),
    active: Number(active) === 1,
    blocked: Number(blocked ?? 0) !== 0,
    blockedUntil: Number(blockedUntil ?? 0),
    blockedAfter: Number(blockedAfter ?? 0),
  };
}
