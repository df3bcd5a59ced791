/** Changes rows of claimed deliveries. Only the holder of the claim may change them. */
import type { Param, Tx } from '../../store/base/database.js';
import { byIds, type DeliveryRow, idList, paddedLength } from '../models/deliveries.js';

/** `visibleAt` is when it is due again, or when it failed. */
type SettledRow = Pick<DeliveryRow, 'id' | 'status' | 'visibleAt' | 'attempts' | 'lastStatus' | 'lastError'>;

interface LockQuestion {
  readonly claims: readonly Pick<DeliveryRow, 'id' | 'claim'>[];
  /** The SQL expression of the time that decides. */
  readonly time: string;
}

interface LockedClaims {
  /** No other worker has taken them over and none was cancelled. */
  readonly held: ReadonlySet<number>;
  /** The time that decides; null when none of the rows is claimed. */
  readonly now: number | null;
}

/** What is held stays so until the transaction ends. */
export async function lockHeld(tx: Tx, { claims, time }: LockQuestion): Promise<LockedClaims> {
  if (claims.length === 0) return { held: new Set(), now: null };
  const { marks, params } = idList(claims.map(({ id }) => id));
  const lock = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
  const rows = await tx.select({
    sql: `SELECT \`id\`, \`claim\`, ${time} FROM \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      WHERE \`id\` IN (${marks}) AND \`status\` = 'delivering'${lock}`,
    params,
  });
  const current = new Map(rows.map(([id, claim]) => [Number(id), claim]));
  return {
    held: new Set(claims.filter(({ id, claim }) => current.get(id) === claim).map(({ id }) => id)),
    now: rows[0] === undefined ? null : Number(rows[0][2]),
  };
}

interface ReceivedRows {
  readonly rows: readonly Pick<DeliveryRow, 'id' | 'tookMs' | 'answer'>[];
  readonly claim: string;
  readonly lastStatus: number | null;
  /** The SQL expression of the time that decides. */
  readonly time: string;
}

/** Returns ids that were still held, or that this call had finished before; the others stay as they are. */
export async function finishReceived(tx: Tx, { rows, claim, lastStatus, time }: ReceivedRows): Promise<number[]> {
  const ids = rows.map(({ id }) => id);
  const { marks, params } = idList(ids);
  const answers = rows.filter(({ answer }) => answer !== null);
  const took = valueOfEach(rows.map(({ id, tookMs }) => [id, tookMs]));
  const answer = valueOfEach(answers.map((row) => [row.id, row.answer]));
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      SET \`status\` = 'delivered', \`visible_at\` = ${time}, \`claimed_by\` = '', \`last_status\` = ?,
        \`last_error\` = NULL, \`took_ms\` = ${took.sql}, \`answer\` = ${answer.sql}
      WHERE \`id\` IN (${marks}) AND \`claim\` = ? AND \`status\` = 'delivering'`,
    params: [lastStatus ?? 0, ...took.params, ...answer.params, ...params, claim],
  });
  if (changes === ids.length) return ids;
  const kept = await tx.select({
    sql: `SELECT \`id\` FROM \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      WHERE \`id\` IN (${marks}) AND \`claim\` = ? AND \`status\` = 'delivered'`,
    params: [...params, claim],
  });
  return kept.map(([id]) => Number(id));
}

/** NULL for other ids; padded like the lists of ids. */
function valueOfEach(values: readonly (readonly [number, Param])[]): { sql: string; params: readonly Param[] } {
  const last = values.at(-1);
  if (last === undefined) return { sql: 'NULL', params: [] };
  const padded = [...values, ...Array.from({ length: paddedLength(values.length) - values.length }, () => last)];
  return { sql: `CASE \`id\`${' WHEN ? THEN ?'.repeat(padded.length)} END`, params: padded.flat() };
}

/** The claim must be held. */
export async function settleDelivery(tx: Tx, row: SettledRow): Promise<void> {
  const { id, status, visibleAt, attempts, lastStatus, lastError } = row;
  await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`
      SET \`status\` = ?, \`visible_at\` = ?, \`attempts\` = ?, \`last_status\` = ?, \`last_error\` = ?,
        \`claim\` = '', \`claimed_by\` = ''
      WHERE \`id\` = ?`,
    params: [status, visibleAt, attempts, lastStatus ?? 0, lastError, id],
  });
}
