/** The commands that show, switch and remove webhook subscriptions, and what the other ones for webhooks share. */
import { nearMatch } from '../src/config/near-match.js';
import { listValue, textValue } from '../src/config/value-type.js';
import { type EventSample, eventSamples } from '../src/content/administration/event-samples.js';
import { AppError } from '../src/errors/app-error.js';
import { dayMs } from '../src/values/dates.js';
import {
  type AddedSubscription,
  disableSubscription,
  enableSubscription,
  findLastFailure,
  listSubscriptions,
  loadSubscription,
  removeSubscription,
  type SubscriptionView,
  type Switched,
} from '../src/webhooks/administration/subscriptions.js';
import { type DoneResult, defineSiteCommand, isoTime, type JsonRecord, type JsonValue } from './command.js';
import type { Deps, SiteDeps } from './deps.js';
import { idValue, optional, required } from './parameters.js';

export const subscriptionParameter = required(idValue, {
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

export async function subscriptionRecord(view: SubscriptionView, deps: SiteDeps): Promise<JsonRecord> {
  const lastFailure = view.failures > 0 ? await findLastFailure(deps.store, view.id) : null;
  const { gateway_webhook_disable_after_days: days } = await deps.settings();
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
    disables_on: isoTime(disablesOn(view, days)),
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
function subscriptionTitle({ id, name, url }: Pick<SubscriptionView, 'id' | 'name' | 'url'>): string {
  return `subscription ${id}${name === null ? '' : ` "${name}"`} (${url})`;
}

/** `1 open delivery`, `7 open deliveries`. */
function openText(count: number): string {
  return count === 1 ? '1 open delivery' : `${count} open deliveries`;
}

/** A note on queued deliveries that keep an old value. */
export function keptText(count: number, what: string): string {
  return count === 1 ? `1 queued delivery keeps the old ${what}.` : `${count} queued deliveries keep the old ${what}.`;
}

async function switchedResult(
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
  return [...eventSamples(await registry(), deps.clock.now()).map(({ event }) => event), '*'];
}

export const webhookList = defineSiteCommand({
  description:
    'Lists all subscriptions with their state, open deliveries and failures. Secrets are never shown. States: active, failing (the last attempt failed), inactive. A subscription whose deliveries all fail for gateway_webhook_disable_after_days is disabled, not before disables_on. One success resets this.',
  examples: {
    'webhook list': 'List all subscriptions',
    'webhook list --json': 'List all subscriptions with all members, as JSON',
  },
  async run(_options, deps) {
    const rows: JsonRecord[] = [];
    for (const view of await listSubscriptions(deps.store)) rows.push(await subscriptionRecord(view, deps));
    const empty = 'No webhook subscriptions. Add one: hcd webhook add --url https://… --events resources.updated';
    return {
      kind: 'list',
      columns: [
        'id',
        'name',
        'url',
        'events',
        'state',
        'open',
        'failures',
        'last_failure_on',
        'last_error',
        'disables_on',
      ],
      rows,
      empty,
    };
  },
});

export const webhookShow = defineSiteCommand({
  description:
    'Shows a subscription: URL, events, state, open deliveries, failures since the last success with the last error, when it is going to be disabled, and why it was disabled. previous_ends_on is when deliveries are no longer signed with the secret before the last rotation. The secret is not shown.',
  arguments: { id: subscriptionParameter },
  examples: {
    'webhook show 3': 'Show a subscription',
    'webhook show 3 --json': 'Show a subscription as JSON',
  },
  async run({ id }, deps) {
    return { kind: 'record', record: await subscriptionRecord(await loadSubscription(deps.store, id), deps) };
  },
});

export const webhookEnable = defineSiteCommand({
  description:
    'Turns a subscription on that was disabled by a user or after failures, and resets its failures. New events are delivered. Deliveries that were cancelled stay cancelled; hcd delivery replay --since TIME --webhook ID sends them.',
  arguments: { id: subscriptionParameter },
  examples: {
    'webhook enable 3': 'Turn on a subscription',
    'webhook enable 3 --json': 'Turn on a subscription and print it as JSON',
  },
  async run({ id }, deps) {
    const before = await loadSubscription(deps.store, id);
    const done = await enableSubscription(deps.store, id);
    const message = before.active
      ? `Already on: ${subscriptionTitle(before)}. Nothing to do.`
      : `Turned on ${subscriptionTitle(before)}. To send cancelled deliveries: hcd delivery replay --since TIME --webhook ${id}`;
    return switchedResult(message, done, deps);
  },
});

export const webhookDisable = defineSiteCommand({
  description:
    'Turns a subscription off and cancels its open deliveries. New events are not queued for it. A delivery that is being sent may still arrive. Asks for confirmation on a terminal, unless --yes is given.',
  arguments: { id: subscriptionParameter },
  examples: {
    'webhook disable 3': 'Turn off a subscription',
    'webhook disable 3 --yes --json': 'Turn off a subscription without confirmation',
  },
  async run({ id }, deps) {
    const before = await loadSubscription(deps.store, id);
    if (before.active) await deps.confirm(`Turn off ${subscriptionTitle(before)} and cancel ${openText(before.open)}?`);
    const done = await disableSubscription(deps.store, id);
    const first = before.active
      ? `Turned off ${subscriptionTitle(before)}.`
      : `Already off: ${subscriptionTitle(before)}.`;
    return switchedResult(`${first} Cancelled deliveries: ${done.cancelled}.`, done, deps);
  },
});

export const webhookRemove = defineSiteCommand({
  description:
    'Removes a subscription and its secret permanently and cancels its open deliveries. Finished deliveries stay in the list for gateway_webhook_retention_days.',
  arguments: { id: subscriptionParameter },
  examples: {
    'webhook remove 3': 'Remove a subscription',
    'webhook remove 3 --yes --json': 'Remove a subscription without confirmation',
  },
  destructive: {},
  async run({ id }, deps) {
    const before = await loadSubscription(deps.store, id);
    await deps.confirm(`Remove ${subscriptionTitle(before)} permanently and cancel ${openText(before.open)}?`);
    const { cancelled } = await removeSubscription(deps.store, id);
    const message = `Removed ${subscriptionTitle(before)}. Cancelled deliveries: ${cancelled}.`;
    return { kind: 'done', message, data: { id, removed: true, cancelled } };
  },
});

export const webhookEvents = defineSiteCommand({
  description:
    'Lists all events that a subscription can name, when they are raised, and an example of each payload. With EVENT the command prints that payload in full. A payload names the record that changed, not its new values: the receiver reads the record from the gateway, or drops its cache entries with the tags of meta.revalidate. data.revision increases with every event, so of two events about a record the one with the lower number is older.',
  arguments: {
    event: optional(textValue({ accepts: 'an event such as resources.updated', pattern: /^[^\s,]{1,128}$/ }), {
      description: 'Event whose payload is printed in full',
      suggestions: ['resources.created', 'resources.updated', 'resources.deleted', 'webhook.test'],
    }),
  },
  examples: {
    'webhook events': 'List all events',
    'webhook events resources.updated': 'Print an example payload',
    'webhook events --json': 'List all events with their payloads, as JSON',
  },
  async run({ event }, deps) {
    const samples = eventSamples(await deps.registry(), deps.clock.now());
    if (event === undefined)
      return { kind: 'list', columns: ['event', 'when', 'payload'], rows: samples.map(eventRecord) };
    const sample = samples.find((one) => one.event === event);
    if (sample === undefined) throw unknown(event, samples);
    const record = eventRecord(sample);
    return { kind: 'text', text: `${JSON.stringify(record['payload'], null, 2)}\n`, data: record };
  },
});

/** The body is text that this program wrote as JSON. */
function eventRecord({ event, when, raised, body }: EventSample): JsonRecord {
  return { event, when, raised, payload: JSON.parse(body) as JsonValue };
}

function unknown(event: string, samples: readonly EventSample[]): AppError {
  const near = nearMatch(
    event,
    samples.map((sample) => sample.event),
  );
  const hint = near === undefined ? 'see hcd webhook events' : `did you mean ${near}?`;
  return new AppError('not_found', { message: `Unknown event ${event}; ${hint}` });
}
