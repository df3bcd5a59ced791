/**
 * Rows of `hcd_webhook_deliveries` as people look at them and change them: single ones, queueing again, cancelling,
 * removing old ones; lists are in webhook-delivery-pages. Times are Unix milliseconds.
 */
import type { RawRow, RawValue, Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';
import { keepSuccesses } from './webhook-attempts.js';
import { byIds } from './webhook-id-list.js';
import { currentSecrets } from './webhook-queue.js';
import { type DeliveryStatus, deliveryStatuses, doneStatuses, isOpen, openStatuses } from './webhook-statuses.js';

export type { DeliveryStatus } from './webhook-statuses.js';
export { deliveryStatuses } from './webhook-statuses.js';

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
  'visible_at',
  'attempts',
  'claimed_by',
  'last_status',
  'last_error',
  'created_on',
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
    sql: `SELECT \`s\`.\`id\`, (SELECT COUNT(*) FROM \`hcd_webhook_deliveries\` \`d\` WHERE \`d\`.\`subscription_id\` = \`s\`.\`id\` AND ${isOpen})
      FROM \`hcd_webhook_subscriptions\` \`s\``,
    params: [],
    heavy: true,
  });
  return new Map(rows.map(([id, count]) => [Number(id), Number(count)]));
}

/** How many deliveries were finished before this time. */
export async function countDoneDeliveries(reader: Reader, before: number): Promise<number> {
  const sql =
    'SELECT COUNT(*) FROM `hcd_webhook_deliveries` WHERE `status` = ? AND `subscription_id` = ? AND `visible_at` < ?';
  let sum = 0;
  for (const status of doneStatuses) {
    for await (const receiver of receiversWith(reader, status)) {
      sum += Number((await reader.select({ sql, params: [status, receiver, before], heavy: true }))[0]?.[0]);
    }
  }
  return sum;
}

/**
 * Queues finished deliveries anew, with the address and secrets that their subscriptions have now; those of inactive or
 * removed subscriptions stay as they are. Gives how many were queued.
 */
export async function requeueDeliveries(tx: Tx, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  await keepSuccesses(tx, ids);
  const ofSubscription = (what: string) =>
    `(SELECT ${what} FROM \`hcd_webhook_subscriptions\` \`s\` WHERE \`s\`.\`id\` = \`hcd_webhook_deliveries\`.\`subscription_id\` AND \`s\`.\`active\` = 1)`;
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`${byIds(tx.dialect)} SET \`status\` = 'pending', \`attempts\` = 0, \`visible_at\` = ${nowMilliseconds(tx.dialect)},
        \`url\` = ${ofSubscription('`s`.`url`')}, \`secrets\` = ${ofSubscription(currentSecrets(tx.dialect, 's'))},
        \`claim\` = '', \`claimed_by\` = '', \`last_status\` = 0, \`last_error\` = NULL, \`answer\` = NULL, \`took_ms\` = 0
      WHERE \`id\` IN (${ids.map(() => '?').join(', ')}) AND NOT ${isOpen} AND EXISTS ${ofSubscription('1')}`,
    params: [...ids],
  });
  return changes;
}

/** Makes a waiting delivery due now; false when it is being delivered or finished. */
export async function hastenDelivery(tx: Tx, id: number): Promise<boolean> {
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\` SET \`visible_at\` = ${nowMilliseconds(tx.dialect)} - 1
      WHERE \`id\` = ? AND \`status\` = 'pending'`,
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
    sql: `SELECT \`id\` FROM \`hcd_webhook_deliveries\` WHERE \`subscription_id\` = ? AND ${isOpen} LIMIT ?`,
    params: [subscriptionId, limit],
  });
  if (found.length === 0) return 0;
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`${byIds(tx.dialect)} SET \`status\` = 'cancelled', \`claim\` = '', \`claimed_by\` = '',
        \`last_error\` = COALESCE(\`last_error\`, ?), \`visible_at\` = ${nowMilliseconds(tx.dialect)}
      WHERE \`id\` IN (${found.map(() => '?').join(', ')}) AND ${isOpen}`,
    params: [reason, ...found.map(([id]) => Number(id))],
  });
  return changes;
}

/** Subscriptions that are inactive or gone and still have open deliveries. */
export async function readStrayReceivers(reader: Reader): Promise<number[]> {
  const receivers = new Set<number>();
  for (const status of openStatuses)
    for await (const receiver of receiversWith(reader, status)) receivers.add(receiver);
  const strays: number[] = [];
  for (const receiver of receivers) {
    const active = await reader.select({
      sql: 'SELECT 1 FROM `hcd_webhook_subscriptions` WHERE `id` = ? AND `active` = 1',
      params: [receiver],
    });
    if (active.length === 0) strays.push(receiver);
  }
  return strays.sort((left, right) => left - right);
}

/** Subscriptions, also removed ones, that have deliveries in this state. */
export async function* receiversWith(reader: Reader, status: DeliveryStatus): AsyncGenerator<number> {
  // From one subscription to the next along the index, whatever lies between.
  const sql =
    'SELECT MIN(`subscription_id`) FROM `hcd_webhook_deliveries` WHERE `status` = ? AND `subscription_id` > ?';
  for (let after = -1; ; ) {
    const [next] = await reader.select({ sql, params: [status, after] });
    if (next?.[0] === null || next?.[0] === undefined) return;
    after = Number(next[0]);
    yield after;
  }
}

/** Removes finished deliveries with their attempts, so many at most; gives how many there were. */
export async function removeDoneDeliveries(
  tx: Tx,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  const ids = await readDone(tx, { before, limit });
  if (ids.length === 0) return 0;
  const marks = ids.map(() => '?').join(', ');
  await tx.run({ sql: `DELETE FROM \`hcd_webhook_attempts\` WHERE \`delivery_id\` IN (${marks})`, params: ids });
  const { changes } = await tx.run({
    sql: `DELETE FROM \`hcd_webhook_deliveries\` WHERE \`id\` IN (${marks}) AND NOT ${isOpen} AND \`visible_at\` < ?`,
    params: [...ids, before],
  });
  return changes;
}

async function readDone(
  reader: Reader,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number[]> {
  const ids: number[] = [];
  for (const status of doneStatuses) {
    for await (const receiver of receiversWith(reader, status)) {
      const found = await reader.select({
        sql: 'SELECT `id` FROM `hcd_webhook_deliveries` WHERE `status` = ? AND `subscription_id` = ? AND `visible_at` < ? ORDER BY `visible_at`, `id` LIMIT ?',
        params: [status, receiver, before, limit - ids.length],
      });
      ids.push(...found.map(([id]) => Number(id)));
      if (ids.length >= limit) return ids;
    }
  }
  return ids;
}

/** Of the columns in `deliveryColumns`. */
export function decodeDelivery(row: RawRow): DeliveryRow {
  const [id, subscriptionId, eventId, event, revision, url, statusText, visibleAt, attempts, ...rest] = row;
  const [claimedBy, lastStatus, lastError, createdOn] = rest;
  const status = decodeStatus(String(statusText));
  const isOpenNow = openStatuses.some((open) => open === status);
  return {
    id: Number(id),
    subscriptionId: Number(subscriptionId),
    eventId: String(eventId),
    event: String(event),
    revision: Number(revision),
    url: String(url),
    status,
    attempts: Number(attempts),
    visibleAt: isOpenNow ? Number(visibleAt) : null,
    claimedBy: claimedBy === '' ? null : String(claimedBy),
    lastStatus: Number(lastStatus) === 0 ? null : Number(lastStatus),
    lastError: toText(lastError),
    createdOn: Number(createdOn),
    doneOn: isOpenNow ? null : Number(visibleAt),
  };
}

/** Nothing else is ever written; text that somebody put there by hand shows as given up. */
function decodeStatus(text: string): DeliveryStatus {
  return deliveryStatuses.find((status) => status === text) ?? 'failed';
}

function toText(value: RawValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
