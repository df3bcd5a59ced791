/** `hcd webhook add`: add a webhook subscription. */
import { openWebhookSealer } from '../../src/webhooks/administration/secrets.js';
import { addSubscription } from '../../src/webhooks/administration/subscriptions.js';
import { defineSiteCommand } from '../command.js';
import { makerOf } from '../deps.js';
import { optional, required, toggle } from '../parameters.js';
import { readOwnPlaces } from '../worker/own-places.js';
import {
  aboutEvents,
  addedRecord,
  eventsValue,
  nameValue,
  offerEvents,
  secretNotes,
  secretParameter,
  urlValue,
} from './shared.js';

export const command = defineSiteCommand({
  description:
    'Adds a subscription: hcd worker sends each of its events to its URL as a signed POST. Prints the secret. The secret is shown only once: the database stores it encrypted. Events are raised by changes through the gateway, by scheduled publications, and by hcd resource with --events.\n\nEvents are OBJECT.created, OBJECT.updated and OBJECT.deleted (hcd webhook events), or * for all of these. pages.published and pages.withdrawn must be named: * does not include them. Patterns such as resources.* are not supported. The URL is http or https; with gateway_webhook_https_only it must be https. Private and local addresses are refused unless gateway_webhook_allowed_networks lists them or gateway_webhook_allow_private_urls is on.',
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
      'Subscribe to all events of the gateway and print the result as JSON',
  },
  offers: { events: offerEvents },
  async run({ url, events, name, secret, inactive }, deps) {
    const { config } = deps.loadConfig();
    const added = await addSubscription(deps.store, {
      registry: await deps.registry(),
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
});
