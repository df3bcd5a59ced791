/** Webhook subscriptions as people look at them: state, failures, what waits; never the secret. */
import { Op } from 'sequelize';
import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { attemptDelivery, attempts, deliveries, openStatuses } from '../models/deliveries.js';
import { type SubscriptionRow, subscriptions } from '../models/subscriptions.js';

/** The first that applies counts; `failing` = its last attempt failed. */
type SubscriptionState = 'inactive' | 'failing' | 'active';

type Hidden = 'secret' | 'previousSecret' | 'signingSecrets' | 'warnings' | 'readOn';

export interface SubscriptionView extends Omit<SubscriptionRow, Hidden> {
  readonly state: SubscriptionState;
  /** Deliveries that wait or are under way. */
  readonly open: number;
}

/** All subscriptions, the oldest first. */
export async function listSubscriptions({ own }: Store): Promise<SubscriptionView[]> {
  const rows = await subscriptions.on(own.primary).findAll({ order: ['id'] });
  const counts = await deliveries
    .on(own.primary)
    .count({ where: { status: [...openStatuses] }, group: ['subscriptionId'] });
  const open = new Map(counts.map(({ subscriptionId, count }) => [subscriptionId, count]));
  return rows.map((row) => subscriptionView(row, open.get(row.id) ?? 0));
}

/** Throws not_found. */
export async function loadSubscription({ own }: Store, id: number): Promise<SubscriptionView> {
  const row = await loadSubscriptionRow(own.primary, id);
  const where = { status: [...openStatuses], subscriptionId: id };
  return subscriptionView(row, await deliveries.on(own.primary).count({ where }));
}

/** The row of a subscription. Throws not_found. */
export async function loadSubscriptionRow(reader: Reader, id: number): Promise<SubscriptionRow> {
  const row = await subscriptions.on(reader).lookUp({ id });
  if (row !== null) return row;
  const message = `There is no webhook subscription ${id}; hcd webhook list shows every subscription`;
  throw new AppError('not_found', { message });
}

function subscriptionView(row: SubscriptionRow, open: number): SubscriptionView {
  const { secret, previousSecret, signingSecrets, warnings, readOn, ...shown } = row;
  const state = row.active ? (row.failures > 0 ? 'failing' : 'active') : 'inactive';
  return { ...shown, state, open };
}

export interface LastFailure {
  /** Unix milliseconds. */
  readonly on: number;
  readonly error: string;
}

/** The last attempt that did not succeed; null when none is kept. */
export async function findLastFailure({ own }: Store, subscriptionId: number): Promise<LastFailure | null> {
  const row = await attempts.on(own.primary).findOne({
    where: { outcome: { [Op.ne]: 'delivered' } },
    include: [{ association: attemptDelivery, attributes: ['id'], where: { subscriptionId }, required: true }],
    order: [['id', 'DESC']],
  });
  return row === null ? null : { on: row.endedOn, error: row.error ?? row.outcome };
}
