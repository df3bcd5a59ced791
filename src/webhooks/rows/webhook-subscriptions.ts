/** Rows of `hcd_webhook_subscriptions`. Secrets in them are sealed; times are Unix milliseconds of the database's clock. */
import type { Param, RawRow, RawValue, Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';
import { idList } from './webhook-id-list.js';
import { decodeEvents } from './webhook-queue.js';

export interface SubscriptionRow {
  readonly id: number;
  readonly name: string | null;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
  /** The secret before the last rotation, which signs beside the new one until `previousEndsOn`. */
  readonly previousSecret: string | null;
  readonly previousEndsOn: number | null;
  readonly active: boolean;
  readonly disabledReason: string | null;
  /** Failures since the last success, and when the first of them was. */
  readonly failures: number;
  readonly firstFailureOn: number | null;
  /** Warnings given during these failures. */
  readonly warnings: number;
  readonly createdOn: number;
  readonly updatedOn: number;
  readonly createdBy: string;
}

type NewSubscription = Pick<SubscriptionRow, 'name' | 'url' | 'events' | 'secret' | 'active' | 'createdBy'>;

/** What a person may change; absent = stays as it is. */
export interface SubscriptionChanges {
  readonly name?: string | null;
  readonly url?: string;
  readonly events?: readonly string[];
}

const columns = [
  'id',
  'name',
  'url',
  'events',
  'secret',
  'previous_secret',
  'previous_ends_on',
  'active',
  'disabled_reason',
  'failures',
  'first_failure_on',
  'warnings',
  'created_on',
  'updated_on',
  'created_by',
]
  .map((name) => `\`${name}\``)
  .join(', ');
const longestReason = 300;

/** Null when there is no such subscription. */
export async function readSubscription(reader: Reader, id: number): Promise<SubscriptionRow | null> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_webhook_subscriptions\` WHERE \`id\` = ?`,
    params: [id],
  });
  return rows[0] === undefined ? null : decodeSubscription(rows[0]);
}

/** All subscriptions, the oldest first. */
export async function readSubscriptions(reader: Reader): Promise<SubscriptionRow[]> {
  const sql = `SELECT ${columns} FROM \`hcd_webhook_subscriptions\` ORDER BY \`id\``;
  return (await reader.select({ sql, params: [] })).map(decodeSubscription);
}

/** Adds a subscription and gives its id. */
export async function insertSubscription(tx: Tx, row: NewSubscription): Promise<number> {
  const now = nowMilliseconds(tx.dialect);
  const { lastId } = await tx.run({
    sql: `INSERT INTO \`hcd_webhook_subscriptions\`
      (\`name\`, \`url\`, \`events\`, \`secret\`, \`active\`, \`created_by\`, \`created_on\`, \`updated_on\`)
      VALUES (?, ?, ?, ?, ?, ?, ${now}, ${now})`,
    params: [row.name, row.url, JSON.stringify(row.events), row.secret, row.active ? 1 : 0, row.createdBy],
  });
  return lastId;
}

/** The id of the subscription with exactly this sealed secret, which no other one has; for lost answers to COMMIT. */
export async function findSubscriptionBySecret(reader: Reader, sealed: string): Promise<number | null> {
  const rows = await reader.select({
    sql: 'SELECT `id` FROM `hcd_webhook_subscriptions` WHERE `secret` = ?',
    params: [sealed],
  });
  return rows[0] === undefined ? null : Number(rows[0][0]);
}

/** The oldest subscription that was made by exactly this name; null for none. */
export async function findSubscriptionByCreator(reader: Reader, createdBy: string): Promise<SubscriptionRow | null> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_webhook_subscriptions\` WHERE \`created_by\` = ? ORDER BY \`id\` LIMIT 1`,
    params: [createdBy],
  });
  return rows[0] === undefined ? null : decodeSubscription(rows[0]);
}

export async function changeSubscription(tx: Tx, id: number, changes: SubscriptionChanges): Promise<void> {
  const values: Record<string, Param> = {
    ...(changes.name === undefined ? {} : { name: changes.name }),
    ...(changes.url === undefined ? {} : { url: changes.url }),
    ...(changes.events === undefined ? {} : { events: JSON.stringify(changes.events) }),
  };
  await setColumns(tx, id, values);
}

/** A new secret; the one before it signs too until then, null = it ends now. */
export async function replaceSecret(
  tx: Tx,
  id: number,
  rotation: { readonly secret: string; readonly previousSecret: string | null; readonly previousEndsOn: number | null },
): Promise<void> {
  await setColumns(tx, id, {
    secret: rotation.secret,
    previous_secret: rotation.previousSecret,
    previous_ends_on: rotation.previousEndsOn,
  });
}

const noFailures = { failures: 0, first_failure_on: null, warnings: 0 };

/** For a receiver that has moved: those of its former address do not count against the new one. */
export async function forgetFailures(tx: Tx, id: number): Promise<void> {
  await setColumns(tx, id, noFailures);
}

/** Forgets failures of the past too: they do not count against a receiver that was switched on again. */
export async function activateSubscription(tx: Tx, id: number): Promise<void> {
  await setColumns(tx, id, { active: 1, disabled_reason: null, ...noFailures });
}

/** False when it was inactive before. */
export async function deactivateSubscription(tx: Tx, id: number, reason: string): Promise<boolean> {
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_webhook_subscriptions\` SET \`active\` = 0, \`disabled_reason\` = ?, \`updated_on\` = ${nowMilliseconds(tx.dialect)}
      WHERE \`id\` = ? AND \`active\` = 1`,
    params: [[...reason].slice(0, longestReason).join(''), id],
  });
  return changes > 0;
}

export async function deleteSubscription(tx: Tx, id: number): Promise<boolean> {
  const { changes } = await tx.run({ sql: 'DELETE FROM `hcd_webhook_subscriptions` WHERE `id` = ?', params: [id] });
  return changes > 0;
}

/** Where deliveries went: what an address of the past does says nothing of the one that a subscription has now. */
export interface Receiver {
  readonly subscriptionId: number;
  readonly url: string;
}

/** Which of these subscriptions have failures that a success would end. */
export async function readFailing(reader: Reader, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { marks, params } = idList(ids);
  const sql = `SELECT \`id\` FROM \`hcd_webhook_subscriptions\` WHERE \`id\` IN (${marks}) AND \`failures\` > 0`;
  return new Set((await reader.select({ sql, params })).map(([id]) => Number(id)));
}

/** A success ends a run of failures. */
export async function noteSuccess(tx: Tx, { subscriptionId, url }: Receiver): Promise<void> {
  await tx.run({
    sql: 'UPDATE `hcd_webhook_subscriptions` SET `failures` = 0, `first_failure_on` = NULL, `warnings` = 0 WHERE `id` = ? AND `failures` > 0 AND `url` = ?',
    params: [subscriptionId, url],
  });
}

/** Adds failures and gives the row afterwards; null when the subscription is gone or has another address now. */
export async function noteFailures(
  tx: Tx,
  { subscriptionId, url }: Receiver,
  { count, at }: { readonly count: number; readonly at: number },
): Promise<SubscriptionRow | null> {
  const { changes } = await tx.run({
    sql: 'UPDATE `hcd_webhook_subscriptions` SET `failures` = `failures` + ?, `first_failure_on` = COALESCE(`first_failure_on`, ?) WHERE `id` = ? AND `url` = ?',
    params: [count, at, subscriptionId, url],
  });
  return changes === 0 ? null : readSubscription(tx, subscriptionId);
}

/** Notes that so many warnings were given; false when somebody else did it before. */
export async function noteWarnings(tx: Tx, id: number, warnings: number): Promise<boolean> {
  const { changes } = await tx.run({
    sql: 'UPDATE `hcd_webhook_subscriptions` SET `warnings` = ? WHERE `id` = ? AND `warnings` < ?',
    params: [warnings, id, warnings],
  });
  return changes > 0;
}

async function setColumns(tx: Tx, id: number, values: Readonly<Record<string, Param>>): Promise<void> {
  const set = Object.keys(values).map((name) => `\`${name}\` = ?`);
  await tx.run({
    sql: `UPDATE \`hcd_webhook_subscriptions\` SET ${[...set, `\`updated_on\` = ${nowMilliseconds(tx.dialect)}`].join(', ')} WHERE \`id\` = ?`,
    params: [...Object.values(values), id],
  });
}

function decodeSubscription(row: RawRow): SubscriptionRow {
  const [id, name, url, events, secret, previousSecret, previousEndsOn, active, ...rest] = row;
  const [disabledReason, failures, firstFailureOn, warnings, createdOn, updatedOn, createdBy] = rest;
  return {
    id: Number(id),
    name: toText(name),
    url: String(url),
    events: decodeEvents(String(events)),
    secret: String(secret),
    previousSecret: toText(previousSecret),
    previousEndsOn: toNumber(previousEndsOn),
    active: Number(active) === 1,
    disabledReason: toText(disabledReason),
    failures: Number(failures),
    firstFailureOn: toNumber(firstFailureOn),
    warnings: Number(warnings),
    createdOn: Number(createdOn),
    updatedOn: Number(updatedOn),
    createdBy: String(createdBy),
  };
}

function toText(value: RawValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function toNumber(value: RawValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
