/** `hcd webhook list`: list webhook subscriptions. */
import { listSubscriptions } from '../../src/webhooks/administration/subscriptions.js';
import { defineSiteCommand, type JsonRecord } from '../command.js';
import { subscriptionRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists all subscriptions with their state, open deliveries and failures. Secrets are never shown. States: active, failing (the last attempt failed), inactive. A subscription whose deliveries all fail for gateway_webhook_disable_after_days is disabled, not before disables_on. One success resets this. JSON also has when each of them last succeeded, and what was finished in the last 24 hours.',
  examples: {
    'webhook list': 'List all subscriptions',
    'webhook list --json': 'List all subscriptions with all members, as JSON',
  },
  async run(_options, deps) {
    const rows: JsonRecord[] = [];
    for (const view of await listSubscriptions(deps.store)) rows.push(await subscriptionRecord(view, deps));
    const empty = 'No webhook subscriptions. Add one: hcd webhook add --url https://… --events resources.updated';
    return {
      kind: 'list',
      columns: [
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
      ],
      rows,
      empty,
    };
  },
});
