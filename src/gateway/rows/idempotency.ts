/**
 * Rows of `hcd_idempotency_keys`: which request has which key, and its answer once there is one. A request does not wait
 * for another that has its key. Times are Unix milliseconds by the clock of the database.
 */
import type { Param, RawRow, Reader, Statement, Tx } from '../../store/base/database.js';
import { classifyFailure, isLockTimeout } from '../../store/base/errors.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

/** An answer as it is kept: what is needed to send the same bytes again. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the answer has no body. */
  readonly body: string | null;
}

export interface IdempotencyRow {
  /** Random text of the request that put the row there. */
  readonly claim: string;
  readonly fingerprint: string;
  /** Null while the request has not been carried out. */
  readonly answer: KeptAnswer | null;
  readonly isExpired: boolean;
  readonly ageMs: number;
}

export interface IdempotencyReservation {
  /** Digest of caller, method, path and key. */
  readonly id: string;
  readonly claim: string;
  /** Digest of everything that a repeated request must have in common with the first. */
  readonly fingerprint: string;
  readonly actor: string;
  readonly key: string;
  readonly lifetimeMs: number;
}

/** What names a reservation, for its owner only. */
export type IdempotencyClaim = Pick<IdempotencyReservation, 'id' | 'claim'>;

/** `taken`: another transaction was first and is committed; `locked`: another one holds the row and may yet give it up. */
export type ReservationOutcome = 'reserved' | 'taken' | 'locked';

/** Rows stay for so long after their end, so that removing them meets no request that comes at the last moment. */
const graceMs = 60_000;

/** The row as it is committed; one read by the primary key. */
export function readIdempotencyKey(reader: Reader, id: string): Promise<IdempotencyRow | null> {
  return readRow(reader, { id, suffix: '' });
}

/** The row, after waiting for a transaction that may still write it. */
export function awaitIdempotencyKey(tx: Tx, id: string): Promise<IdempotencyRow | null> {
  return readRow(tx, { id, suffix: tx.dialect === 'mariadb' ? ' FOR UPDATE' : '' });
}

async function readRow(
  reader: Reader,
  { id, suffix }: { readonly id: string; readonly suffix: string },
): Promise<IdempotencyRow | null> {
  const columns = '`claim`, `fingerprint`, `status`, `headers`, `body`, `created_on`, `expires_on`';
  const rows = await reader.select({
    sql: `SELECT ${columns}, ${nowMilliseconds(reader.dialect)} FROM \`hcd_idempotency_keys\` WHERE \`id\` = ?${suffix}`,
    params: [id],
  });
  return rows[0] === undefined ? null : decode(rows[0]);
}

/** Adds the row of a request that has not been carried out. */
export function reserveIdempotencyKey(tx: Tx, reservation: IdempotencyReservation): Promise<ReservationOutcome> {
  const { id, claim, fingerprint, actor, key, lifetimeMs } = reservation;
  const now = nowMilliseconds(tx.dialect);
  const names = '`id`, `claim`, `fingerprint`, `actor`, `idempotency_key`, `created_on`, `expires_on`';
  const sql = `INSERT INTO \`hcd_idempotency_keys\` (${names}) VALUES (?, ?, ?, ?, ?, ${now}, ${now} + ?)`;
  return reserve(tx, { sql, params: [id, claim, fingerprint, actor, key, lifetimeMs] }, 0);
}

/** Puts the request into the place of one whose row has expired. */
export function replaceExpiredIdempotencyKey(tx: Tx, reservation: IdempotencyReservation): Promise<ReservationOutcome> {
  const { id, claim, fingerprint, lifetimeMs } = reservation;
  const now = nowMilliseconds(tx.dialect);
  const changes = `\`claim\` = ?, \`fingerprint\` = ?, \`status\` = NULL, \`headers\` = NULL, \`body\` = NULL, \`created_on\` = ${now}`;
  // `expires_on` last: MariaDB uses values that were assigned further left.
  const sql = `UPDATE \`hcd_idempotency_keys\` SET ${changes}, \`expires_on\` = ${now} + ? WHERE \`id\` = ? AND \`expires_on\` <= ${now}`;
  // Whoever removes expired rows holds it for a moment, and must not look like a request under way.
  return reserve(tx, { sql, params: [claim, fingerprint, lifetimeMs, id] }, 1);
}

/** On SQLite a writer is alone, so nobody can be in the way. `seconds` is how long another transaction is waited for. */
async function reserve(tx: Tx, { sql, params }: Statement, seconds: 0 | 1): Promise<ReservationOutcome> {
  // MySQL cannot set the time for one statement: there a request waits as long as for any other lock.
  const limit = `/*M!100300 SET STATEMENT innodb_lock_wait_timeout = ${seconds} FOR */ `;
  try {
    return (await tx.run({ sql: tx.dialect === 'mariadb' ? limit + sql : sql, params })).changes > 0
      ? 'reserved'
      : 'taken';
  } catch (error) {
    if (classifyFailure(error) === 'conflict') return 'taken';
    if (isLockTimeout(error)) return 'locked';
    throw error;
  }
}

/**
 * Adds the answer to the reservation. Nothing happens when the reservation ended meanwhile and another request has the
 * row: its answer is the one that counts then.
 */
export async function completeIdempotencyKey(tx: Tx, reserved: IdempotencyClaim, answer: KeptAnswer): Promise<void> {
  const params: Param[] = [answer.status, JSON.stringify(answer.headers), answer.body, reserved.id, reserved.claim];
  await tx.run({
    sql: 'UPDATE `hcd_idempotency_keys` SET `status` = ?, `headers` = ?, `body` = ? WHERE `id` = ? AND `claim` = ?',
    params,
  });
}

/** Takes a reservation back; one that has an answer stays. */
export async function releaseIdempotencyKey(tx: Tx, { id, claim }: IdempotencyClaim): Promise<void> {
  await tx.run({
    sql: 'DELETE FROM `hcd_idempotency_keys` WHERE `id` = ? AND `claim` = ? AND `status` IS NULL',
    params: [id, claim],
  });
}

/** Removes rows that expired more than a minute ago, so many at most; gives how many there were. */
export async function removeExpiredIdempotencyKeys(tx: Tx, limit: number): Promise<number> {
  const ended = `\`expires_on\` <= ${nowMilliseconds(tx.dialect)} - ${graceMs}`;
  // The inner table makes MariaDB take a LIMIT here. Asked again outside: the key may have been used anew meanwhile.
  const old = `SELECT \`id\` FROM (SELECT \`id\` FROM \`hcd_idempotency_keys\` WHERE ${ended} LIMIT ?) AS \`old\``;
  const sql = `DELETE FROM \`hcd_idempotency_keys\` WHERE \`id\` IN (${old}) AND ${ended}`;
  return (await tx.run({ sql, params: [limit] })).changes;
}

function decode(row: RawRow): IdempotencyRow {
  const [claim, fingerprint, status, headers, body, createdOn, expiresOn, now] = row;
  const answer =
    status === null || status === undefined
      ? null
      : {
          status: Number(status),
          headers: decodeHeaders(String(headers)),
          body: body === null || body === undefined ? null : String(body),
        };
  return {
    claim: String(claim),
    fingerprint: String(fingerprint),
    answer,
    isExpired: Number(expiresOn) <= Number(now),
    ageMs: Number(now) - Number(createdOn),
  };
}

function decodeHeaders(text: string): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, header]) => [name, String(header)]));
}
