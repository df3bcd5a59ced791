/** What the commands for webhook subscriptions share: arguments, records and notes. */
import { integerValue, listValue, textValue } from '../../src/config/value-type.js';
import { eventSamples } from '../../src/content/administration/event-samples.js';
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import type { Store } from '../../src/store/open/open.js';
import {
  findLastFailure,
  type LastFailure,
  type SubscriptionView,
} from '../../src/webhooks/administration/show-subscriptions.js';
import type { AddedSubscription, Switched } from '../../src/webhooks/administration/write-subscriptions.js';
import type { Deps } from '../deps.js';
import { optional, required } from '../parameters.js';
import { type DoneResult, isoTime, type JsonRecord } from '../result.js';
import { openSiteRegistry } from '../store/open-registry.js';

const largestId = 2 ** 32 - 1;

export const subscriptionIdValue = integerValue({ min: 1, max: largestId });

export const subscriptionParameter = required(subscriptionIdValue, {
  placeholder: 'ID',
  description: 'Id of the subscription (see hcd webhook list)',
});

export const eventsValue = listValue(
  textValue({ accepts: 'an event such as resources.updated', pattern: /^[^\s,]{1,128}$/ }),
  { min: 1, accepts: 'a comma list of events such as resources.created,resources.updated, or *' },
);

export const aboutEvents = {
  placeholder: 'LIST',
  description: 'Events to deliver, separated by commas; * for all events',
  suggestions: ['resources.created', 'resources.updated', 'resources.deleted', '*'],
  question: 'Events to deliver',
};

export const urlValue = textValue({ accepts: 'the URL of a receiver' });

export const nameValue = textValue({
  accepts: 'a text of at most 100 characters without line breaks and other controls',
  pattern: /^\P{Cc}{0,100}$/u,
});

export const secretParameter = optional(textValue(), {
  placeholder: 'SECRET',
  description: 'Secret of at least 16 characters (default: generated)',
});

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

function subscriptionRecord(view: SubscriptionView, circumstances: Circumstances): JsonRecord {
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

export async function switchedResult(
  message: string,
  { subscription, cancelled }: Switched,
  parts: { readonly store: Store; readonly deps: Deps },
): Promise<DoneResult> {
  return { kind: 'done', message, data: { ...(await describeSubscription(subscription, parts)), cancelled } };
}

export function secretNotes(secret: string): readonly string[] {
  return [
    'Copy the secret now: it is not shown again.',
    secret.startsWith('whsec_')
      ? 'To verify deliveries, use a Standard Webhooks library (webhook-signature) or see docs/webhooks.md.'
      : 'To verify deliveries, check X-Gateway-Signature, or webhook-signature with the bytes of the secret: see docs/webhooks.md.',
  ];
}

export async function offerEvents(deps: Deps): Promise<readonly string[]> {
  const store = await deps.openReady();
  const registry = await openSiteRegistry(deps, store);
  return [...eventSamples(registry, deps.clock.now()).map(({ event }) => event), '*'];
}
