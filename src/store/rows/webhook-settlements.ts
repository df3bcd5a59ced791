/**
 * What becomes of claimed rows of `hcd_webhook_deliveries`. Only who holds the claim may change them: the rows are locked
 * and compared first, and then changed by few statements, however many there are.
 */
import type { Tx } from '../database.js';
import { dialectOf } from '../dialect.js';
import { idList } from './webhook-id-list.js';

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

/**
 * Locks the rows and gives the ids of those that are still held: nobody else has taken them over and none was cancelled.
 * They stay so until the transaction ends.
 */
export async function lockHeld(tx: Tx, claims: readonly HeldClaim[]): Promise<ReadonlySet<number>> {
  if (claims.length === 0) return new Set();
  const { marks, params } = idList(claims.map(({ id }) => id));
  // A locking walk over a small table would wait for rows of other workers, and they for ours.
  const hint = dialectOf(tx.dialect).orderHint('PRIMARY');
  const lock = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
  const rows = await tx.select({
    sql: `SELECT \`id\`, \`claim\` FROM \`hcd_webhook_deliveries\`${hint}
      WHERE \`id\` IN (${marks}) AND \`open\` = 1${lock}`,
    params,
  });
  const current = new Map(rows.map(([id, claim]) => [Number(id), claim]));
  return new Set(claims.filter(({ id, claim }) => current.get(id) === claim).map(({ id }) => id));
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
export async function releaseDeliveries(
  tx: Tx,
  { claims, now }: { readonly claims: readonly HeldClaim[]; readonly now: number },
): Promise<void> {
  const held = await lockHeld(tx, claims);
  if (held.size === 0) return;
  const { marks, params } = idList([...held]);
  await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`
      SET \`status\` = 'pending', \`visible_at\` = ?, \`attempts\` = \`attempts\` - 1, \`claim\` = NULL, \`claimed_by\` = NULL
      WHERE \`id\` IN (${marks})`,
    params: [now, ...params],
  });
}
