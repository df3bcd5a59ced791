/** Subscriptions come, go and are switched while events are queued and workers send: nothing fails and nothing is left. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import type { Database } from '../../src/store/base/database.js';
import { openStore } from '../../src/store/open/open.js';
import { replayDeliveries } from '../../src/webhooks/administration/deliveries.js';
import {
  disableSubscription,
  enableSubscription,
  removeSubscription,
} from '../../src/webhooks/administration/subscriptions.js';
import { enqueue } from '../../src/webhooks/queue/enqueue.js';
import { cancelStray } from '../../src/webhooks/queue/outbox.js';
import { databaseClock } from '../../src/webhooks/rules/deciding-time.js';
import { runWorker } from '../../src/webhooks/worker/worker.js';
import { describeEachDatabase } from '../support/databases.js';
import { answer, openOutbox, resourceUpdated } from './outbox-store.js';

/** Lets workers claim and send. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The same database, and the addresses of what each claim won, with those that were gone when the claim was begun. */
function watchClaims(
  own: Database,
  parts: { readonly gone: ReadonlySet<string>; readonly heed: (url: string, wasGone: boolean) => void },
): Database {
  const watched = Object.create(own, { primary: { value: own.primary } }) as Database;
  watched.write = async (work, options) => {
    const goneBefore = new Set(parts.gone);
    const result = await own.write(work, options);
    for (const url of wonBy(result)) parts.heed(url, goneBefore.has(url));
    return result;
  };
  return watched;
}

/** The addresses of the deliveries where the transaction was a claim. */
function wonBy(result: unknown): readonly string[] {
  if (typeof result !== 'object' || result === null || !('won' in result) || !Array.isArray(result.won)) return [];
  return result.won.map(({ url }) => String(url));
}

describeEachDatabase('subscriptions that change under work', (database) => {
  test('lose no event of the others, and get nothing once they are gone', { timeout: 120_000 }, async () => {
    const outbox = await openOutbox(database);
    const steady = await outbox.subscribe({ url: 'http://steady.example/' });
    const stores = await Promise.all(
      [0, 1, 2].map(() => openStore({ databaseUrl: outbox.databaseUrl, prefix: 'modx_' })),
    );
    const [first, second, third] = stores;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no stores');
    const gone = new Set<string>();
    const claimed = new Set<string>();
    const late: string[] = [];
    const heed = (url: string, wasGone: boolean): void => {
      claimed.add(url);
      if (wasGone) late.push(url);
    };
    const sends = new Map<string, number>();
    const stop = new AbortController();
    const workers = [first, second].map((store, at) =>
      runWorker(
        outbox.options(
          async ({ url }) => {
            await new Promise((resolve) => setImmediate(resolve));
            // Not by the ids: those of one receiver may all be multiples of three, and ten failures in a row would pause it.
            const count = (sends.get(url) ?? 0) + 1;
            sends.set(url, count);
            return answer(count % 3 === 0 ? 500 : 200);
          },
          {
            own: watchClaims(store.own, { gone, heed }),
            clock: systemClock,
            time: databaseClock,
            random: Math.random,
            name: `worker ${at}`,
            once: false,
            intervalMs: 5,
            signals: { stop: stop.signal, end: new AbortController().signal },
          },
        ),
      ),
    );
    const queueing = Promise.all(
      [outbox.store, third].map(async (store) => {
        for (let turn = 0; turn < 60; turn += 1) {
          await turns();
          await store.own.write((tx) => enqueue(tx, { ...resourceUpdated, key: turn }));
        }
      }),
    );
    const switching = Promise.all(
      [0, 1, 2].map(async (lane) => {
        for (let turn = 0; turn < 6; turn += 1) {
          const url = `http://moving.example/${lane}/${turn}`;
          const id = await outbox.subscribe({ url });
          await turns();
          await disableSubscription(third, id);
          await enableSubscription(third, id);
          await replayDeliveries(third, { since: 0, subscriptionId: id, withDelivered: true });
          await removeSubscription(outbox.store, id);
          // What was claimed before may still wait for a place, and is sent then.
          gone.add(url);
        }
      }),
    );
    await queueing;
    await switching;
    await cancelStray(outbox.store.own);
    const pending = async () =>
      (await outbox.deliveries('subscription_id, status, attempts')).filter(
        ({ status, attempts }) => status === 'delivering' || (status === 'pending' && attempts === 0),
      );
    await expect.poll(pending).toEqual([]);
    stop.abort();
    await Promise.all(workers);
    await Promise.all(stores.map((store) => store.close()));
    expect(outbox.log.filter(({ kind }) => kind === 'unexpected_error' || kind === 'store_unavailable')).toEqual([]);
    expect([late, [...sends.keys()].filter((url) => !claimed.has(url))]).toEqual([[], []]);
    const rows = await outbox.deliveries('subscription_id, status, claim');
    const ofSteady = rows.filter((row) => row['subscription_id'] === steady);
    expect(ofSteady).toHaveLength(120);
    expect(new Set(ofSteady.map(({ status }) => status))).toEqual(new Set(['delivered', 'pending']));
    const others = rows.filter((row) => row['subscription_id'] !== steady);
    expect(
      others.filter(({ status, claim }) => status !== 'delivered' && (status !== 'cancelled' || claim !== '')),
    ).toEqual([]);
  });
});
