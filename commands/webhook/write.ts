/** The commands that write webhook subscriptions. */
import { openWebhookSealer, rotateWebhookSecret } from '../../src/webhooks/administration/secrets.js';
import {
  addSubscription,
  loadSubscription,
  updateSubscription,
} from '../../src/webhooks/administration/subscriptions.js';
import { defineCommand, defineSiteCommand, isoTime } from '../command.js';
import { optional, overlapParameters, required, toggle, usageError, withoutOverlap } from '../parameters.js';
import {
  aboutEvents,
  addedRecord,
  eventsValue,
  keptText,
  nameValue,
  offerEvents,
  secretNotes,
  secretParameter,
  subscriptionParameter,
  subscriptionRecord,
  urlValue,
} from '../webhook.js';
import { readOwnPlaces } from '../worker/own-places.js';

export const webhookAdd = defineSiteCommand({
  description:
    'Adds a subscription: hcd worker sends each of its events to its URL as a signed POST. Prints the secret. The secret is shown only once: the database stores it encrypted. Events are raised by changes through the gateway, by scheduled publications, and by hcd resource with --events.\n\nEvents are OBJECT.created, OBJECT.updated and OBJECT.deleted (hcd webhook events), or * for all events. Patterns such as resources.* are not supported. The URL is http or https; with gateway_webhook_https_only it must be https. Private and local addresses are refused unless gateway_webhook_allowed_networks lists them or gateway_webhook_allow_private_urls is on.',
  options: {
    url: required(urlValue, 'URL to send deliveries to'),
    events: required(eventsValue, aboutEvents),
    name: optional(nameValue, 'A label for the subscription'),
    secret: secretParameter,
    inactive: toggle('Create an inactive subscription'),
  },
  examples: {
    'webhook add --url https://site.example/hooks/content --events resources.updated,resources.deleted':
      'Notify a website of changes',
    'webhook add --url https://ci.example/build --events * --name build --json':
      'Subscribe to all events and print the result as JSON',
  },
  offers: { events: offerEvents },
  async run({ url, events, name, secret, inactive }, deps) {
    const { config } = deps.loadConfig();
    const added = await addSubscription(deps.store, {
      registry: await deps.registry(),
      settings: await deps.settings(),
      places: await readOwnPlaces(deps.store, config),
      sealer: await openWebhookSealer(deps.store, config.secret),
      url,
      events,
      name: name === undefined || name.trim() === '' ? null : name,
      secret: secret ?? null,
      active: !inactive,
      createdBy: 'command',
    });
    const next = inactive
      ? `The subscription is inactive. Turn it on: hcd webhook enable ${added.id}`
      : `To test it: hcd webhook test ${added.id}. Deliveries need a running hcd worker.`;
    return { kind: 'record', record: addedRecord(added), notes: [...secretNotes(added.secret), next] };
  },
});

export const webhookUpdate = defineCommand({
  description:
    'Changes the URL, the events or the name of a subscription and keeps the rest. New events use the new values; deliveries that are already queued keep their URL.',
  arguments: { id: subscriptionParameter },
  options: {
    url: optional(urlValue, 'URL to send deliveries to'),
    events: optional(eventsValue, aboutEvents),
    name: optional(nameValue, 'A label for the subscription; an empty value removes it'),
  },
  examples: {
    'webhook update 3 --events resources.updated,resources.deleted': 'Deliver only two events',
    'webhook update 3 --url https://site.example/hooks/v2 --json': 'Change the URL and print the subscription as JSON',
  },
  async run({ id, url, events, name }, deps) {
    if (url === undefined && events === undefined && name === undefined) {
      throw usageError({ '--url': 'is required when neither --events nor --name is given' });
    }
    const site = await deps.openSite();
    const view = await updateSubscription(site.store, {
      id,
      registry: await site.registry(),
      settings: await site.settings(),
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
});

export const webhookRotateSecret = defineSiteCommand({
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
      await deps.confirm('Sign new deliveries with the new secret only? Use --overlap to sign with both for a while.');
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
          : `New deliveries are signed with both secrets until ${isoTime(previousEndsOn)}.`,
        open > 0 && keptText(open, 'secret'),
      ],
    };
  },
});
