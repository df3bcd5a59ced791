/**
 * Rows of `hcd_webhook_deliveries` as people look at them and change them: single ones, queueing again, cancelling,
 * removing old ones; lists are in webhook-delivery-pages. Times are Unix milliseconds.
 */
import type { RawRow, RawValue, Reader, Tx } from '../database.js';
import { nowMilliseconds } from '../ledger.js';
import { byIds } from './webhook-id-list.js';
import { currentSecrets } from './webhook-queue.js';

export const deliveryStatuses = ['pending', 'delivering', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface DeliveryRow {
  readonly id: number;
  readonly subscriptionId: number;
  readonly eventId: string;
  readonly event: string;
  readonly revision: number;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Next attempt, or end of the lease while it is being delivered; null when it is finished. */
  readonly visibleAt: number | null;
  readonly claimedBy: string | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly createdOn: number;
  readonly doneOn: number | null;
}

export const deliveryColumns = [
  'id',
  'subscription_id',
  'event_id',
  'event',
  'revision',
  'url',
  'status',
  'open',
  'visible_at',
  'attempts',
  'claimed_by',
  'last_status',
  'last_error',
  'created_on',
  'done_on',
]
  .map((name) => `\`${name}\``)
  .join(', ');

/** Null when there is no such delivery. */
export async function readDelivery(reader: Reader, id: number): Promise<DeliveryRow | null> {
  const rows = await reader.select({
    sql: `SELECT ${deliveryColumns} FROM \`hcd_webhook_deliveries\` WHERE \`id\` = ?`,
    params: [id],
  });
  return rows[0] === undefined ? null : decodeDelivery(rows[0]);
}

/** The id of the delivery of an event to a subscription; null when it was not queued. */
export async function findDelivery(
  reader: Reader,
  { subscriptionId, eventId }: { readonly subscriptionId: number; readonly eventId: string },
): Promise<number | null> {
  const rows = await reader.select({
    sql: 'SELECT `id` FROM `hcd_webhook_deliveries` WHERE `subscription_id` = ? AND `event_id` = ?',
    params: [subscriptionId, eventId],
  });
  return rows[0] === undefined ? null : Number(rows[0][0]);
}

/** The exact text that is delivered. */
export async function readDeliveryBody(reader: Reader, id: number): Promise<string | null> {
  const rows = await reader.select({ sql: 'SELECT `body` FROM `hcd_webhook_deliveries` WHERE `id` = ?', params: [id] });
  return rows[0] === undefined ? null : String(rows[0][0]);
}

/** Open deliveries of each subscription that there is. */
export async function countOpenDeliveries(reader: Reader): Promise<ReadonlyMap<number, number>> {
  const rows = await reader.select({
    sql: `SELECT \`s\`.\`id\`, (SELECT COUNT(*) FROM \`hcd_webhook_deliveries\` \`d\` WHERE \`d\`.\`subscription_id\` = \`s\`.\`id\` AND \`d\`.\`open\` = 1)
      FROM \`hcd_webhook_subscriptions\` \`s\``,
    params: [],
    heavy: true,
  });
  return new Map(rows.map(([id, count]) => [Number(id), Number(count)]));
}

/** How many deliveries were finished before this time. */
export async function countDoneDeliveries(reader: Reader, before: number): Promise<number> {
  const sql = 'SELECT COUNT(*) FROM `hcd_webhook_deliveries` WHERE `done_on` < ?';
  return Number((await reader.select({ sql, params: [before], heavy: true }))[0]?.[0]);
}

/**
 * Queues finished deliveries anew, with the address and secrets that their subscriptions have now; those of inactive or
 * removed subscriptions stay as they are. Gives how many were queued.
 */
export async function requeueDeliveries(tx: Tx, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const ofSubscription = (what: string) =>
    `(SELECT ${what} FROM \`hcd_webhook_subscriptions\` \`s\` WHERE \`s\`.\`id\` = \`hcd_webhook_deliveries\`.\`subscription_id\` AND \`s\`.\`active\` = 1)`;
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`${byIds(tx.dialect)} SET \`open\` = 1, \`status\` = 'pending', \`attempts\` = 0, \`visible_at\` = ${nowMilliseconds(tx.dialect)},
        \`url\` = ${ofSubscription('`s`.`url`')}, \`secrets\` = ${ofSubscription(currentSecrets(tx.dialect, 's'))},
        \`claim\` = NULL, \`claimed_by\` = NULL, \`last_status\` = NULL, \`last_error\` = NULL, \`done_on\` = NULL
      WHERE \`id\` IN (${ids.map(() => '?').join(', ')}) AND \`open\` = 0 AND EXISTS ${ofSubscription('1')}`,
    params: [...ids],
  });
  return changes;
}

/** Makes a waiting delivery due now; false when it is being delivered or finished. */
export async function hastenDelivery(tx: Tx, id: number): Promise<boolean> {
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\` SET \`visible_at\` = ${nowMilliseconds(tx.dialect)} - 1
      WHERE \`id\` = ? AND \`open\` = 1 AND \`status\` = 'pending'`,
    params: [id],
  });
  return changes > 0;
}

/** Cancels open deliveries of a subscription, so many at most; one under way too, whose outcome then changes nothing. */
export async function cancelDeliveries(
  tx: Tx,
  {
    subscriptionId,
    reason,
    limit,
  }: { readonly subscriptionId: number; readonly reason: string; readonly limit: number },
): Promise<number> {
  const found = await tx.select({
    sql: 'SELECT `id` FROM `hcd_webhook_deliveries` WHERE `subscription_id` = ? AND `open` = 1 ORDER BY `visible_at`, `id` LIMIT ?',
    params: [subscriptionId, limit],
  });
  if (found.length === 0) return 0;
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`${byIds(tx.dialect)} SET \`open\` = 0, \`status\` = 'cancelled', \`claim\` = NULL, \`claimed_by\` = NULL,
        \`last_error\` = COALESCE(\`last_error\`, ?), \`done_on\` = ${nowMilliseconds(tx.dialect)}
      WHERE \`id\` IN (${found.map(() => '?').join(', ')}) AND \`open\` = 1`,
    params: [reason, ...found.map(([id]) => Number(id))],
  });
  return changes;
}

/** Subscriptions that are inactive or gone and still have open deliveries. */
export async function readStrayReceivers(reader: Reader): Promise<number[]> {
  const strays: number[] = [];
  let after = -1;
  for (;;) {
    // From one subscription to the next along the index, whatever lies between.
    const [next] = await reader.select({
      sql: `SELECT MIN(\`subscription_id\`) FROM \`hcd_webhook_deliveries\` WHERE \`open\` = 1 AND \`subscription_id\` > ?`,
      params: [after],
    });
    if (next?.[0] === null || next?.[0] === undefined) return strays;
    after = Number(next[0]);
    const active = await reader.select({
      sql: 'SELECT 1 FROM `hcd_webhook_subscriptions` WHERE `id` = ? AND `active` = 1',
      params: [after],
    });
    if (active.length === 0) strays.push(after);
  }
}

/** Removes finished deliveries with their attempts, so many at most; gives how many there were. */
export async function removeDoneDeliveries(
  tx: Tx,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  const found = await tx.select({
    sql: 'SELECT `id` FROM `hcd_webhook_deliveries` WHERE `done_on` < ? ORDER BY `done_on` LIMIT ?',
    params: [before, limit],
  });
  if (found.length === 0) return 0;
  const ids = found.map(([id]) => Number(id));
  const marks = ids.map(() => '?').join(', ');
  await tx.run({ sql: `DELETE FROM \`hcd_webhook_attempts\` WHERE \`delivery_id\` IN (${marks})`, params: ids });
  const { changes } = await tx.run({
    sql: `DELETE FROM \`hcd_webhook_deliveries\` WHERE \`id\` IN (${marks}) AND \`done_on\` < ?`,
    params: [...ids, before],
  });
  return changes;
}

/** Of the columns in `deliveryColumns`. */
export function decodeDelivery(row: RawRow): DeliveryRow {
  const [id, subscriptionId, eventId, event, revision, url, status, open, visibleAt, attempts, ...rest] = row;
  const [claimedBy, lastStatus, lastError, createdOn, doneOn] = rest;
  return {
    id: Number(id),
    subscriptionId: Number(subscriptionId),
    eventId: String(eventId),
    event: String(event),
    revision: Number(revision),
    url: String(url),
    status: decodeStatus(String(status)),
    attempts: Number(attempts),
    visibleAt: Number(open) === 1 ? toNumber(visibleAt) : null,
    claimedBy: toText(claimedBy),
    lastStatus: toNumber(lastStatus),
    lastError: toText(lastError),
    createdOn: Number(createdOn),
    doneOn: toNumber(doneOn),
  };
}

/** Nothing else is ever written; text that somebody put there by hand shows as given up. */
function decodeStatus(text: string): DeliveryStatus {
  return deliveryStatuses.find((status) => status === text) ?? 'failed';
}

function toText(value: RawValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function toNumber(value: RawValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
