/**
 * What becomes of claimed rows of `hcd_webhook_deliveries`. Only who holds the claim may change them: those that were
 * received are changed where they have the claim, the others are locked and compared first.
 */
import type { Database, Param, Tx } from '../../store/base/database.js';
import { byIds, type DeliveryRow, idList, paddedLength } from '../models/deliveries.js';
import type { DecidingTime } from '../rules/deciding-time.js';
import type { ReadyDelivery } from './ready-queue.js';

/** What becomes of one row, by its next `status`; `visibleAt` is when it is due again, or when it failed. */
type SettledRow = Pick<DeliveryRow, 'id' | 'status' | 'visibleAt' | 'attempts' | 'lastStatus' | 'lastError'>;

interface LockQuestion {
  readonly claims: readonly Pick<DeliveryRow, 'id' | 'claim'>[];
  /** The SQL expression of the time that decides. */
  readonly time: string;
}

interface LockedClaims {
  /** Ids of those that are still held: no other worker has taken them over and none was cancelled. */
  readonly held: ReadonlySet<number>;
  /** The time that decides; null when none of the rows is claimed. */
  readonly now: number | null;
}

/** Locks the rows; what is held stays so until the transaction ends. */
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

/**
 * Finishes deliveries that were received under one claim, with what is kept of their attempts, by one statement. Gives the
 * ids of those that were still held, or finished by this before: the others stay as they are.
 */
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

/** An expression with the value of each id, NULL for others; of few different lengths, like the lists of ids. */
function valueOfEach(values: readonly (readonly [number, Param])[]): { sql: string; params: readonly Param[] } {
  const last = values.at(-1);
  if (last === undefined) return { sql: 'NULL', params: [] };
  const padded = [...values, ...Array.from({ length: paddedLength(values.length) - values.length }, () => last)];
  return { sql: `CASE \`id\`${' WHEN ? THEN ?'.repeat(padded.length)} END`, params: padded.flat() };
}

/** Ends one claim in its own way. It is held. */
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

/**
 * Makes claimed deliveries that were not sent due at once, as if they had not been claimed. What another worker has taken
 * over meanwhile stays as it is.
 */
export function giveBackUnsent(
  { own, time }: { readonly own: Database; readonly time: DecidingTime },
  unsent: readonly ReadyDelivery[],
): Promise<void> {
  const claims = unsent.map(({ delivery }) => delivery);
  const release = async (tx: Tx): Promise<void> => {
    const { held, now } = await lockHeld(tx, { claims, time: time(tx.dialect) });
    if (held.size === 0 || now === null) return;
    const { marks, params } = idList([...held]);
    await tx.run({
      sql: `UPDATE \`hcd_webhook_deliveries\`
        SET \`status\` = 'pending', \`visible_at\` = ?, \`attempts\` = \`attempts\` - 1, \`claim\` = '', \`claimed_by\` = ''
        WHERE \`id\` IN (${marks})`,
      params: [now, ...params],
    });
  };
  // Again when COMMIT was not answered: what is released already has another claim, or none.
  return own.write(release, { outcome: async () => undefined });
}
