/** `hcd webhook add`: a receiver that hears of changes. */
import { resolve } from 'node:path';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { addSubscription } from '../../src/webhooks/administration/add-subscription.js';
import { openWebhookSealer } from '../../src/webhooks/administration/webhook-sealer.js';
import { defineCommand } from '../command.js';
import { optional, required, toggle } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { readOwnPlaces } from '../worker/own-places.js';
import { offerEvents } from './offer-events.js';
import { aboutEvents, eventsValue, nameValue, secretParameter, urlValue } from './parameters.js';
import { secretNotes } from './secret-notes.js';
import { addedRecord } from './webhook-record.js';

export const command = defineCommand({
  path: 'webhook add',
  summary: 'Send events to a receiver',
  description:
    'Adds a subscription: each change that raises one of its events is delivered to its URL as a signed POST. Prints the secret, once: the database keeps it encrypted and no command shows it again. Changes made through the gateway raise events, planned publications too, and those of hcd resource with --events. Deliveries are sent by hcd worker.\n\nEvents are OBJECT.created, OBJECT.updated and OBJECT.deleted (hcd webhook events), or * for all of them; patterns such as resources.* match nothing. The URL is http or https, https only with gateway_webhook_https_only; private and local addresses are refused unless gateway_webhook_allowed_networks names them or gateway_webhook_allow_private_urls is on.',
  arguments: {},
  options: {
    url: required(urlValue, { placeholder: 'URL', description: 'Where deliveries are sent' }),
    events: required(eventsValue, aboutEvents),
    name: optional(nameValue, { placeholder: 'NAME', description: 'Whose receiver it is, for people' }),
    secret: secretParameter,
    inactive: toggle('Deliver nothing until hcd webhook enable'),
  },
  examples: [
    {
      line: 'webhook add --url https://site.example/hooks/content --events resources.updated,resources.deleted',
      does: 'Tell a website what changes',
    },
    {
      line: 'webhook add --url https://ci.example/build --events * --name build --json',
      does: 'Add a receiver for a script',
    },
  ],
  offers: { events: offerEvents },
  async run({ url, events, name, secret, inactive }, deps) {
    const { config } = deps.loadConfig();
    const store = await openReady(deps);
    const registry = await openRegistry(store, {
      folder: resolve(deps.cwd, config.objects_dir),
      plugins: config.plugins,
    });
    const added = await addSubscription(store, {
      registry,
      settings: (await readRuntimeSettings(store, deps.env)).values,
      places: await readOwnPlaces(store, config),
      sealer: await openWebhookSealer(store, config.secret),
      url,
      events,
      name: name === undefined || name.trim() === '' ? null : name,
      secret: secret ?? null,
      active: !inactive,
      createdBy: 'command',
    });
    const next = inactive
      ? `It is inactive: hcd webhook enable ${added.id}`
      : `Try it: hcd webhook test ${added.id}. Deliveries are sent by hcd worker.`;
    return { kind: 'record', record: addedRecord(added), notes: [...secretNotes(added.secret), next] };
  },
});
