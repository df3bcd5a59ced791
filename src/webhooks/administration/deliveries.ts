/** Lists, shows, tests, repeats and removes deliveries for people. */

import { Op } from 'sequelize';
import { randomId } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import { type Reader, repeatable, type Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/columns.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import {
  type AttemptRow,
  attempts,
  type DeliveryRow,
  type DeliveryStatus,
  deliveries,
  doneStatuses,
  lockDeliveries,
  openStatuses,
  successOf,
} from '../models/deliveries.js';
import { subscriptions } from '../models/subscriptions.js';
import { enqueue } from '../queue/enqueue.js';
import { countFinished, removeFinished } from '../queue/outbox.js';
import { databaseClock } from '../rules/deciding-time.js';
import { loadSubscriptionRow } from './subscriptions.js';

export type { DeliveryStatus } from '../models/deliveries.js';
export { deliveryStatuses } from '../models/deliveries.js';

/** Without the body, which may be long. */
const viewed = [
  ...(['id', 'subscriptionId', 'eventId', 'event', 'revision', 'url', 'status', 'visibleAt', 'attempts'] as const),
  ...(['claimedBy', 'lastStatus', 'lastError', 'createdOn'] as const),
] as const;

type ViewedRow = Pick<DeliveryRow, (typeof viewed)[number]>;

export interface DeliveryView extends Omit<ViewedRow, 'visibleAt'> {
  /** Next attempt, or end of the lease while it is being delivered; null when it is finished. */
  readonly visibleAt: number | null;
  readonly doneOn: number | null;
}

export type AttemptView = Omit<AttemptRow, 'claim' | 'deliveryId'>;

export interface DeliveryDetails extends DeliveryView {
  readonly body: string;
  readonly attemptList: readonly AttemptView[];
}

interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[];
  readonly total: number;
}

interface DeliveryFilter {
  readonly status: DeliveryStatus | null;
  readonly subscriptionId: number | null;
  readonly event?: string;
}

export async function listDeliveries(
  { own }: Store,
  { filter, ...page }: { readonly filter: DeliveryFilter; readonly limit: number; readonly offset: number },
): Promise<DeliveryPage> {
  const where = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
  const total = await deliveries.on(own.primary).count({ where });
  if (total === 0) return { deliveries: [], total };
  const rows = await deliveries
    .on(own.primary)
    .findAll({ attributes: viewed, where, order: [['id', 'DESC']], ...page });
  return { deliveries: rows.map(deliveryView), total };
}

async function loadDelivery({ own }: Store, id: number): Promise<DeliveryView> {
  return deliveryView(await loadRow(own.primary, id));
}

/** Throws not_found. */
export async function showDelivery({ own }: Store, id: number): Promise<DeliveryDetails> {
  const row = await loadRow(own.primary, id);
  const failed = await attempts.on(own.primary).findAll({ where: { deliveryId: id }, order: ['id'] });
  const all = [...failed, ...(row.status === 'delivered' ? [successOf(row)] : [])];
  return { ...deliveryView(row), body: row.body, attemptList: all.map(attemptView) };
}

async function loadRow(reader: Reader, id: number): Promise<DeliveryRow> {
  const row = await deliveries.on(reader).lookUp({ id });
  if (row !== null) return row;
  throw new AppError('not_found', { message: `There is no delivery ${id}; hcd delivery list shows the latest` });
}

function deliveryView({
  body,
  secrets,
  claim,
  tookMs,
  answer,
  traceparent,
  ...row
}: ViewedRow & Partial<DeliveryRow>): DeliveryView {
  const isOpen = openStatuses.some((open) => open === row.status);
  return { ...row, visibleAt: isOpen ? row.visibleAt : null, doneOn: isOpen ? null : row.visibleAt };
}

function attemptView({ number, outcome, status, error, answer, startedOn, endedOn }: AttemptRow): AttemptView {
  return { number, outcome, status, error, answer, startedOn, endedOn };
}

/** A worker sends the test like any other delivery. Throws not_found, and refused for an inactive subscription. */
export async function testSubscription(store: Store, id: number): Promise<DeliveryView> {
  const eventId = randomId();
  const queued = async (tx: Tx) => {
    const found = await deliveries.on(tx).lookUpAll({ subscriptionId: id, eventId }, { attributes: ['id'] });
    return found[0]?.id;
  };
  const deliveryId = await store.own.write(
    async (tx) => {
      const { active } = await loadSubscriptionRow(tx, id);
      if (!active) {
        throw new AppError('refused', {
          message: `The subscription ${id} is inactive; turn it on: hcd webhook enable ${id}`,
        });
      }
      const facts = { context: null, uri: null, parent: null, revalidate: [] };
      await enqueue(tx, { object: 'webhook', action: 'test', key: id, ...facts }, { eventId, onlyFor: id });
      return queued(tx);
    },
    { outcome: queued },
  );
  if (deliveryId === undefined) throw new AppError('internal_error');
  return loadDelivery(store, deliveryId);
}

const batchSize = 500;
const pageSize = 20_000;

/** A finished delivery gets the present address and secret. Throws not_found, and refused while it cannot be sent. */
export async function retryDelivery(store: Store, id: number): Promise<DeliveryView> {
  const { status, subscriptionId } = await loadDelivery(store, id);
  if (status === 'delivering') throw refusal(`The delivery ${id} is in progress`);
  const subscription = await subscriptions.on(store.own.primary).lookUp({ id: subscriptionId });
  if (subscription === null) throw refusal(`The subscription ${subscriptionId} of the delivery ${id} was removed`);
  if (!subscription.active) {
    throw refusal(`The subscription ${subscriptionId} is inactive; turn it on: hcd webhook enable ${subscriptionId}`);
  }
  const isQueued = await store.own.write(async (tx) => (await hasten(tx, id)) || (await requeue(tx, [id])) > 0, {
    outcome: async () => undefined,
  });
  if (!isQueued) throw refusal(`The delivery ${id} changed at the same time; look at it again`);
  return loadDelivery(store, id);
}

interface ReplayRequest {
  /** Unix milliseconds, of the event. */
  readonly since: number;
  readonly subscriptionId: number | null;
  /** For a receiver that lost its data. */
  readonly withDelivered: boolean;
}

/** Skips inactive and removed subscriptions. Returns how many were queued. Throws not_found. */
export async function replayDeliveries({ own }: Store, request: ReplayRequest): Promise<number> {
  const where = await conditionOf(own.primary, request);
  let queued = 0;
  for (let after = 0, isFull = true; isFull; ) {
    const page = { where: { ...where, id: { [Op.gt]: after } }, order: ['id'], limit: pageSize };
    const ids = (await deliveries.on(own.primary).findAll({ ...page, attributes: ['id'] })).map(({ id }) => id);
    for (const some of batchesOf(ids, batchSize)) {
      queued += await own.write((tx) => requeue(tx, some), repeatable);
    }
    after = ids.at(-1) ?? after;
    isFull = ids.length === pageSize;
  }
  return queued;
}

/** How many `replayDeliveries` would queue now. Throws not_found. */
export async function countReplay({ own }: Store, request: ReplayRequest): Promise<number> {
  return deliveries.on(own.primary).count({ where: await conditionOf(own.primary, request) });
}

async function conditionOf(reader: Reader, { since, subscriptionId, withDelivered }: ReplayRequest) {
  if (subscriptionId !== null) await loadSubscriptionRow(reader, subscriptionId);
  const active = await subscriptions.on(reader).lookUpAll({ active: true }, { attributes: ['id'] });
  const ids = active.map(({ id }) => id).filter((id) => subscriptionId === null || id === subscriptionId);
  const status = withDelivered ? doneStatuses : doneStatuses.filter((one) => one !== 'delivered');
  return { createdOn: { [Op.gte]: since }, subscriptionId: ids, status: [...status] };
}

export function countPrunableDeliveries({ own }: Store, days: number): Promise<number> {
  return countFinished(own, days);
}

/** Returns how many deliveries were removed. `days` since they were finished. */
export function pruneDeliveries({ own }: Store, days: number): Promise<number> {
  return removeFinished({ own, time: databaseClock, days });
}

/** False when the delivery is under way or finished. */
async function hasten(tx: Tx, id: number): Promise<boolean> {
  return (await deliveries.on(tx).update({ visibleAt: fromNow(tx, -1) }, { where: { id, status: 'pending' } })) > 0;
}

/** Uses the present address and secrets; skips inactive and removed subscriptions. Returns how many were queued. */
async function requeue(tx: Tx, ids: readonly number[]): Promise<number> {
  const done = (await lockDeliveries(tx, ids)).filter(({ status }) => doneStatuses.some((one) => one === status));
  const receivers = await subscriptions.on(tx).findAll({
    attributes: ['id', 'url', 'signingSecrets'],
    where: { id: [...new Set(done.map(({ subscriptionId }) => subscriptionId))], active: true },
  });
  let queued = 0;
  for (const { id: subscriptionId, url, signingSecrets } of receivers) {
    const own = done.filter((row) => row.subscriptionId === subscriptionId);
    const delivered = own.filter(({ status }) => status === 'delivered');
    // The row of the delivery is for the next attempts, so past successes get rows of their own.
    if (delivered.length > 0) await attempts.on(tx).bulkCreate(delivered.map(successOf));
    const waiting = { status: 'pending', attempts: 0, visibleAt: fromNow(tx), claim: '', claimedBy: null } as const;
    const unknown = { lastStatus: null, lastError: null, answer: null, tookMs: 0 };
    const copies = { url, secrets: signingSecrets.split(' ') };
    const where = { id: own.map(({ id }) => id) };
    queued += await deliveries.on(tx).update({ ...waiting, ...unknown, ...copies }, { where });
  }
  return queued;
}

function refusal(message: string): AppError {
  return new AppError('refused', { message });
}
