/** Reads subscriptions for `hcd webhook list`. */
import { listSubscriptions } from '../../src/webhooks/subscription-view.js';
import type { Deps } from '../deps.js';
import type { ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { describeSubscriptions } from './show-subscription.js';

const columns = [
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
];

export async function runList(deps: Deps): Promise<ListResult> {
  const store = await openReady(deps);
  const rows = await describeSubscriptions(await listSubscriptions(store), { store, deps });
  const empty =
    'There is no webhook subscription. Make one: hcd webhook add --url https://… --events resources.updated';
  return { kind: 'list', columns, rows, empty };
}
