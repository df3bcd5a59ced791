/** Deliveries of webhooks as people look at them. */

import { randomId } from '../../crypto/random.js';
import { AppError } from '../../errors/app-error.js';
import type { Reader, Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { type AttemptRow, attempts, successOf } from '../models/attempts.js';
import { type DeliveryRow, type DeliveryStatus, deliveries, openStatuses } from '../models/deliveries.js';
import { enqueue } from '../queue/enqueue.js';
import { countDeliveries, pageOfIds } from './delivery-pages.js';
import { loadSubscriptionRow } from './show-subscriptions.js';

export type { DeliveryStatus } from '../models/deliveries.js';
export { deliveryStatuses } from '../models/deliveries.js';

/** What a view of a delivery is made from: without the body, which may be long. */
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
  /** The exact text that is sent. */
  readonly body: string;
  /** The oldest first. */
  readonly attemptList: readonly AttemptView[];
}

interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[];
  /** Without the bounds of the page. */
  readonly total: number;
}

export interface DeliveryFilter {
  readonly status: DeliveryStatus | null;
  readonly subscriptionId: number | null;
  /** Absent = every event. */
  readonly event?: string;
}

/** The newest first. */
export async function listDeliveries(
  { own }: Store,
  { filter, ...page }: { readonly filter: DeliveryFilter; readonly limit: number; readonly offset: number },
): Promise<DeliveryPage> {
  const { status, ...others } = filter;
  const wanted = { ...others, statuses: status === null ? null : [status] };
  const [ids, total] = await Promise.all([
    pageOfIds(own.primary, { filter: wanted, ...page }),
    countDeliveries(own.primary, wanted),
  ]);
  const rows = await deliveries.on(own.primary).lookUpAll({ id: ids }, { attributes: viewed });
  return { deliveries: rows.map(deliveryView).sort((left, right) => right.id - left.id), total };
}

/** Throws not_found. */
export async function loadDelivery({ own }: Store, id: number): Promise<DeliveryView> {
  return deliveryView(await loadRow(own.primary, id));
}

/** With body and attempts. Throws not_found. */
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
  ...row
}: ViewedRow & Partial<DeliveryRow>): DeliveryView {
  const isOpen = openStatuses.some((open) => open === row.status);
  return { ...row, visibleAt: isOpen ? row.visibleAt : null, doneOn: isOpen ? null : row.visibleAt };
}

function attemptView({ deliveryId, claim, ...shown }: AttemptRow): AttemptView {
  return shown;
}

/** The delivery that a worker sends like any other. Throws not_found, and refused for an inactive subscription. */
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
          message: `The subscription ${id} is inactive; switch it on: hcd webhook enable ${id}`,
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
