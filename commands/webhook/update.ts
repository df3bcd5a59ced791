/** `hcd webhook update`: update a webhook subscription. */
import { updateSubscription } from '../../src/webhooks/administration/subscriptions.js';
import { defineCommand } from '../command.js';
import { optional, usageError } from '../parameters.js';
import { readOwnPlaces } from '../worker/own-places.js';
import {
  aboutEvents,
  eventsValue,
  keptText,
  nameValue,
  offerEvents,
  subscriptionParameter,
  subscriptionRecord,
  urlValue,
} from './shared.js';

export const command = defineCommand({
  description:
    'Changes the URL, the events or the name of a subscription and keeps the rest. New events use the new values; deliveries that are already queued keep their URL.',
  arguments: { id: subscriptionParameter },
  options: {
    url: optional(urlValue, 'URL to send deliveries to'),
    events: optional(eventsValue, aboutEvents),
    name: optional(nameValue, 'A label for the subscription; an empty value removes it'),
  },
  offers: { events: offerEvents },
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
});
