/** What the commands for webhook subscriptions share. */
import { maskDatabaseUrl } from '../../src/config/address-values.js';
import { listValue, textValue } from '../../src/config/value-type.js';
import { knownEvents } from '../../src/content/administration/event-samples.js';
import { dayMs, isoTimeOfMs } from '../../src/values/dates.js';
import { countOf } from '../../src/values/text.js';
import {
  type AddedSubscription,
  findLastFailure,
  findLastSuccess,
  readLastDay,
  type SubscriptionView,
  type Switched,
} from '../../src/webhooks/administration/subscriptions.js';
import { type DoneResult, recordOf } from '../command.js';
import type { Deps, SiteDeps } from '../deps.js';
import { idValue, optional, required } from '../parameters.js';

export const subscriptionParameter = required(idValue, 'Id of the subscription (see hcd webhook list)', {
  placeholder: 'ID',
});

export const eventValue = textValue({ accepts: 'an event such as resources.updated', pattern: /^[^\s,]{1,128}$/ });

export const eventsValue = listValue(eventValue, {
  min: 1,
  accepts: 'a comma list of events such as resources.created,resources.updated, or *',
});

export const aboutEvents = [
  'Events to deliver, separated by commas; * for all events of the gateway',
  {
    suggestions: ['resources.created', 'resources.updated', 'resources.deleted', '*'],
    question: 'Events to deliver',
  },
] as const;

export const urlValue = textValue({ accepts: 'the URL of a receiver', shown: maskDatabaseUrl });

export const nameValue = textValue({
  accepts: 'a text of at most 100 characters without line breaks and other controls',
  pattern: /^\P{Cc}{0,100}$/u,
});

export const secretParameter = optional(
  textValue({ shown: () => '***' }),
  'Secret of at least 16 characters (default: generated)',
);

export function addedRecord({ id, name, url, events, secret, active }: AddedSubscription) {
  return { id, name, url, events, secret, active };
}

export async function subscriptionRecord(view: SubscriptionView, deps: SiteDeps): Promise<object> {
  const lastFailure = view.failures > 0 ? await findLastFailure(deps.store, view.id) : null;
  const { gateway_webhook_disable_after_days: days } = await deps.settings('gateway');
  return {
    ...recordOf(view, ['id', 'name', 'url', 'events', 'active', 'state', 'open', 'failures', 'firstFailureOn']),
    last_failure_on: isoTimeOfMs(lastFailure?.on ?? null),
    last_error: lastFailure?.error ?? null,
    last_delivered_on: isoTimeOfMs(await findLastSuccess(deps.store, view.id)),
    last_day: { ...(await readLastDay(deps.store, view.id)) },
    disables_on: isoTimeOfMs(disablesOn(view, days)),
    ...recordOf(view, ['disabledReason', 'previousEndsOn', 'createdOn', 'createdBy', 'updatedOn']),
  };
}

function disablesOn({ active, firstFailureOn }: SubscriptionView, days: number): number | null {
  return active && firstFailureOn !== null && days > 0 ? firstFailureOn + days * dayMs : null;
}

/** `subscription 3 "site builder" (https://…)`. */
export function subscriptionTitle({ id, name, url }: Pick<SubscriptionView, 'id' | 'name' | 'url'>): string {
  return `subscription ${id}${name === null ? '' : ` "${name}"`} (${url})`;
}

export function openText(count: number): string {
  return countOf(count, 'open delivery', 'open deliveries');
}

export function keptText(count: number, what: string): string {
  return `${countOf(count, 'queued delivery keeps', 'queued deliveries keep')} the old ${what}.`;
}

export async function switchedResult(
  message: string,
  { subscription, cancelled }: Switched,
  deps: SiteDeps,
): Promise<DoneResult> {
  return { kind: 'done', message, data: { ...(await subscriptionRecord(subscription, deps)), cancelled } };
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
  const { registry } = await deps.openSite();
  return [...knownEvents(await registry()), '*'];
}
