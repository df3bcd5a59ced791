/**
 * Passwords of the content system's users as they are stored, and what a log-in writes
 * (docs/users.md#how-passwords-are-kept).
 */
import type { Reader, Tx } from '../../store/base/database.js';
import { type CharacterSet, dialectOf } from '../../store/base/dialect.js';

export interface PasswordRow {
  readonly id: number;
  readonly username: string;
  readonly hash: string;
  readonly hashClass: string;
  readonly salt: string;
}

/** The password of the user with exactly this name; null when there is none. `column` is how the name is stored. */
export async function readPassword(
  db: Reader,
  prefix: string,
  { username, column }: { readonly username: string; readonly column: CharacterSet },
): Promise<PasswordRow | null> {
  const rows = await db.select({
    sql: `SELECT \`id\`, \`username\`, \`password\`, \`hash_class\`, \`salt\` FROM \`${prefix}users\` WHERE \`username\` = ${dialectOf(db.dialect).candidateMark(column)}`,
    params: [username],
  });
  // The CMS's collation disregards case and accents.
  const row = rows.find((one) => one[1] === username);
  if (row === undefined) return null;
  const [id, name, hash, hashClass, salt] = row;
  return {
    id: Number(id),
    username: String(name),
    hash: String(hash),
    hashClass: String(hashClass),
    salt: String(salt),
  };
}

/** The hash of one user; null when there is no such user. */
export async function readPasswordHash(db: Reader, prefix: string, userId: number): Promise<string | null> {
  return (await readPasswordHashes(db, prefix, [userId])).get(userId) ?? null;
}

/** The hashes of those of the users that exist, by id. */
export async function readPasswordHashes(
  db: Reader,
  prefix: string,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (userIds.length === 0) return new Map();
  const sql = `SELECT \`id\`, \`password\` FROM \`${prefix}users\` WHERE \`id\` IN (${userIds.map(() => '?').join(', ')})`;
  const rows = await db.select({ sql, params: userIds });
  return new Map(rows.map(([id, hash]) => [Number(id), String(hash)]));
}

/** Beginnings of the hashes of slow schemes, up to their salts: one for each cost that there is. */
export async function readSlowHashHeads(db: Reader, prefix: string): Promise<string[]> {
  // A bcrypt hash has 60 characters. The 17th of an argon2 hash stands within its cost, which ends with the next `$`.
  const argon2 = "SUBSTR(`password`, 1, 15 + INSTR(SUBSTR(`password`, 17), '$'))";
  const rows = await db.select({
    sql: `SELECT DISTINCT CASE WHEN \`password\` LIKE '$2%' THEN SUBSTR(\`password\`, 1, 6) ELSE ${argon2} END FROM \`${prefix}users\` WHERE (\`password\` LIKE '$2%' AND LENGTH(\`password\`) = 60) OR \`password\` LIKE '$argon2%'`,
    params: [],
    heavy: true,
  });
  return rows.map(([head]) => String(head));
}

export interface NewPassword {
  readonly userId: number;
  readonly hash: string;
  readonly hashClass: string;
}

/** Gives a user another password; one that waits for confirmation is forgotten. */
export async function replacePassword(tx: Tx, prefix: string, { userId, hash, hashClass }: NewPassword): Promise<void> {
  await tx.run({
    sql: `UPDATE \`${prefix}users\` SET \`password\` = ?, \`hash_class\` = ?, \`salt\` = '', \`cachepwd\` = '' WHERE \`id\` = ?`,
    params: [hash, hashClass, userId],
  });
}

interface Moment {
  readonly userId: number;
  /** Unix seconds. */
  readonly at: number;
}

/** Notes a log-in in the profile as the CMS does. */
export async function noteLogIn(tx: Tx, prefix: string, { userId, at }: Moment): Promise<void> {
  await tx.run({
    sql: `UPDATE \`${prefix}user_attributes\` SET \`logincount\` = \`logincount\` + 1, \`lastlogin\` = \`thislogin\`, \`thislogin\` = ?, \`failedlogincount\` = 0 WHERE \`internalKey\` = ?`,
    params: [at, userId],
  });
}

/** Ends a block whose time has passed, as the CMS does at the next attempt. */
export async function endPassedBlock(tx: Tx, prefix: string, { userId, at }: Moment): Promise<void> {
  await tx.run({
    sql: `UPDATE \`${prefix}user_attributes\` SET \`blocked\` = 0, \`blockeduntil\` = 0 WHERE \`internalKey\` = ? AND \`blocked\` = 1 AND \`blockeduntil\` > 0 AND \`blockeduntil\` < ?`,
    params: [userId, at],
  });
}
