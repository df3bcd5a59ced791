/**
 * Rows of `hcd_sessions`. Ids are never in them, only digests. Times are Unix milliseconds by the clock of the database,
 * which alone decides whether a session has ended: machines may disagree about the time.
 */
import type { Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

export interface SessionRow {
  readonly userId: number;
  /** Of the password that the log-in was made with. */
  readonly passwordMark: string;
  /** Since the last use that was noted. */
  readonly idleMs: number;
  /** Until it ends unless it is used before. */
  readonly leftMs: number;
  readonly expiresOn: number;
}

/** Milliseconds that a session lives. */
export interface SessionLife {
  /** Without a use. */
  readonly idleMs: number;
  /** At most, however much it is used. */
  readonly totalMs: number;
}

export async function insertSession(
  tx: Tx,
  session: Pick<SessionRow, 'userId' | 'passwordMark'> & { readonly idHash: string; readonly life: SessionLife },
): Promise<void> {
  const now = nowMilliseconds(tx.dialect);
  const { idleMs, totalMs } = session.life;
  await tx.run({
    sql: `INSERT INTO \`hcd_sessions\` (\`id_hash\`, \`user_id\`, \`password_mark\`, \`created_on\`, \`last_seen_on\`, \`expires_on\`, \`ends_on\`) VALUES (?, ?, ?, ${now}, ${now}, ${now} + ?, ${now} + ?)`,
    params: [session.idHash, session.userId, session.passwordMark, Math.min(idleMs, totalMs), totalMs],
  });
}

/** One read by the primary key; null when there is no such session or it has ended. */
export async function readSession(reader: Reader, idHash: string): Promise<SessionRow | null> {
  const now = nowMilliseconds(reader.dialect);
  const rows = await reader.select({
    sql: `SELECT \`user_id\`, \`last_seen_on\`, \`expires_on\`, ${now}, \`password_mark\` FROM \`hcd_sessions\` WHERE \`id_hash\` = ? AND \`expires_on\` > ${now}`,
    params: [idHash],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const [userId, lastSeenOn, expiresOn, readOn] = row.slice(0, 4).map(Number);
  if (userId === undefined || lastSeenOn === undefined || expiresOn === undefined || readOn === undefined) return null;
  const passwordMark = String(row[4]);
  return { userId, passwordMark, idleMs: readOn - lastSeenOn, leftMs: expiresOn - readOn, expiresOn };
}

/** Puts off the end of sessions that were used and have not ended, unless a use of the last `intervalMs` stands there. */
export async function noteSessionUses(
  tx: Tx,
  { idHashes, idleMs, intervalMs }: { idHashes: readonly string[]; idleMs: number; intervalMs: number },
): Promise<void> {
  if (idHashes.length === 0) return;
  const now = nowMilliseconds(tx.dialect);
  const least = tx.dialect === 'mariadb' ? 'LEAST' : 'MIN';
  await tx.run({
    sql: `UPDATE \`hcd_sessions\` SET \`last_seen_on\` = ${now}, \`expires_on\` = ${least}(\`ends_on\`, ${now} + ?) WHERE \`id_hash\` IN (${idHashes.map(() => '?').join(', ')}) AND \`last_seen_on\` <= ${now} - ? AND \`expires_on\` > ${now}`,
    params: [idleMs, ...idHashes, intervalMs],
  });
}

/** Ends one session; nothing happens when it is not there. */
export async function removeSession(tx: Tx, idHash: string): Promise<void> {
  await tx.run({ sql: 'DELETE FROM `hcd_sessions` WHERE `id_hash` = ?', params: [idHash] });
}

/** Ends all sessions of a user; gives how many. */
export async function removeSessionsOfUser(tx: Tx, userId: number): Promise<number> {
  return (await tx.run({ sql: 'DELETE FROM `hcd_sessions` WHERE `user_id` = ?', params: [userId] })).changes;
}

/** Removes sessions that have ended, so many at most; gives how many there were. */
export async function removeEndedSessions(tx: Tx, limit: number): Promise<number> {
  const now = nowMilliseconds(tx.dialect);
  // The inner table makes MariaDB take a LIMIT here. Asked again outside: a use may have put off the end meanwhile.
  const ended = `SELECT \`id_hash\` FROM (SELECT \`id_hash\` FROM \`hcd_sessions\` WHERE \`expires_on\` <= ${now} ORDER BY \`expires_on\` LIMIT ?) AS \`old\``;
  const sql = `DELETE FROM \`hcd_sessions\` WHERE \`id_hash\` IN (${ended}) AND \`expires_on\` <= ${now}`;
  return (await tx.run({ sql, params: [limit] })).changes;
}
