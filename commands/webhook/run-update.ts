/** Changes a subscription for `hcd webhook update`. */
import { resolve } from 'node:path';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { updateSubscription } from '../../src/webhooks/change-subscription.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { readOwnPlaces } from '../worker/own-places.js';
import { describeSubscription } from './show-subscription.js';
import { keptText } from './webhook-record.js';

export interface UpdateOptions {
  readonly id: number;
  readonly url: string | undefined;
  readonly events: readonly string[] | undefined;
  readonly name: string | undefined;
}

export async function runUpdate({ id, url, events, name }: UpdateOptions, deps: Deps): Promise<RecordResult> {
  if (url === undefined && events === undefined && name === undefined) {
    throw usageError({ '--url': 'is required when neither --events nor --name is given: there is nothing to change' });
  }
  const { config } = deps.loadConfig();
  const store = await openReady(deps);
  const registry = await openRegistry(store, {
    folder: resolve(deps.cwd, config.objects_dir),
    plugins: config.plugins,
  });
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
}
