/** Checks of webhooks: secrets that cannot be read, receivers that were disabled or fail, a missing worker, open networks. */
import { databaseTime } from '../../outbox/deciding-time.js';
import { readTables } from '../../store/columns.js';
import { readState } from '../../store/rows/state.js';
import { readNextDeliveries } from '../../store/rows/webhook-claims.js';
import { readRuntimeSettings } from '../load-sample/runtime-settings.js';
import { listSubscriptions, type SubscriptionView } from '../webhooks/subscription-view.js';
import { findUnreadableSecrets, openWebhookSealer } from '../webhooks/webhook-sealer.js';
import { type Check, count, error, type Finding, ok, type StoreFacts, sample, warning } from './check.js';

export const webhookChecks: readonly Check[] = [
  { name: 'webhook-secrets', needs: 'store', run: withOutbox(checkSecrets) },
  { name: 'webhook-receivers', needs: 'store', run: withOutbox(checkReceivers) },
  { name: 'webhook-worker', needs: 'store', run: withOutbox(checkWorker) },
  { name: 'webhook-networks', needs: 'content', run: checkNetworks },
];

type Findings = Finding | Finding[];

/** Before the migrations have run there is nothing to look at, and their own check says so. */
function withOutbox(run: (facts: StoreFacts) => Promise<Findings>): (facts: StoreFacts) => Promise<Findings> {
  return async function runWithOutbox(facts) {
    const tables = await readTables(facts.store.own.primary, 'hcd_webhook_');
    return tables.size < 3 ? warning('not checked: migrations are pending', 'hcd migrate') : run(facts);
  };
}

async function checkSecrets({ store, configuration: { config } }: StoreFacts): Promise<Findings> {
  const subscriptions = await listSubscriptions(store);
  if (subscriptions.length === 0) return ok('there is no subscription');
  // Looked up here, because opening the sealer without one would make a new one.
  const secret = config.secret ?? (await readState(store.own.primary, 'root_secret'));
  const unreadable =
    secret === null
      ? subscriptions.map(({ id }) => id)
      : await findUnreadableSecrets(store, await openWebhookSealer(store, secret));
  if (unreadable.length === 0)
    return ok(`the secrets of ${count(subscriptions.length, 'subscription', 'subscriptions')} can be read`);
  return error(
    `the secrets of subscriptions cannot be read, so nothing is delivered to them: ${sample(unreadable)}`,
    `Set HCD_SECRET as it was, or give each a new one: hcd webhook rotate-secret ${unreadable[0]}`,
  );
}

async function checkReceivers({ store, env }: StoreFacts): Promise<Findings> {
  const subscriptions = await listSubscriptions(store);
  const { values } = await readRuntimeSettings(store, env);
  const days = values.gateway_webhook_disable_after_days;
  const findings = subscriptions.flatMap((one) => receiverFinding(one, days) ?? []);
  if (findings.length > 0) return findings;
  return ok(
    `${count(subscriptions.filter(({ active }) => active).length, 'active subscription', 'active subscriptions')}, none fails`,
  );
}

/** What a person switched off is as it was meant to be. */
function receiverFinding(
  { id, url, active, failures, disabledReason, firstFailureOn }: SubscriptionView,
  days: number,
): Finding | null {
  const title = `subscription ${id} (${url})`;
  if (!active) {
    return disabledReason === null || disabledReason.endsWith('by hand')
      ? null
      : warning(`${title} was disabled: ${disabledReason}`, `hcd webhook test, then hcd webhook enable ${id}`);
  }
  if (failures === 0 || firstFailureOn === null) return null;
  const since = new Date(firstFailureOn).toISOString();
  const then = days === 0 ? '' : `; it is disabled after ${count(days, 'day', 'days')} of that`;
  return warning(
    `${title} only fails since ${since}: ${count(failures, 'failure', 'failures')}${then}`,
    `hcd delivery list --webhook ${id}`,
  );
}

/** Longer than a worker pauses a receiver that fails. */
const patienceMs = 600_000;

async function checkWorker({ store }: StoreFacts): Promise<Findings> {
  const next = await readNextDeliveries(store.own.primary);
  const now = await databaseTime(store.own.primary);
  const late = next.filter(({ dueOn }) => dueOn < now - patienceMs);
  if (late.length === 0) return ok('no delivery waits past its time');
  const minutes = Math.round((now - Math.min(...late.map(({ dueOn }) => dueOn))) / 60_000);
  const ids = sample(late.map(({ subscriptionId }) => subscriptionId));
  return warning(
    `deliveries wait for ${minutes} minutes past their time (subscriptions ${ids}): no worker seems to run`,
    'Run hcd worker as a service, or hcd worker --once from cron every minute',
  );
}

async function checkNetworks({ store, env }: StoreFacts): Promise<Findings> {
  const { values } = await readRuntimeSettings(store, env);
  if (!values.gateway_webhook_allow_private_urls)
    return ok('deliveries go to public addresses and to named networks only');
  return store.kind === 'attached'
    ? warning(
        'gateway_webhook_allow_private_urls is on: deliveries may go to any address of the network',
        'Name what is needed in gateway_webhook_allowed_networks, and set gateway_webhook_allow_private_urls 0',
      )
    : ok('deliveries may go to private addresses (gateway_webhook_allow_private_urls), which suits development');
}
