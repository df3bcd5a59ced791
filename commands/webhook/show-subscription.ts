/** A subscription with its failures and dates, as commands show it. */
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import type { Store } from '../../src/store/open/open.js';
import { findLastFailure, type SubscriptionView } from '../../src/webhooks/administration/show-subscriptions.js';
import type { Deps } from '../deps.js';
import type { JsonRecord } from '../result.js';
import { subscriptionRecord } from './webhook-record.js';

/** Records in the given order. Only subscriptions with failures have a last failure to look up. */
export async function describeSubscriptions(
  views: readonly SubscriptionView[],
  { store, deps }: { readonly store: Store; readonly deps: Deps },
): Promise<JsonRecord[]> {
  const { values } = await readRuntimeSettings(store, deps.env);
  const disableAfterDays = values.gateway_webhook_disable_after_days;
  const records: JsonRecord[] = [];
  for (const view of views) {
    const lastFailure = view.failures > 0 ? await findLastFailure(store, view.id) : null;
    records.push(subscriptionRecord(view, { lastFailure, disableAfterDays }));
  }
  return records;
}

/** The record of one subscription. */
export async function describeSubscription(
  view: SubscriptionView,
  parts: { readonly store: Store; readonly deps: Deps },
): Promise<JsonRecord> {
  const [record = {}] = await describeSubscriptions([view], parts);
  return record;
}
