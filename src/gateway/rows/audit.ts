/**
 * Rows of `hcd_audit`. When a request ended is written by the clock of the database, which also decides what is old.
 * Times are Unix milliseconds.
 */
import type { Param, RawRow, Reader, Statement, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

export interface NewAuditRow {
  readonly requestId: string;
  /** `api_key:<id>`, `access_token:<id>`, `session:<user id>` or `anonymous`. */
  readonly identity: string;
  readonly method: string;
  readonly path: string;
  /** Empty when what was asked for is no key of a context. */
  readonly context: string;
  readonly status: number;
  readonly durationMs: number;
  /** Milliseconds since the request ended. */
  readonly age: number;
}

export interface AuditRow extends Omit<NewAuditRow, 'age'> {
  readonly id: number;
  readonly createdOn: number;
}

/** What a list is narrowed to; null = not at all. */
export interface AuditFilter {
  /** Not before this time. */
  readonly since: number | null;
  /** One identity, or a kind of identity for all of that kind. */
  readonly identity: string | null;
  readonly method: string | null;
  /** First and last status. */
  readonly status: readonly [from: number, to: number] | null;
  readonly requestId: string | null;
}

const names = ['id', 'request_id', 'identity', 'method', 'path', 'context', 'status', 'duration_ms', 'created_on'];
const columns = names.map((name) => `\`${name}\``).join(', ');
const given = names.slice(1).map((name) => `\`${name}\``);
/** Rows of one statement: two texts of it are enough for every number of rows. */
const together = 16;
/** Milliseconds by which the clocks of two attempts may differ. */
const tolerance = 500;

export async function insertAuditRows(tx: Tx, rows: readonly NewAuditRow[]): Promise<void> {
  const left = [...rows];
  while (left.length > 0) await tx.run(insertion(tx, left.splice(0, left.length >= together ? together : 1)));
}

function insertion(tx: Tx, rows: readonly NewAuditRow[]): Statement {
  const places = `(?, ?, ?, ?, ?, ?, ?, ${nowMilliseconds(tx.dialect)} - ?)`;
  return {
    sql: `INSERT INTO \`hcd_audit\` (${given.join(', ')}) VALUES ${rows.map(() => places).join(', ')}`,
    params: rows.flatMap((row) => [
      row.requestId,
      row.identity,
      row.method,
      row.path,
      row.context,
      row.status,
      row.durationMs,
      row.age,
    ]),
  };
}

/**
 * Whether the row is there already, from a transaction whose end nobody heard of. Request ids may be the callers' own,
 * so the moment counts too: however late it is asked, a request ended when it ended.
 */
export async function hasAuditRow(reader: Reader, row: NewAuditRow): Promise<boolean> {
  const ended = `${nowMilliseconds(reader.dialect)} - ?`;
  const rows = await reader.select({
    sql: `SELECT 1 FROM \`hcd_audit\` WHERE \`request_id\` = ? AND \`identity\` = ? AND \`method\` = ? AND \`path\` = ? AND \`created_on\` BETWEEN ${ended} AND ${ended} LIMIT 1`,
    params: [row.requestId, row.identity, row.method, row.path, row.age + tolerance, row.age - tolerance],
  });
  return rows.length > 0;
}

/** The newest rows that fit, newest first. */
export async function readAuditRows(reader: Reader, filter: AuditFilter, limit: number): Promise<AuditRow[]> {
  const { condition, params } = conditionOf(filter);
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_audit\`${condition} ORDER BY \`created_on\` DESC, \`id\` DESC LIMIT ?`,
    params: [...params, limit],
    heavy: { over: 'hcd_audit' },
  });
  return rows.map(decodeAudit);
}

export async function countAuditRows(reader: Reader, filter: AuditFilter): Promise<number> {
  const { condition, params } = conditionOf(filter);
  const heavy = { over: 'hcd_audit' };
  const rows = await reader.select({ sql: `SELECT COUNT(*) FROM \`hcd_audit\`${condition}`, params, heavy });
  return Number(rows[0]?.[0] ?? 0);
}

/** Removes the oldest rows that are older than so many milliseconds, so many at most; gives how many there were. */
export async function removeOldAuditRows(
  tx: Tx,
  { olderThan, most }: { readonly olderThan: number; readonly most: number },
): Promise<number> {
  const cutoff = `${nowMilliseconds(tx.dialect)} - ?`;
  // The inner table makes MariaDB take a LIMIT here.
  const old = `SELECT \`id\` FROM (SELECT \`id\` FROM \`hcd_audit\` WHERE \`created_on\` < ${cutoff} ORDER BY \`created_on\`, \`id\` LIMIT ?) AS \`old\``;
  const sql = `DELETE FROM \`hcd_audit\` WHERE \`id\` IN (${old})`;
  return (await tx.run({ sql, params: [olderThan, most] })).changes;
}

/** How many rows are older than so many milliseconds. */
export async function countOldAuditRows(reader: Reader, olderThan: number): Promise<number> {
  const rows = await reader.select({
    sql: `SELECT COUNT(*) FROM \`hcd_audit\` WHERE \`created_on\` < ${nowMilliseconds(reader.dialect)} - ?`,
    params: [olderThan],
    heavy: { over: 'hcd_audit' },
  });
  return Number(rows[0]?.[0] ?? 0);
}

function conditionOf({ since, identity, method, status, requestId }: AuditFilter) {
  const parts: (readonly [sql: string, params: readonly Param[]])[] = [
    ...(since === null ? [] : [['`created_on` >= ?', [since]] as const]),
    ...(identity === null ? [] : [identityCondition(identity)]),
    ...(method === null ? [] : [['`method` = ?', [method]] as const]),
    ...(status === null ? [] : [['`status` BETWEEN ? AND ?', status] as const]),
    ...(requestId === null ? [] : [['`request_id` = ?', [requestId]] as const]),
  ];
  const condition = parts.length === 0 ? '' : ` WHERE ${parts.map(([sql]) => sql).join(' AND ')}`;
  return { condition, params: parts.flatMap(([, params]) => params) };
}

/** A kind is everything from `api_key:` to just before `api_key;`, so that the index serves it. */
function identityCondition(identity: string): readonly [sql: string, params: readonly Param[]] {
  if (identity === 'anonymous' || identity.includes(':')) return ['`identity` = ?', [identity]];
  return ['`identity` >= ? AND `identity` < ?', [`${identity}:`, `${identity};`]];
}

function decodeAudit(row: RawRow): AuditRow {
  const [id, requestId, identity, method, path, context, status, durationMs, createdOn] = row;
  return {
    id: Number(id),
    requestId: String(requestId),
    identity: String(identity),
    method: String(method),
    path: String(path),
    context: String(context),
    status: Number(status),
    durationMs: Number(durationMs),
    createdOn: Number(createdOn),
  };
}
