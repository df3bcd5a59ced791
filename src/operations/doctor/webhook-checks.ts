/** Checks of webhooks: unreadable secrets, failing or disabled receivers, a missing worker, open networks. */
import { timeValue } from '../../config/value-type.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { readNow, readState } from '../../store/state/state.js';
import { hourMs, minuteMs } from '../../values/dates.js';
import { countOf } from '../../values/text.js';
import { isReadableSecret, webhookSealer } from '../../webhooks/administration/secrets.js';
import { type SubscriptionRow, subscriptions as subscriptionRows } from '../../webhooks/models/subscriptions.js';
import { databaseClock } from '../../webhooks/rules/deciding-time.js';
import { lookAhead } from '../../webhooks/worker/claim.js';
import { readLastPass } from '../models/processes.js';
import { type Check, error, type Finding, fixCommand, ok, orOk, type StoreFacts, sample, warning } from './check.js';

export const webhookChecks: readonly Check[] = [
  { name: 'webhooks', needs: 'content', table: 'hcd_webhook_subscriptions', run: checkSubscriptions },
  { name: 'webhook-worker', needs: 'store', table: 'hcd_webhook_deliveries', run: checkWorker },
  { name: 'worker', needs: 'store', table: 'hcd_processes', run: checkLastPass },
  { name: 'webhook-networks', needs: 'content', run: checkNetworks },
];

async function checkSubscriptions(facts: StoreFacts): Promise<readonly Finding[]> {
  const { store, env } = facts;
  const subscriptions = await subscriptionRows.on(store.own.primary).findAll({ order: ['id'] });
  const { values } = await readRuntimeSettings(store, env);
  const days = values.gateway_webhook_disable_after_days;
  const findings = [
    ...(await secretFindings(facts, subscriptions)),
    ...subscriptions.flatMap((one) => receiverFinding(one, days) ?? []),
  ];
  const active = subscriptions.filter((one) => one.active).length;
  const silent =
    active === 0 || values.gateway_cms_events ? '' : '; edits in the CMS raise no events (gateway_cms_events)';
  return orOk(findings, `${countOf(active, 'active subscription')}${silent}`);
}

async function secretFindings(
  { store, configuration: { config } }: StoreFacts,
  subscriptions: readonly SubscriptionRow[],
): Promise<Finding[]> {
  // A check must not create a secret.
  const secret = config.secret ?? (await readState(store.own.primary, 'root_secret'));
  const sealer = secret === null ? null : webhookSealer(secret);
  const unreadable = subscriptions
    .filter((row) => sealer === null || !isReadableSecret(sealer, row))
    .map(({ id }) => id);
  if (unreadable.length === 0) return [];
  const [have, they] =
    unreadable.length === 1
      ? ['1 subscription has a secret', 'it was']
      : [`${unreadable.length} subscriptions have secrets`, 'they were'];
  return [
    error(
      `${have} that cannot be decrypted (${sample(unreadable)}): ${they} stored under another root secret, and no delivery can be signed`,
      `Set HCD_SECRET as it was, or give each a new secret: hcd webhook rotate-secret ${unreadable[0]}`,
      fixCommand('webhook rotate-secret', unreadable.slice(0, 1)),
    ),
  ];
}

/** A receiver that a person disabled is not a problem. */
function receiverFinding({ id, active, failures, disabledReason, firstFailureOn }: SubscriptionRow, days: number) {
  if (!active) {
    return disabledReason === null || disabledReason.endsWith('by hand')
      ? null
      : warning(
          `subscription ${id} was disabled: ${disabledReason}`,
          `When the receiver works again: hcd webhook enable ${id}, then hcd webhook test ${id}`,
          fixCommand('webhook enable', [id]),
        );
  }
  if (failures === 0) return null;
  const times = failures === 1 ? 'once' : `${failures} times in a row`;
  const since = firstFailureOn === null ? '' : `, since ${timeValue.format(Math.floor(firstFailureOn / 1000))}`;
  const then = days === 0 ? '' : `; after ${countOf(days, 'day')} of nothing but failures it is disabled`;
  return warning(
    `the receiver of subscription ${id} has failed ${times}${since}`,
    `hcd delivery list --webhook ${id} shows why${then}`,
    fixCommand('delivery list', [], { webhook: String(id) }),
  );
}

/** Longer than a worker pauses a receiver that fails. */
const patienceMs = 600_000;

async function checkWorker({ store }: StoreFacts): Promise<Finding> {
  const { due, now } = await lookAhead({ own: store.own, time: databaseClock });
  const late = due.filter(({ dueOn }) => dueOn < now - patienceMs);
  if (late.length === 0) return ok('no delivery is overdue');
  const minutes = Math.round((now - Math.min(...late.map(({ dueOn }) => dueOn))) / minuteMs);
  const ids = sample(late.map(({ subscriptionId }) => subscriptionId));
  return warning(
    `deliveries are ${minutes} minutes overdue (subscriptions ${ids}): no worker seems to run`,
    'Run hcd worker as a service, or hcd worker --once from cron every minute',
  );
}

/** `hcd worker --once` from cron leaves the time of its pass, too. */
async function checkLastPass({ store }: StoreFacts): Promise<Finding> {
  const own = store.own.primary;
  const last = await readLastPass(own);
  if (last === null) return ok('no worker has run yet');
  const passed = (await readNow(own)) - last;
  if (passed < hourMs) return ok(`a worker ran ${countOf(Math.round(passed / minuteMs), 'minute')} ago`);
  return warning(
    `no worker has run for ${countOf(Math.floor(passed / hourMs), 'hour')}: deliveries, planned publications and the removal of old data wait`,
    'Run hcd worker as a service, or hcd worker --once from cron every minute',
  );
}

async function checkNetworks({ store, env }: StoreFacts): Promise<Finding> {
  const { values } = await readRuntimeSettings(store, env);
  if (!values.gateway_webhook_allow_private_urls)
    return ok('deliveries go to public addresses and to named networks only');
  return store.kind === 'attached'
    ? warning(
        'gateway_webhook_allow_private_urls is on: deliveries may go to any address of the network',
        'Name what is needed in gateway_webhook_allowed_networks, and set gateway_webhook_allow_private_urls 0',
        fixCommand('setting set', ['gateway_webhook_allow_private_urls', 0]),
      )
    : ok('deliveries may go to private addresses (gateway_webhook_allow_private_urls), which suits development');
}
