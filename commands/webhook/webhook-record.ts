/** Webhook subscriptions as records: the columns of the table and values computed from them, times as ISO 8601. */

import type { LastFailure, SubscriptionView } from '../../src/webhooks/administration/show-subscriptions.js';
import type { AddedSubscription } from '../../src/webhooks/administration/write-subscriptions.js';
import { isoTime } from '../key/key-record.js';
import type { JsonRecord } from '../result.js';

/** A subscription with its secret: the only record that has it. */
export function addedRecord({ id, name, url, events, secret, active }: AddedSubscription): JsonRecord {
  return { id, name, url, events, secret, active };
}

export interface Circumstances {
  /** Null = none is kept. */
  readonly lastFailure: LastFailure | null;
  /** The setting gateway_webhook_disable_after_days. */
  readonly disableAfterDays: number;
}

const dayMs = 86_400_000;

export function subscriptionRecord(view: SubscriptionView, circumstances: Circumstances): JsonRecord {
  const { lastFailure, disableAfterDays } = circumstances;
  return {
    id: view.id,
    name: view.name,
    url: view.url,
    events: view.events,
    active: view.active,
    state: view.state,
    open: view.open,
    failures: view.failures,
    first_failure_on: isoTime(view.firstFailureOn),
    last_failure_on: isoTime(lastFailure?.on ?? null),
    last_error: lastFailure?.error ?? null,
    disables_on: isoTime(disablesOn(view, disableAfterDays)),
    disabled_reason: view.disabledReason,
    previous_ends_on: isoTime(view.previousEndsOn),
    created_on: isoTime(view.createdOn),
    created_by: view.createdBy,
    updated_on: isoTime(view.updatedOn),
  };
}

/** When a subscription that keeps failing is disabled; null when it is not. */
function disablesOn({ active, firstFailureOn }: SubscriptionView, days: number): number | null {
  return active && firstFailureOn !== null && days > 0 ? firstFailureOn + days * dayMs : null;
}

/** `subscription 3 "site builder" (https://…)`. */
export function subscriptionTitle({ id, name, url }: Pick<SubscriptionView, 'id' | 'name' | 'url'>): string {
  return `subscription ${id}${name === null ? '' : ` "${name}"`} (${url})`;
}

/** `1 open delivery`, `7 open deliveries`. */
export function openText(count: number): string {
  return count === 1 ? '1 open delivery' : `${count} open deliveries`;
}

/** A note on queued deliveries that keep an old value. */
export function keptText(count: number, what: string): string {
  return count === 1 ? `1 queued delivery keeps the old ${what}.` : `${count} queued deliveries keep the old ${what}.`;
}
