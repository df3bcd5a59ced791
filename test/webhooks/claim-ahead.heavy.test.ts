/** What a worker has claimed ahead of a free place: sent once, given back in time, and never at the cost of others. */
import { expect, test } from 'vitest';
import { AppError } from '../../src/errors/app-error.js';
import type { Database } from '../../src/store/base/database.js';
import type { SendOutcome } from '../../src/webhooks/client/outbound.js';
import { runWorker } from '../../src/webhooks/worker/worker.js';
import { describeEachDatabase } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { answer, noChores, type Outbox, openOutbox, type Send } from './outbox-store.js';

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

describeEachDatabase('a receiver that is fast', (database) => {
  test('gets all places but four, and finds more claimed than it can be sent at once', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(300);
    const gate = deferred<SendOutcome>();
    const { sent, counts, stop, running } = startWorker(outbox, (_url, at) => (at <= 100 ? answer(200) : gate.promise));
    const report = running();
    await until(() => sent.length === 112);
    await until(async () => (await countOf(outbox, 'delivering')) > 12);
    expect([sent.length, counts.most]).toEqual([112, 12]);
    gate.resolve(answer(200));
    await until(async () => (await countOf(outbox, 'delivered')) === 300);
    stop.abort();
    expect(await report).toEqual({ claimed: 300, delivered: 300, retried: 0, failed: 0, lost: 0, ...noChores });
    expect([sent.length, new Set(sent).size]).toEqual([300, 300]);
    expect(await outbox.attempts('number, outcome')).toEqual(
      Array.from({ length: 300 }, () => ({ number: 1, outcome: 'delivered' })),
    );
  });

  test('and then hangs leaves another one its places, and what waited for it to others', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe({ url: 'http://hangs.example/' });
    await outbox.raise(200);
    const gate = deferred<SendOutcome>();
    let healthy = 0;
    const { sent, stop, running } = startWorker(outbox, (url, at) => {
      if (url.includes('hangs')) return at <= 60 ? answer(200) : gate.promise;
      healthy += 1;
      return answer(200);
    });
    const report = running();
    await until(() => sent.length === 72);
    await until(async () => (await countOf(outbox, 'delivering')) > 12);
    await outbox.subscribe({ url: 'http://fine.example/' });
    await outbox.raise(20);
    // The hanging one was queued for by these events, too.
    await outbox.pass(1000);
    await until(() => healthy === 20);
    expect(sent.length).toBe(92);
    await until(async () => {
      await outbox.pass(250);
      return (await countOf(outbox, 'delivering')) === 12;
    });
    const waiting = (await outbox.deliveries('status, attempts, claim')).filter(({ status }) => status === 'pending');
    expect(waiting).toEqual(Array.from({ length: 148 }, () => ({ status: 'pending', attempts: 0, claim: '' })));
    stop.abort();
    gate.resolve(answer(200));
    expect(await report).toMatchObject({ delivered: 92, lost: 0 });
    expect(new Set(sent).size).toBe(92);
  });

  test('and then fails gives back the deliveries claimed ahead, without counting an attempt', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(200);
    const gate = deferred<SendOutcome>();
    const { sent, stop, running } = startWorker(outbox, (_url, at) => (at <= 60 ? answer(200) : gate.promise));
    const report = running();
    await until(() => sent.length === 72);
    await until(async () => (await countOf(outbox, 'delivering')) > 12);
    gate.resolve(answer(500));
    await until(() => outbox.log.some(({ kind }) => kind === 'receiver_paused'));
    await until(async () => (await countOf(outbox, 'delivering')) === 0);
    stop.abort();
    const { delivered, retried } = await report;
    expect([delivered, retried]).toEqual([60, sent.length - 60]);
    expect(sent.length).toBeLessThan(75);
    const unsent = (await outbox.deliveries('status, attempts, last_error, claim')).filter(
      ({ status, attempts }) => status === 'pending' && attempts === 0,
    );
    expect(unsent).toEqual(
      Array.from({ length: 200 - sent.length }, () => ({
        status: 'pending',
        attempts: 0,
        last_error: null,
        claim: '',
      })),
    );
    expect(await outbox.attempts('delivery_id')).toHaveLength(sent.length);
  });
});

describeEachDatabase('a worker with more claimed than it sends', (database) => {
  test('gives the rest back at the first signal, due at once for the next one', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(200);
    const gate = deferred<SendOutcome>();
    const { sent, stop, send, running } = startWorker(outbox, (_url, at) => (at <= 60 ? answer(200) : gate.promise));
    const report = running();
    await until(() => sent.length === 72);
    await until(async () => (await countOf(outbox, 'delivering')) > 12);
    stop.abort();
    await until(async () => (await countOf(outbox, 'delivering')) === 12);
    gate.resolve(answer(200));
    expect(await report).toMatchObject({ delivered: 72, lost: 0 });
    const left = (await outbox.deliveries('status, attempts, claim')).filter(({ status }) => status !== 'delivered');
    expect(left).toEqual(Array.from({ length: 128 }, () => ({ status: 'pending', attempts: 0, claim: '' })));
    expect(await outbox.once(send)).toMatchObject({ claimed: 128, delivered: 128 });
    expect([sent.length, new Set(sent).size]).toEqual([200, 200]);
  });

  test('sends none of it after it stood still for longer than its leases', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(200);
    const gate = deferred<SendOutcome>();
    const { sent, stop, running } = startWorker(outbox, (_url, at) => (at <= 60 ? answer(200) : gate.promise));
    const report = running();
    await until(() => sent.length === 72);
    // What is answered and not yet recorded may come again; here only what is being sent may. All the rest is claimed: a
    // claim that is under way when time goes by would have a lease of its own.
    await until(async () => (await countOf(outbox, 'delivered')) === 60);
    await until(async () => (await countOf(outbox, 'delivering')) === 140);
    const ofTheFirst = new Set(sent);
    // Time goes by in one leap, as it does for a process that was stopped; then another worker takes over. It must not
    // look before that: nothing would be due yet.
    await outbox.clock.advance(31_000);
    const others: string[] = [];
    let hasEnded = false;
    const send: Send = async ({ headers }) => {
      others.push(headers['x-gateway-delivery-id'] ?? '');
      return answer(200);
    };
    const other = outbox.once(send, { random: () => 0 });
    void other.then(() => {
      hasEnded = true;
    });
    // Two workers that meet wait for a moment, here for none.
    await until(async () => {
      await outbox.clock.advance(0);
      return hasEnded;
    });
    expect(await other).toMatchObject({ lost: 0 });
    stop.abort();
    gate.resolve(answer(200));
    await report;
    expect(others.length).toBe(140);
    const twice = others.filter((id) => ofTheFirst.has(id));
    expect(twice.length).toBeLessThanOrEqual(12);
    const all = [...sent, ...others];
    expect(all.length - new Set(all).size).toBe(twice.length);
  });

  test('sends nothing of it while the database does not answer', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(200);
    let isAway = false;
    const { own } = outbox;
    const broken = Object.create(own) as Database;
    const away = () => Promise.reject(new AppError('unavailable'));
    broken.write = (work, options) => (isAway ? away() : own.write(work, options));
    Object.defineProperty(broken, 'primary', {
      value: {
        dialect: own.dialect,
        select: (one: Parameters<typeof own.select>[0]) => (isAway ? away() : own.primary.select(one)),
      },
    });
    const gate = deferred<SendOutcome>();
    const { sent, stop, running } = startWorker(outbox, (_url, at) => (at <= 60 ? answer(200) : gate.promise));
    const report = running(broken);
    await until(() => sent.length === 72);
    await until(async () => (await countOf(outbox, 'delivering')) > 12);
    await until(async () => (await countOf(outbox, 'delivered')) === 60);
    isAway = true;
    gate.resolve(answer(200));
    await until(() => outbox.log.some(({ kind }) => kind === 'store_unavailable'));
    const before = sent.length;
    expect(before).toBeLessThanOrEqual(60 + 16);
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(sent.length).toBe(before);
    isAway = false;
    await until(async () => {
      // No faster than the database: the leases must not end while it works.
      await outbox.pass(100);
      return outbox.log.some(({ kind }) => kind === 'store_recovered');
    });
    // What was answered meanwhile is recorded as soon as the database takes it.
    await until(async () => {
      await outbox.pass(100);
      return (await countOf(outbox, 'delivered')) === 200;
    });
    stop.abort();
    await report;
    expect(outbox.log.map(({ kind }) => kind)).toContain('store_recovered');
    expect(new Set(sent).size).toBe(sent.length);
  });

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
