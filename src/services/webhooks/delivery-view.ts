/** Deliveries of webhooks as people look at them. */
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open.js';
import { type AttemptRow, readAttempts } from '../../store/rows/webhook-attempts.js';
import {
  countDeliveries,
  type DeliveryFilter,
  type DeliveryRow,
  readDeliveries,
  readDelivery,
  readDeliveryBody,
} from '../../store/rows/webhook-deliveries.js';

export type { DeliveryFilter, DeliveryStatus } from '../../store/rows/webhook-deliveries.js';
export { deliveryStatuses } from '../../store/rows/webhook-deliveries.js';

export type DeliveryView = DeliveryRow;
export type AttemptView = Omit<AttemptRow, 'claim' | 'deliveryId'>;

export interface DeliveryDetails extends DeliveryView {
  /** The exact text that is sent. */
  readonly body: string;
  /** The oldest first. */
  readonly attemptList: readonly AttemptView[];
}

export interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[];
  /** Without the bounds of the page. */
  readonly total: number;
}

/** The newest first. */
export async function listDeliveries(
  { own }: Store,
  page: { readonly filter: DeliveryFilter; readonly limit: number; readonly offset: number },
): Promise<DeliveryPage> {
  const [deliveries, total] = await Promise.all([
    readDeliveries(own.primary, page),
    countDeliveries(own.primary, page.filter),
  ]);
  return { deliveries, total };
}

/** Throws not_found. */
export async function loadDelivery({ own }: Store, id: number): Promise<DeliveryView> {
  const row = await readDelivery(own.primary, id);
  if (row === null) {
    throw new AppError('not_found', { message: `There is no delivery ${id}; hcd delivery list shows the latest` });
  }
  return row;
}

/** With body and attempts. Throws not_found. */
export async function showDelivery(store: Store, id: number): Promise<DeliveryDetails> {
  const row = await loadDelivery(store, id);
  const attempts = await readAttempts(store.own.primary, id);
  const body = (await readDeliveryBody(store.own.primary, id)) ?? '';
  return {
    ...row,
    body,
    attemptList: attempts.map(({ claim: _claim, deliveryId: _delivery, ...attempt }) => attempt),
  };
}
