/** Adds a subscription for `hcd webhook add`. */
import { resolve } from 'node:path';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { addSubscription } from '../../src/webhooks/add-subscription.js';
import { openWebhookSealer } from '../../src/webhooks/webhook-sealer.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { readOwnPlaces } from '../worker/own-places.js';
import { secretNotes } from './secret-notes.js';
import { addedRecord } from './webhook-record.js';

export interface AddOptions {
  readonly url: string;
  readonly events: readonly string[];
  readonly name: string | undefined;
  readonly secret: string | undefined;
  readonly inactive: boolean;
}

export async function runAdd({ url, events, name, secret, inactive }: AddOptions, deps: Deps): Promise<RecordResult> {
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
}
