/** Switches subscriptions on and off and removes them, for `hcd webhook enable|disable|remove`. */

import type { Store } from '../../src/store/open/open.js';
import {
  disableSubscription,
  enableSubscription,
  removeSubscription,
  type Switched,
} from '../../src/webhooks/change-subscription.js';
import { loadSubscription } from '../../src/webhooks/subscription-view.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { describeSubscription } from './show-subscription.js';
import { openText, subscriptionTitle } from './webhook-record.js';

interface Target {
  readonly id: number;
}

export async function runEnable({ id }: Target, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const before = await loadSubscription(store, id);
  const done = await enableSubscription(store, id);
  const message = before.active
    ? `Nothing to do: ${subscriptionTitle(before)} is active.`
    : `Switched ${subscriptionTitle(before)} on. What was cancelled is sent by: hcd delivery replay --since TIME --webhook ${id}`;
  return result(message, done, { store, deps });
}

export async function runDisable({ id }: Target, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const before = await loadSubscription(store, id);
  if (before.active)
    await confirmChange(deps, `Switch ${subscriptionTitle(before)} off and cancel ${openText(before.open)}?`);
  const done = await disableSubscription(store, id);
  const first = before.active
    ? `Switched ${subscriptionTitle(before)} off.`
    : `Nothing to switch: ${subscriptionTitle(before)} is inactive.`;
  return result(`${first} Open deliveries that were cancelled: ${done.cancelled}.`, done, { store, deps });
}

export async function runRemove({ id }: Target, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const before = await loadSubscription(store, id);
  await confirmChange(deps, `Remove ${subscriptionTitle(before)} for good and cancel ${openText(before.open)}?`);
  const { cancelled } = await removeSubscription(store, id);
  const message = `Removed ${subscriptionTitle(before)}. Open deliveries that were cancelled: ${cancelled}.`;
  return { kind: 'done', message, data: { id, removed: true, cancelled } };
}

async function result(
  message: string,
  { subscription, cancelled }: Switched,
  parts: { readonly store: Store; readonly deps: Deps },
): Promise<DoneResult> {
  return { kind: 'done', message, data: { ...(await describeSubscription(subscription, parts)), cancelled } };
}
