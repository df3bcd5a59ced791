/** Webhook subscriptions as people look at them: state, failures, what waits; never the secret. */
import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { readLastFailure } from '../rows/webhook-attempts.js';
import { countOpenDeliveries } from '../rows/webhook-deliveries.js';
import { readSubscription, readSubscriptions, type SubscriptionRow } from '../rows/webhook-subscriptions.js';

/** The first that applies counts; `failing` = its last attempt failed. */
type SubscriptionState = 'inactive' | 'failing' | 'active';

export interface SubscriptionView extends Omit<SubscriptionRow, 'secret' | 'previousSecret' | 'warnings'> {
  readonly state: SubscriptionState;
  /** Deliveries that wait or are under way. */
  readonly open: number;
}

/** All subscriptions, the oldest first. */
export async function listSubscriptions({ own }: Store): Promise<SubscriptionView[]> {
  const open = await countOpenDeliveries(own.primary);
  return (await readSubscriptions(own.primary)).map((row) => subscriptionView(row, open.get(row.id) ?? 0));
}

/** Throws not_found. */
export async function loadSubscription({ own }: Store, id: number): Promise<SubscriptionView> {
  const row = await loadSubscriptionRow(own.primary, id);
  return subscriptionView(row, (await countOpenDeliveries(own.primary)).get(id) ?? 0);
}

/** The row of a subscription. Throws not_found. */
export async function loadSubscriptionRow(reader: Reader, id: number): Promise<SubscriptionRow> {
  const row = await readSubscription(reader, id);
  if (row !== null) return row;
  const message = `There is no webhook subscription ${id}; hcd webhook list shows every one`;
  throw new AppError('not_found', { message });
}

function subscriptionView(
  { secret: _secret, previousSecret: _previous, warnings: _warnings, ...row }: SubscriptionRow,
  open: number,
): SubscriptionView {
  const state = row.active ? (row.failures > 0 ? 'failing' : 'active') : 'inactive';
  return { ...row, state, open };
}

export interface LastFailure {
  /** Unix milliseconds. */
  readonly on: number;
  readonly error: string;
}

/** Null when none is kept. */
export async function findLastFailure({ own }: Store, subscriptionId: number): Promise<LastFailure | null> {
  const row = await readLastFailure(own.primary, subscriptionId);
  return row === null ? null : { on: row.endedOn, error: row.error ?? row.outcome };
}
