/** Changes webhook subscriptions: address, events and name; on, off and away. */
import type { Settings } from '../../config/setting-definitions.js';
import { Problems } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import type { OwnPlaces } from '../addresses/own-places.js';
import { cancelOpen } from '../queue/cancel-open.js';
import {
  activateSubscription,
  changeSubscription,
  deactivateSubscription,
  deleteSubscription,
  forgetFailures,
  type SubscriptionChanges,
} from '../rows/webhook-subscriptions.js';
import { checkEvents, checkName, checkUrl, type EventSources } from './check-subscription.js';
import { loadSubscription, loadSubscriptionRow, type SubscriptionView } from './subscription-view.js';

export interface ChangeRequest {
  readonly id: number;
  readonly registry: EventSources;
  readonly settings: Settings;
  /** Where the servers of this store listen. */
  readonly places: OwnPlaces;
  /** What is left out stays as it is. */
  readonly changes: SubscriptionChanges;
}

/** What was done, and how many open deliveries it cancelled. */
export interface Switched {
  readonly subscription: SubscriptionView;
  readonly cancelled: number;
}

/** Deliveries that are queued already keep their address. Throws not_found and validation_failed. */
export async function updateSubscription(store: Store, request: ChangeRequest): Promise<SubscriptionView> {
  const { id, registry, settings, places, changes } = request;
  const problems = new Problems();
  const { url, events, name } = changes;
  const checked: SubscriptionChanges = {
    ...(url === undefined ? {} : { url: checkUrl(problems, { url, settings, places }) }),
    ...(events === undefined ? {} : { events: checkEvents(problems, { events, registry }) }),
    ...(name === undefined ? {} : { name }),
  };
  checkName(problems, name ?? null);
  problems.throwIfAny();
  await store.own.write(
    async (tx) => {
      const before = await loadSubscriptionRow(tx, id);
      await changeSubscription(tx, id, checked);
      if (checked.url !== undefined && checked.url !== before.url) await forgetFailures(tx, id);
    },
    { outcome: async () => undefined },
  );
  return loadSubscription(store, id);
}

/**
 * Events from now on are queued again; what was cancelled stays cancelled until it is replayed
 * (docs/webhooks.md#look-and-repair). Throws not_found.
 */
export async function enableSubscription(store: Store, id: number): Promise<Switched> {
  const before = await loadSubscriptionRow(store.own.primary, id);
  // What a change of content queued in the moment of disabling was never meant to be delivered.
  const cancelled = before.active ? 0 : await cancelOpen(store.own, { subscriptionId: id, reason: disabledByHand });
  if (!before.active) await store.own.write((tx) => activateSubscription(tx, id), { outcome: async () => undefined });
  return { subscription: await loadSubscription(store, id), cancelled };
}

const disabledByHand = 'The subscription was disabled by hand';

/** Cancels what waits. Throws not_found. */
export async function disableSubscription(store: Store, id: number): Promise<Switched> {
  await loadSubscriptionRow(store.own.primary, id);
  await store.own.write((tx) => deactivateSubscription(tx, id, disabledByHand), { outcome: async () => undefined });
  const cancelled = await cancelOpen(store.own, { subscriptionId: id, reason: disabledByHand });
  return { subscription: await loadSubscription(store, id), cancelled };
}

/** Removes the subscription and cancels what waits; finished deliveries stay. Throws not_found. */
export async function removeSubscription(store: Store, id: number): Promise<Switched> {
  const subscription = await loadSubscription(store, id);
  await store.own.write((tx) => deleteSubscription(tx, id), { outcome: async () => undefined });
  const cancelled = await cancelOpen(store.own, { subscriptionId: id, reason: 'The subscription was removed' });
  return { subscription, cancelled };
}
