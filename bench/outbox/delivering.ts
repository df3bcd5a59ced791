/** How fast a worker delivers, against a bare loop that sends as many requests with the same client and nothing else. */
import { systemClock } from '../../src/clock/clock.js';
import { settingDefinitions } from '../../src/config/setting-definitions.js';
import { makeOutboundPolicy } from '../../src/webhooks/addresses/outbound-policy.js';
import { webhookSealer } from '../../src/webhooks/administration/secrets.js';
import { openOutbound } from '../../src/webhooks/client/outbound.js';
import { deliveryHeaders } from '../../src/webhooks/rules/signatures.js';
import { runWorker } from '../../src/webhooks/worker/worker.js';
import { ratiosOf, type Spread, spreadOf } from '../figures.js';
import { type OutboxSiteRequest, openOutboxSite, raise, rootSecret, subscribe } from './outbox-site.js';

export interface DeliveringRequest extends OutboxSiteRequest {
  readonly origin: string;
  readonly deliveries: number;
  readonly rounds: number;
}

export interface DeliveringFigures {
  /** Per second. */
  readonly worker: Spread;
  readonly bare: Spread;
  readonly ratio: Spread;
  /** Processor time of this process for a delivery: that of the bare loop against the worker's. */
  readonly cost: Spread;
  /** MiB of this process after the first round and at the end. */
  readonly memory: { readonly first: number; readonly last: number };
}

const receivers = 10;
const concurrency = settingDefinitions.gateway_webhook_concurrency.default;

export async function measureDelivering(request: DeliveringRequest): Promise<DeliveringFigures> {
  const { origin, deliveries, rounds } = request;
  const site = await openOutboxSite(request);
  await subscribe(site, { count: receivers, origin });
  const outbound = openOutbound({ clock: systemClock });
  const policy = makeOutboundPolicy({ allowPrivate: true });
  const settings = {
    // More than there are: what is claimed and given back because the machine is slow counts, too.
    ...{ gateway_webhook_max_attempts: 12, gateway_webhook_worker_limit: 100 * deliveries },
    ...{ gateway_webhook_concurrency: concurrency, gateway_webhook_disable_after_days: 5 },
    ...{ gateway_webhook_retention_days: 30, gateway_webhook_keep_answers: false },
  };
  const never = new AbortController().signal;
  const rates = { worker: [] as number[], bare: [] as number[] };
  const costs = { worker: [] as number[], bare: [] as number[] };
  const memory: number[] = [];

  const runBare = async (): Promise<void> => {
    let left = deliveries;
    const loop = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const outcome = await outbound.send({ url: `${origin}/hook/${left % receivers}`, headers, body, policy });
        if (outcome.kind !== 'answered') throw new Error(`a request ended with ${outcome.kind}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, loop));
  };
  const runOne = async (): Promise<void> => {
    const report = await runWorker({
      ...{ own: site.store.own, clock: systemClock, log: () => undefined, sealer: webhookSealer(rootSecret) },
      ...{ send: outbound.send, policy: () => policy, settings: () => settings, random: Math.random },
      ...{ name: 'bench', signals: { stop: never, end: never }, once: true, limit: null, intervalMs: 1000 },
    });
    if (report.delivered !== deliveries) throw new Error(`${report.delivered} of ${deliveries} were delivered`);
  };
  const measure = async (kind: 'worker' | 'bare', work: () => Promise<void>): Promise<void> => {
    const started = performance.now();
    const before = process.cpuUsage();
    await work();
    rates[kind].push(deliveries / ((performance.now() - started) / 1000));
    const { user, system } = process.cpuUsage(before);
    costs[kind].push((user + system) / deliveries);
  };
  try {
    for (let round = 0; round < rounds; round += 1) {
      await raise(site, deliveries / receivers);
      if (round % 2 === 0) await measure('bare', runBare);
      await measure('worker', runOne);
      if (round % 2 === 1) await measure('bare', runBare);
      memory.push(process.memoryUsage().rss / 1024 / 1024);
    }
  } finally {
    outbound.close();
    await site.store.close();
  }
  return {
    worker: spreadOf(rates.worker),
    bare: spreadOf(rates.bare),
    ratio: ratiosOf(rates.worker, rates.bare),
    cost: ratiosOf(costs.bare, costs.worker),
    memory: { first: memory[0] ?? Number.NaN, last: memory.at(-1) ?? Number.NaN },
  };
}

/** Of about the size of a real one; signed once, where the worker signs each. */
const body = JSON.stringify({ type: 'resources.updated', data: { object: 'resources' }, fill: 'x'.repeat(300) });
const headers = deliveryHeaders({
  ...{ eventId: '0'.repeat(32), event: 'resources.updated', deliveryId: 1, body, timestamp: 1_800_000_000 },
  secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq='],
});
