/**
 * What becomes of claimed rows of `hcd_webhook_deliveries`. Only who holds the claim may change them: the rows are locked
 * and compared first, and then changed by few statements, however many there are.
 */
import type { Tx } from '../database.js';
import { byIds, idList } from './webhook-id-list.js';

export interface HeldClaim {
  readonly id: number;
  readonly claim: string;
}

/** What becomes of one row: the next state, told apart by `status`. */
export interface SettledRow {
  readonly id: number;
  readonly status: 'delivered' | 'failed' | 'pending';
  /** For `pending`: when it is due again. */
  readonly visibleAt: number;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly now: number;
}

export interface LockQuestion {
  readonly claims: readonly HeldClaim[];
  /** The SQL expression of the time that decides. */
  readonly time: string;
}

export interface LockedClaims {
  /** Ids of those that are still held: nobody else has taken them over and none was cancelled. */
  readonly held: ReadonlySet<number>;
  /** The time that decides; null when none of the rows is open. */
  readonly now: number | null;
}

/** Locks the rows; what is held stays so until the transaction ends. */
export async function lockHeld(tx: Tx, { claims, time }: LockQuestion): Promise<LockedClaims> {
  if (claims.length === 0) return { held: new Set(), now: null };
  const { marks, params } = idList(claims.map(({ id }) => id));
  const lock = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
  const rows = await tx.select({
    sql: `SELECT \`id\`, \`claim\`, ${time} FROM \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      WHERE \`id\` IN (${marks}) AND \`open\` = 1${lock}`,
    params,
  });
  const current = new Map(rows.map(([id, claim]) => [Number(id), claim]));
  return {
    held: new Set(claims.filter(({ id, claim }) => current.get(id) === claim).map(({ id }) => id)),
    now: rows[0] === undefined ? null : Number(rows[0][2]),
  };
}

/** Finishes deliveries that were received, all with the same status. They are held. */
export async function finishDelivered(
  tx: Tx,
  given: { readonly ids: readonly number[]; readonly lastStatus: number | null; readonly now: number },
): Promise<void> {
  const { marks, params } = idList(given.ids);
  await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`
      SET \`status\` = 'delivered', \`open\` = 0, \`visible_at\` = ?, \`last_status\` = ?, \`last_error\` = NULL, \`done_on\` = ?,
        \`claim\` = NULL, \`claimed_by\` = NULL
      WHERE \`id\` IN (${marks})`,
    params: [given.now, given.lastStatus, given.now, ...params],
  });
}

/** Ends one claim in its own way. It is held. */
export async function settleDelivery(tx: Tx, row: SettledRow): Promise<void> {
  const { id, status, visibleAt, attempts, lastStatus, lastError, now } = row;
  const isOpen = status === 'pending';
  await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`
      SET \`status\` = ?, \`open\` = ?, \`visible_at\` = ?, \`attempts\` = ?, \`last_status\` = ?, \`last_error\` = ?, \`done_on\` = ?,
        \`claim\` = NULL, \`claimed_by\` = NULL
      WHERE \`id\` = ?`,
    params: [status, isOpen ? 1 : 0, visibleAt, attempts, lastStatus, lastError, isOpen ? null : now, id],
  });
}

/** Makes claimed deliveries that were not sent due at once, as if nobody had claimed them; those that are held. */
export async function releaseDeliveries(tx: Tx, question: LockQuestion): Promise<void> {
  const { held, now } = await lockHeld(tx, question);
  if (held.size === 0 || now === null) return;
  const { marks, params } = idList([...held]);
  await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`
      SET \`status\` = 'pending', \`visible_at\` = ?, \`attempts\` = \`attempts\` - 1, \`claim\` = NULL, \`claimed_by\` = NULL
      WHERE \`id\` IN (${marks})`,
    params: [now, ...params],
  });
}
