/** `hcd webhook test ID`: sends a test event and shows the answer. */
import { hostname } from 'node:os';
import { outboundPolicyOf } from '../../src/webhooks/addresses/outbound-policy.js';
import { type DeliveryDetails, showDelivery, testSubscription } from '../../src/webhooks/administration/deliveries.js';
import { openWebhookSealer } from '../../src/webhooks/administration/secrets.js';
import { openOutbound } from '../../src/webhooks/client/outbound.js';
import { databaseClock } from '../../src/webhooks/rules/deciding-time.js';
import { sendOne } from '../../src/webhooks/worker/settle.js';
import { type DoneResult, defineSiteCommand } from '../command.js';
import { deliveryRecord } from '../delivery.js';
import type { SiteDeps } from '../deps.js';
import { toggle } from '../parameters.js';
import { readOwnPlaces } from '../worker/own-places.js';
import { subscriptionParameter } from './shared.js';

/** When a worker has claimed the delivery first. */
const lookMs = 200;

const looks = 150;

export const command = defineSiteCommand({
  description:
    'Sends the event webhook.test to a subscription, whatever events it lists, and shows the status of the answer and the time it took. With gateway_webhook_keep_answers the text of the answer is shown too. The test event is a normal delivery: same signature, same address checks, same time limit of 15 seconds. It appears in hcd delivery list and counts as a success or failure of the subscription. It is tried once; the exit code is 1 when it fails.',
  arguments: { id: subscriptionParameter },
  options: { queue: toggle('Only queue the event; hcd worker sends and retries it') },
  examples: {
    'webhook test 3': 'Check that a receiver accepts deliveries',
    'webhook test 3 --queue': 'Check that a worker is running',
  },
  endsItself: true,
  async run({ id, queue }, deps) {
    const queued = await testSubscription(deps.store, id);
    if (queue) {
      const message = `Queued the test event as delivery ${queued.id}. Send it now: hcd worker --once`;
      return { kind: 'done', message, data: deliveryRecord(queued) };
    }
    await send(queued.id, deps);
    return report(await showDelivery(deps.store, queued.id));
  },
});

async function send(deliveryId: number, deps: SiteDeps): Promise<void> {
  const { store, clock, stop } = deps;
  const { config } = deps.loadConfig();
  const values = await deps.settings('gateway', 'pages', 'banners');
  const policy = outboundPolicyOf(values, await readOwnPlaces(store, config));
  const outbound = openOutbound({ clock });
  try {
    const attempt = await sendOne(
      {
        ...{ own: store.own, clock, stop, time: databaseClock, send: outbound.send, policy: () => policy },
        sealer: await openWebhookSealer(store, config.secret),
        keepsAnswers: () => values.gateway_webhook_keep_answers,
        name: `${hostname()}:${process.pid}`,
        disableAfterDays: values.gateway_webhook_disable_after_days,
      },
      deliveryId,
    );
    if (attempt === null) await untilTried(deliveryId, deps);
  } finally {
    outbound.close();
  }
}

/** A worker claimed the delivery first: waits for at most 30 seconds. */
async function untilTried(deliveryId: number, { store, clock, stop }: SiteDeps): Promise<void> {
  for (let look = 0; look < looks && !stop.aborted; look += 1) {
    const { attemptList } = await showDelivery(store, deliveryId);
    if (attemptList.length > 0) return;
    await clock.sleep(lookMs, stop);
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
      last?.answer ? `Answer: ${last.answer}` : false,
      !isDelivered && `To retry: hcd delivery retry ${id}. To see what was sent: hcd delivery show ${id}`,
    ],
    exitCode: isDelivered ? 0 : 1,
  };
}

function hintFor({ attemptList }: DeliveryDetails): string {
  return attemptList.at(-1)?.outcome === 'refused'
    ? ' Private addresses require gateway_webhook_allowed_networks, or gateway_webhook_allow_private_urls for development.'
    : '';
}
