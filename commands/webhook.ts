/** `hcd webhook`: subscriptions. */

import { nearMatch } from '../src/config/near-match.js';
import { type EventSample, eventSamples, knownEvents } from '../src/content/administration/event-samples.js';
import { AppError } from '../src/errors/app-error.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import { parseJson } from '../src/values/json.js';
import { wordList } from '../src/values/text.js';
import { openWebhookSealer, rotateWebhookSecret } from '../src/webhooks/administration/secrets.js';
import {
  addSubscription,
  disableSubscription,
  enableSubscription,
  listSubscriptions,
  loadSubscription,
  removeSubscription,
  updateSubscription,
} from '../src/webhooks/administration/subscriptions.js';
import { pageEvents } from '../src/webhooks/rules/events.js';
import { defineCommand, defineSiteCommand } from './command.js';
import { makerOf } from './deps.js';
import { optional, overlapParameters, required, toggle, usageError, withoutOverlap } from './parameters.js';
import {
  aboutEvents,
  addedRecord,
  eventsValue,
  eventValue,
  keptText,
  nameValue,
  offerEvents,
  openText,
  secretNotes,
  secretParameter,
  subscriptionParameter,
  subscriptionRecord,
  subscriptionTitle,
  switchedResult,
  urlValue,
} from './webhook/shared.js';
import { readOwnPlaces } from './worker/own-places.js';

export const commands = {
  add: defineSiteCommand({
    description: `Adds a subscription: hcd worker sends each of its events to its URL as a signed POST. Prints the secret. The secret is shown only once: the database stores it encrypted. Events are raised by changes through the gateway and by other programs, by scheduled publications, and by commands with --events.\n\nEvents are OBJECT.created, OBJECT.updated and OBJECT.deleted (hcd webhook events), or * for all of these. ${pageEvents.join(' and ')} must be named: * does not include them. Patterns such as resources.* are not supported. The URL is http or https; with gateway_webhook_https_only it must be https. Private and local addresses are refused unless gateway_webhook_allowed_networks lists them or gateway_webhook_allow_private_urls is on.`,
    options: {
      url: required(urlValue, 'URL to send deliveries to'),
      events: required(eventsValue, ...aboutEvents),
      name: optional(nameValue, 'A label for the subscription'),
      secret: secretParameter,
      inactive: toggle('Create an inactive subscription'),
    },
    examples: {
      'webhook add --url https://site.example/hooks/content --events resources.updated,resources.deleted':
        'Notify a website of changes',
      'webhook add --url https://ci.example/build --events * --name build --json':
        'Subscribe to all events of the gateway and print the result as JSON',
    },
    offers: { events: offerEvents },
    async run({ url, events, name, secret, inactive }, deps) {
      const { config } = deps.loadConfig();
      const added = await addSubscription(deps.store, {
        known: knownEvents(await deps.registry()),
        settings: await deps.settings('gateway', 'pages', 'banners'),
        places: await readOwnPlaces(deps.store, config),
        sealer: await openWebhookSealer(deps.store, config.secret),
        url,
        events,
        name: name === undefined || name.trim() === '' ? null : name,
        secret: secret ?? null,
        active: !inactive,
        createdBy: makerOf(deps),
      });
      const next = inactive
        ? `The subscription is inactive. Turn it on: hcd webhook enable ${added.id}`
        : `To test it: hcd webhook test ${added.id}. Deliveries need a running hcd worker.`;
      return { kind: 'record', record: addedRecord(added), notes: [...secretNotes(added.secret), next] };
    },
  }),

  list: defineSiteCommand({
    description:
      'Lists all subscriptions with their state, open deliveries and failures. Secrets are never shown. States: active, failing (the last attempt failed), inactive. A subscription whose deliveries all fail for gateway_webhook_disable_after_days is disabled, not before disables_on. One success resets this. JSON also has when each of them last succeeded, and what was finished in the last 24 hours.',
    examples: {
      'webhook list': 'List all subscriptions',
      'webhook list --json': 'List all subscriptions with all members, as JSON',
    },
    async run(_options, deps) {
      const rows: object[] = [];
      for (const view of await listSubscriptions(deps.store)) rows.push(await subscriptionRecord(view, deps));
      const empty = 'No webhook subscriptions. Add one: hcd webhook add --url https://… --events resources.updated';
      return {
        kind: 'list',
        columns: wordList('id name url events state open failures last_failure_on last_error disables_on'),
        rows,
        empty,
      };
    },
  }),

  show: defineSiteCommand({
    description:
      'Shows a subscription: URL, events, state, open deliveries, failures since the last success with the last error, when it is going to be disabled, why it was disabled, its last success, and what was finished in the last 24 hours. previous_ends_on is when deliveries are no longer signed with the secret before the last rotation. The secret is not shown.',
    arguments: { id: subscriptionParameter },
    examples: {
      'webhook show 3': 'Show a subscription',
      'webhook show 3 --json': 'Show a subscription as JSON',
    },
    async run({ id }, deps) {
      return { kind: 'record', record: await subscriptionRecord(await loadSubscription(deps.store, id), deps) };
    },
  }),

  update: defineCommand({
    description:
      'Changes the URL, the events or the name of a subscription and keeps the rest. New events use the new values; deliveries that are already queued keep their URL.',
    arguments: { id: subscriptionParameter },
    options: {
      url: optional(urlValue, 'URL to send deliveries to'),
      events: optional(eventsValue, ...aboutEvents),
      name: optional(nameValue, 'A label for the subscription; an empty value removes it'),
    },
    offers: { events: offerEvents },
    examples: {
      'webhook update 3 --events resources.updated,resources.deleted': 'Deliver only two events',
      'webhook update 3 --url https://site.example/hooks/v2 --json':
        'Change the URL and print the subscription as JSON',
    },
    async run({ id, url, events, name }, deps) {
      if (url === undefined && events === undefined && name === undefined) {
        throw usageError({ '--url': 'is required when neither --events nor --name is given' });
      }
      const site = await deps.openSite();
      const view = await updateSubscription(site.store, {
        id,
        known: knownEvents(await site.registry()),
        settings: await site.settings('gateway', 'pages', 'banners'),
        places: await readOwnPlaces(site.store, deps.loadConfig().config),
        changes: {
          ...(url === undefined ? {} : { url }),
          ...(events === undefined ? {} : { events }),
          ...(name === undefined ? {} : { name: name.trim() === '' ? null : name }),
        },
      });
      const notes = [url !== undefined && view.open > 0 && keptText(view.open, 'address')];
      return { kind: 'record', record: await subscriptionRecord(view, site), notes };
    },
  }),

  enable: defineSiteCommand({
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
  }),

  disable: defineSiteCommand({
    description:
      'Turns a subscription off and cancels its open deliveries. New events are not queued for it. A delivery that is being sent may still arrive. Asks for confirmation on a terminal, unless --yes is given.',
    arguments: { id: subscriptionParameter },
    examples: {
      'webhook disable 3': 'Turn off a subscription',
      'webhook disable 3 --yes --json': 'Turn off a subscription without confirmation',
    },
    async run({ id }, deps) {
      const before = await loadSubscription(deps.store, id);
      if (before.active)
        await deps.confirm(`Turn off ${subscriptionTitle(before)} and cancel ${openText(before.open)}?`);
      const done = await disableSubscription(deps.store, id);
      const first = before.active
        ? `Turned off ${subscriptionTitle(before)}.`
        : `Already off: ${subscriptionTitle(before)}.`;
      return switchedResult(`${first} Cancelled deliveries: ${done.cancelled}.`, done, deps);
    },
  }),

  remove: defineSiteCommand({
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
  }),

  'rotate-secret': defineSiteCommand({
    description:
      'Creates a new secret for a subscription and prints it. The secret is shown only once. With --overlap new deliveries are signed with both secrets for that time, so that you can update the receiver at any moment; without it they are signed with the new secret only. Deliveries that are already queued keep the old secret. During an overlap the secret can be rotated again only without --overlap, which revokes all older secrets. After a leak, rotate without --overlap.',
    arguments: { id: subscriptionParameter },
    options: {
      ...overlapParameters('new deliveries are also signed with the old secret'),
      secret: secretParameter,
    },
    examples: {
      'webhook rotate-secret 3 --overlap 7d': 'Keep the old secret valid for a week',
      'webhook rotate-secret 3 --yes --json': 'Replace a leaked secret immediately',
    },
    destructive: withoutOverlap,
    async run({ id, overlap = 0, secret: given }, deps) {
      const { store } = deps;
      if (overlap === 0)
        await deps.confirm(
          'Sign new deliveries with the new secret only? Use --overlap to sign with both for a while.',
        );
      const { secret, previousEndsOn, open } = await rotateWebhookSecret(store, {
        id,
        sealer: await openWebhookSealer(store, deps.loadConfig().config.secret),
        secret: given ?? null,
        overlap: overlap * 1000,
      });
      return {
        kind: 'record',
        record: addedRecord({ ...(await loadSubscription(store, id)), secret }),
        notes: [
          ...secretNotes(secret),
          previousEndsOn === null
            ? 'New deliveries are signed with the new secret only.'
            : `New deliveries are signed with both secrets until ${isoTimeOfMs(previousEndsOn)}.`,
          open > 0 && keptText(open, 'secret'),
        ],
      };
    },
  }),

  events: defineSiteCommand({
    description:
      'Lists all events that a subscription can name, when they are raised, and an example of each payload. With EVENT the command prints that payload in full. A payload names the record that changed, not its new values: the receiver reads the record from the gateway, or drops its cache entries with the tags of meta.revalidate. data.revision increases with every event, so of two events about a record the one with the lower number is older.',
    arguments: {
      event: optional(eventValue, 'Event whose payload is printed in full', {
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
      return { kind: 'text', text: `${JSON.stringify(record.payload, null, 2)}\n`, data: record };
    },
  }),
};

function eventRecord({ event, when, body }: EventSample) {
  return { event, when, payload: parseJson(body) };
}

function unknown(event: string, samples: readonly EventSample[]): AppError {
  const near = nearMatch(
    event,
    samples.map((sample) => sample.event),
  );
  const hint = near === undefined ? 'see hcd webhook events' : `did you mean ${near}?`;
  return new AppError('not_found', { message: `Unknown event ${event}; ${hint}` });
}
