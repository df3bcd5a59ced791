/** `hcd webhook test ID`: sends a test event and shows the answer. */
import { hostname } from 'node:os';
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import type { Store } from '../../src/store/open/open.js';
import { outboundPolicyOf } from '../../src/webhooks/addresses/outbound-policy.js';
import { type DeliveryDetails, showDelivery, testSubscription } from '../../src/webhooks/administration/deliveries.js';
import { openWebhookSealer } from '../../src/webhooks/administration/secrets.js';
import { openOutbound } from '../../src/webhooks/client/outbound.js';
import { databaseClock } from '../../src/webhooks/rules/deciding-time.js';
import { sendOne } from '../../src/webhooks/worker/send-one.js';
import { defineCommand } from '../command.js';
import { deliveryRecord } from '../delivery/shared.js';
import type { Deps } from '../deps.js';
import { toggle } from '../parameters.js';
import type { DoneResult } from '../result.js';
import { readOwnPlaces } from '../worker/own-places.js';
import { subscriptionParameter } from './shared.js';

/** Interval and number of checks when a worker has claimed the delivery first. */
const lookMs = 200;

const looks = 150;

export const command = defineCommand({
  path: 'webhook test',
  summary: 'Send a test event to a subscription',
  description:
    'Sends the event webhook.test to a subscription, whatever events it lists, and shows the status of the answer and the time it took. With gateway_webhook_keep_answers the text of the answer is shown too. The test event is a normal delivery: same signature, same address checks, same time limit of 15 seconds. It appears in hcd delivery list and counts as a success or failure of the subscription. It is tried once; the exit code is 1 when it fails.',
  arguments: { id: subscriptionParameter },
  options: { queue: toggle('Only queue the event; hcd worker sends and retries it') },
  examples: [
    { line: 'webhook test 3', does: 'Check that a receiver accepts deliveries' },
    { line: 'webhook test 3 --queue', does: 'Check that a worker is running' },
  ],
  endsItself: true,
  async run({ id, queue }, deps) {
    const store = await deps.openReady();
    const queued = await testSubscription(store, id);
    if (queue) {
      const message = `Queued the test event as delivery ${queued.id}. Send it now: hcd worker --once`;
      return { kind: 'done', message, data: deliveryRecord(queued) };
    }
    await send(queued.id, { store, deps });
    return report(await showDelivery(store, queued.id));
  },
});

async function send(
  deliveryId: number,
  { store, deps }: { readonly store: Store; readonly deps: Deps },
): Promise<void> {
  const { config } = deps.loadConfig();
  const { clock, stop } = deps;
  const { values } = await readRuntimeSettings(store, deps.env);
  const policy = outboundPolicyOf(values, await readOwnPlaces(store, config));
  const outbound = openOutbound({ clock });
  try {
    const attempt = await sendOne(
      {
        own: store.own,
        clock,
        time: databaseClock,
        sealer: await openWebhookSealer(store, config.secret),
        send: outbound.send,
        policy: () => policy,
        keepsAnswers: () => values.gateway_webhook_keep_answers,
        stop,
        name: `${hostname()}:${process.pid}`,
        disableAfterDays: values.gateway_webhook_disable_after_days,
      },
      deliveryId,
    );
    if (attempt === null) await untilTried(deliveryId, { store, deps });
  } finally {
    outbound.close();
  }
}

/** A worker claimed the delivery first: waits for its first attempt, for at most 30 seconds. */
async function untilTried(deliveryId: number, { store, deps }: { readonly store: Store; readonly deps: Deps }) {
  for (let look = 0; look < looks && !deps.stop.aborted; look += 1) {
    const { attemptList } = await showDelivery(store, deliveryId);
    if (attemptList.length > 0) return;
    await deps.clock.sleep(lookMs, deps.stop);
  }
}

function report(delivery: DeliveryDetails): DoneResult {
  const { id, url, status, lastStatus, lastError, attemptList } = delivery;
  const last = attemptList.at(-1);
  const took = last === undefined ? '' : ` after ${last.endedOn - last.startedOn} ms`;
  const isDelivered = status === 'delivered';
  const message = isDelivered
    ? `Delivered the test event to ${url}: HTTP ${lastStatus}${took}.`
    : `The test event was not delivered to ${url}: ${lastError ?? 'no worker has sent it yet'}${took}.${hintFor(delivery)}`;
  return {
    kind: 'done',
    message,
    data: {
      ...deliveryRecord(delivery),
      outcome: last?.outcome ?? null,
      duration_ms: last === undefined ? null : last.endedOn - last.startedOn,
      answer: last?.answer ?? null,
    },
    notes: [
      ...(last?.answer ? [`Answer: ${last.answer}`] : []),
      ...(isDelivered ? [] : [`To retry: hcd delivery retry ${id}. To see what was sent: hcd delivery show ${id}`]),
    ],
    exitCode: isDelivered ? 0 : 1,
  };
}

function hintFor({ attemptList }: DeliveryDetails): string {
  return attemptList.at(-1)?.outcome === 'refused'
    ? ' Private addresses require gateway_webhook_allowed_networks, or gateway_webhook_allow_private_urls for development.'
    : '';
}
