/** The places of a worker: those that a receiver earns, and what a crash may repeat at most. */
import { expect, test } from 'vitest';
import type { Database } from '../../src/store/base/database.js';
import type { SendOutcome } from '../../src/webhooks/client/outbound.js';
import { runWorker } from '../../src/webhooks/worker/worker.js';
import { describeEachDatabase } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { answer, type Outbox, openOutbox, type Send } from './outbox-store.js';

/** Lets real work (database, sockets) go on until the condition holds. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 25_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('it did not happen within 25 seconds');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A worker that runs until the test stops it, and who it has sent to. */
function startWorker(outbox: Outbox, answerTo: (url: string, at: number) => SendOutcome | Promise<SendOutcome>) {
  const sent: string[] = [];
  let sending = 0;
  const counts = { most: 0 };
  const send: Send = async ({ url, headers }) => {
    sent.push(headers['x-gateway-delivery-id'] ?? '');
    sending += 1;
    counts.most = Math.max(counts.most, sending);
    const outcome = await answerTo(url, sent.length);
    sending -= 1;
    return outcome;
  };
  const [stop, end] = [new AbortController(), new AbortController()];
  const signals = { stop: stop.signal, end: end.signal };
  return {
    sent,
    counts,
    stop,
    send,
    running: (own?: Database) =>
      runWorker(outbox.options(send, { signals, once: false, ...(own === undefined ? {} : { own }) })),
  };
}

async function countOf(outbox: Outbox, status: string): Promise<number> {
  return (await outbox.deliveries('status')).filter((row) => row['status'] === status).length;
}

describeEachDatabase('a receiver that answers quickly', (database) => {
  test('gets all places but four, and leaves those to another one when it hangs', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe({ url: 'http://hangs.example/' });
    await outbox.raise(200);
    const gate = deferred<SendOutcome>();
    let healthy = 0;
    const { sent, counts, stop, running } = startWorker(outbox, (url, at) => {
      if (url.includes('hangs')) return at <= 60 ? answer(200) : gate.promise;
      healthy += 1;
      return answer(200);
    });
    const report = running();
    await until(() => sent.length === 72);
    expect([await countOf(outbox, 'delivering'), counts.most]).toEqual([12, 12]);
    await outbox.subscribe({ url: 'http://fine.example/' });
    await outbox.raise(20);
    await until(async () => {
      await outbox.pass(250);
      return healthy === 20;
    });
    expect(sent.length).toBe(92);
    stop.abort();
    gate.resolve(answer(200));
    expect(await report).toMatchObject({ delivered: 92, lost: 0 });
    const left = (await outbox.deliveries('status, attempts, claim')).filter(({ status }) => status !== 'delivered');
    expect(left).toEqual(Array.from({ length: 148 }, () => ({ status: 'pending', attempts: 0, claim: '' })));
    expect(new Set(sent).size).toBe(92);
  });
});

describeEachDatabase('a worker', (database) => {
  test('sends at most as many deliveries as it has places while nothing is recorded', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(300);
    const { own } = outbox.store;
    const gate = deferred();
    let isHeld = false;
    const slow = Object.create(own) as Database;
    Object.defineProperty(slow, 'primary', { value: own.primary });
    // Only what records may be undone by a failure of power.
    slow.write = async (work, options) => {
      if (options?.mayBeUndone === true) {
        isHeld = sent.length > 100;
        if (isHeld) await gate.promise;
      }
      return own.write(work, options);
    };
    const { sent, stop, running } = startWorker(outbox, () => answer(200));
    const report = running(slow);
    await until(() => isHeld);
    const recorded = await countOf(outbox, 'delivered');
    await until(() => sent.length - recorded >= 12);
    for (let turn = 0; turn < 300; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(sent.length - recorded).toBeLessThanOrEqual(16);
    expect(await countOf(outbox, 'delivered')).toBe(recorded);
    gate.resolve();
    await until(async () => (await countOf(outbox, 'delivered')) === 300);
    stop.abort();
    expect(await report).toMatchObject({ claimed: 300, delivered: 300 });
    expect(new Set(sent).size).toBe(sent.length);
  });
});
