/** `hcd webhook list`: the subscriptions. */
import { listSubscriptions } from '../../src/webhooks/administration/show-subscriptions.js';
import { defineCommand } from '../command.js';
import { describeSubscriptions } from './shared.js';

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
  summary: 'List webhook subscriptions',
  description:
    'Lists all subscriptions with their state, open deliveries and failures. Secrets are never shown. States: active, failing (the last attempt failed), inactive. A subscription whose deliveries all fail for gateway_webhook_disable_after_days is disabled, not before disables_on. One success resets this.',
  arguments: {},
  options: {},
  examples: [
    { line: 'webhook list', does: 'List all subscriptions' },
    { line: 'webhook list --json', does: 'List all subscriptions with all members, as JSON' },
  ],
  async run(_options, deps) {
    const store = await deps.openReady();
    const rows = await describeSubscriptions(await listSubscriptions(store), { store, deps });
    const empty = 'No webhook subscriptions. Add one: hcd webhook add --url https://… --events resources.updated';
    return { kind: 'list', columns, rows, empty };
  },
});
