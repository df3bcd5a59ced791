/** `hcd webhook update ID`: changes the URL, events or name of a subscription. */
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import { updateSubscription } from '../../src/webhooks/administration/write-subscriptions.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { openSiteRegistry } from '../store/open-registry.js';
import { usageError } from '../usage-error.js';
import { readOwnPlaces } from '../worker/own-places.js';
import {
  aboutEvents,
  describeSubscription,
  eventsValue,
  keptText,
  nameValue,
  subscriptionParameter,
  urlValue,
} from './shared.js';

export const command = defineCommand({
  path: 'webhook update',
  summary: 'Update a webhook subscription',
  description:
    'Changes the URL, the events or the name of a subscription and keeps the rest. New events use the new values; deliveries that are already queued keep their URL.',
  arguments: { id: subscriptionParameter },
  options: {
    url: optional(urlValue, { placeholder: 'URL', description: 'URL to send deliveries to' }),
    events: optional(eventsValue, aboutEvents),
    name: optional(nameValue, {
      placeholder: 'NAME',
      description: 'A label for the subscription; an empty value removes it',
    }),
  },
  examples: [
    { line: 'webhook update 3 --events resources.updated,resources.deleted', does: 'Deliver only two events' },
    {
      line: 'webhook update 3 --url https://site.example/hooks/v2 --json',
      does: 'Change the URL and print the subscription as JSON',
    },
  ],
  async run({ id, url, events, name }, deps) {
    if (url === undefined && events === undefined && name === undefined) {
      throw usageError({
        '--url': 'is required when neither --events nor --name is given',
      });
    }
    const { config } = deps.loadConfig();
    const store = await deps.openReady();
    const registry = await openSiteRegistry(deps, store);
    const view = await updateSubscription(store, {
      id,
      registry,
      settings: (await readRuntimeSettings(store, deps.env)).values,
      places: await readOwnPlaces(store, config),
      changes: {
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events }),
        ...(name === undefined ? {} : { name: name.trim() === '' ? null : name }),
      },
    });
    const keepsAddress = url !== undefined && view.open > 0;
    return {
      kind: 'record',
      record: await describeSubscription(view, { store, deps }),
      notes: keepsAddress ? [keptText(view.open, 'address')] : [],
    };
  },
});
