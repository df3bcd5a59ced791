/** Requests with a key and their answers. Times are Unix milliseconds by the clock of the database. */
import { Op } from 'sequelize';
import type { Param, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/base/dialect.js';
import { classifyFailure, isLockTimeout } from '../../store/base/errors.js';
import { fromNow, integer, json, key, named, orNull, readTime, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { isJsonObject } from '../../values/json.js';

export const idempotencyKeys = defineModel('hcd_idempotency_keys', {
  /** Digest of caller, method, path and key. */
  id: key(text(64)),
  claim: text(32),
  /** Digest of everything that a repetition shares with the first request. */
  fingerprint: text(64),
  actor: text(190),
  key: named('idempotency_key', text(128)),
  status: orNull(integer()),
  headers: orNull(json(readHeaders)),
  body: orNull(text()),
  createdOn: time(),
  expiresOn: time(),
  readOn: readTime(),
});

export type IdempotencyRow = RowOf<typeof idempotencyKeys>;

export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface IdempotencyReservation extends Pick<IdempotencyRow, 'id' | 'claim' | 'fingerprint' | 'actor' | 'key'> {
  readonly lifetimeMs: number;
}

/** `taken`: another transaction committed first; `locked`: another one holds the row and may still release it. */
type ReservationOutcome = 'reserved' | 'taken' | 'locked';

/** A request at the last moment never meets the removal of its row. */
const graceMs = 60_000;

/** Waits for a transaction that may still write the row. */
export async function awaitIdempotencyKey(tx: Tx, id: string): Promise<IdempotencyRow | null> {
  return (await idempotencyKeys.on(tx).lookUpAll({ id }, { lock: true }))[0] ?? null;
}

export function keptAnswer({ status, headers, body }: IdempotencyRow): KeptAnswer | null {
  return status === null ? null : { status, headers: headers ?? {}, body };
}

export async function reserveIdempotencyKey(
  tx: Tx,
  { id, claim, fingerprint, actor, key, lifetimeMs }: IdempotencyReservation,
  over: IdempotencyRow | null,
): Promise<ReservationOutcome> {
  const now = nowMilliseconds(tx.dialect);
  if (over === null) {
    const names = '`id`, `claim`, `fingerprint`, `actor`, `idempotency_key`, `created_on`, `expires_on`';
    const sql = `INSERT INTO \`hcd_idempotency_keys\` (${names}) VALUES (?, ?, ?, ?, ?, ${now}, ${now} + ?)`;
    return reserve(tx, { sql, params: [id, claim, fingerprint, actor, key, lifetimeMs], seconds: 0 });
  }
  const changes = `\`claim\` = ?, \`fingerprint\` = ?, \`status\` = NULL, \`headers\` = NULL, \`body\` = NULL, \`created_on\` = ${now}`;
  // `expires_on` last: MariaDB uses values that were assigned further left.
  const sql = `UPDATE \`hcd_idempotency_keys\` SET ${changes}, \`expires_on\` = ${now} + ? WHERE \`id\` = ? AND \`expires_on\` <= ${now}`;
  // The removal of expired rows holds the row for a moment, and must not look like a request under way.
  return reserve(tx, { sql, params: [claim, fingerprint, lifetimeMs, id], seconds: 1 });
}

interface Reserving {
  readonly sql: string;
  readonly params: readonly Param[];
  /** How long to wait for another transaction. On SQLite a writer is alone. */
  readonly seconds: 0 | 1;
}

async function reserve(tx: Tx, { sql, params, seconds }: Reserving): Promise<ReservationOutcome> {
  // MySQL cannot set the time for one statement: there a request waits as long as for any other lock.
  const limit = `/*M!100300 SET STATEMENT innodb_lock_wait_timeout = ${seconds} FOR */ `;
  try {
    const { changes } = await tx.run({ sql: tx.dialect === 'mariadb' ? limit + sql : sql, params });
    return changes > 0 ? 'reserved' : 'taken';
  } catch (error) {
    if (classifyFailure(error) === 'conflict') return 'taken';
    if (isLockTimeout(error)) return 'locked';
    throw error;
  }
}

export function removeExpiredIdempotencyKeys(tx: Tx, limit: number): Promise<number> {
  return idempotencyKeys.on(tx).destroy({ where: { expiresOn: { [Op.lte]: fromNow(tx, -graceMs) } }, limit });
}

function readHeaders(value: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, header]) => [name, String(header)]));
}
