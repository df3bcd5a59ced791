/** `hcd webhook list`: the subscriptions. */
import { listSubscriptions } from '../../src/webhooks/administration/subscription-view.js';
import { defineCommand } from '../command.js';
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

export const command = defineCommand({
  path: 'webhook list',
  summary: 'List webhook subscriptions with their state',
  description:
    'Lists every subscription with its state, its open deliveries and its failures; never a secret. States: active, failing (the last attempt failed), inactive. A receiver that only fails for gateway_webhook_disable_after_days is disabled, not before disables_on; one success ends the count.',
  arguments: {},
  options: {},
  examples: [
    { line: 'webhook list', does: 'Show all subscriptions' },
    { line: 'webhook list --json', does: 'Read them with every member, for a script' },
  ],
  async run(_options, deps) {
    const store = await openReady(deps);
    const rows = await describeSubscriptions(await listSubscriptions(store), { store, deps });
    const empty =
      'There is no webhook subscription. Make one: hcd webhook add --url https://… --events resources.updated';
    return { kind: 'list', columns, rows, empty };
  },
});
