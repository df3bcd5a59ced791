/** The worker on both databases: what it sends, how often, in whose turn, and how it ends. */
import { expect, test } from 'vitest';
import { makeSealer } from '../../src/crypto/seal.js';
import { AppError } from '../../src/errors/app-error.js';
import type { Database } from '../../src/store/base/database.js';
import type { OutboundRequest, SendOutcome } from '../../src/webhooks/client/outbound.js';
import { plannedDelay } from '../../src/webhooks/rules/retry.js';
import { runWorker } from '../../src/webhooks/worker/worker.js';
import { describeEachDatabase } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { answer, noChores, type Outbox, openOutbox, type Send, settings } from './outbox-store.js';

const day = 86_400_000;

/** Answers everything with one status and remembers the requests. */
function receiver(status: number | (() => SendOutcome)): { send: Send; requests: OutboundRequest[] } {
  const requests: OutboundRequest[] = [];
  return {
    requests,
    send: async (request) => {
      requests.push(request);
      return typeof status === 'number' ? answer(status) : status();
    },
  };
}

function subscriptionsOf(outbox: Outbox) {
  return outbox.rows('hcd_webhook_subscriptions', 'active, disabled_reason, failures, first_failure_on');
}

describeEachDatabase('a worker that runs once', (database) => {
  test('delivers what is due with signed headers and the stored bytes, and ends', async () => {
    const outbox = await openOutbox(database);
    const id = await outbox.subscribe({ url: 'http://127.0.0.1:9/hook?a=1' });
    await outbox.raise(3);
    const { send, requests } = receiver(204);
    expect(await outbox.once(send)).toEqual({ claimed: 3, delivered: 3, retried: 0, failed: 0, lost: 0, ...noChores });
    const rows = await outbox.deliveries('id, event_id, body');
    expect(
      requests.map(({ url, body, headers }) => [url, body, headers['webhook-id'], headers['x-gateway-delivery-id']]),
    ).toEqual(rows.map((row) => ['http://127.0.0.1:9/hook?a=1', row['body'], row['event_id'], String(row['id'])]));
    expect(requests[0]?.headers['webhook-timestamp']).toBe(String(Math.floor(outbox.clock.now() / 1000)));
    expect(requests[0]?.deadlineMs).toBe(15_000);
    expect(await outbox.deliveries('status, attempts, last_status, last_error, visible_at')).toEqual(
      Array.from({ length: 3 }, () => ({
        status: 'delivered',
        attempts: 1,
        last_status: 204,
        last_error: null,
        visible_at: outbox.clock.now(),
      })),
    );
    expect(outbox.log[0]).toEqual({
      kind: 'delivery_settled',
      deliveryId: rows[0]?.['id'],
      subscriptionId: id,
      event: 'resources.updated',
      attempt: 1,
      outcome: 'delivered',
      result: 'delivered',
      status: 204,
      durationMs: 0,
    });
    expect(await outbox.once(send)).toEqual({ claimed: 0, delivered: 0, retried: 0, failed: 0, lost: 0, ...noChores });
  });

  test('follows the schedule to the last attempt, never early, then gives up', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(3);
    const { send, requests } = receiver(500);
    let random = 0;
    const options = {
      random: () => {
        random = (random + 0.37) % 1;
        return random;
      },
      settings: () => ({ ...settings, gateway_webhook_disable_after_days: 0 }),
    };
    const factors: number[] = [];
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      const before = outbox.clock.now();
      await outbox.once(send, options);
      const visible = (await outbox.deliveries('visible_at')).map(({ visible_at }) => Number(visible_at));
      factors.push(...visible.map((at) => (at - before) / plannedDelay(attempt)));
      await outbox.clock.advance(Math.min(...visible) - before - 1);
      expect((await outbox.once(send, options)).claimed).toBe(0);
      await outbox.clock.advance(Math.max(...visible) - outbox.clock.now());
    }
    expect(Math.min(...factors)).toBeGreaterThanOrEqual(0.8);
    expect(Math.max(...factors)).toBeLessThanOrEqual(1.2);
    expect(new Set(factors.map((factor) => factor.toFixed(2))).size).toBeGreaterThan(3);
    expect((await outbox.once(send, options)).failed).toBe(3);
    const last = { status: 'failed', attempts: 12, last_status: 500, last_error: 'HTTP 500' };
    expect(await outbox.deliveries('status, attempts, last_status, last_error')).toEqual([last, last, last]);
    expect([requests.length, new Set(requests.map(({ headers }) => headers['webhook-id'])).size]).toEqual([36, 3]);
    expect(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBeGreaterThan(11);
  });

  test('gives up at once what policy refuses, without blaming the receiver', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise();
    const { send } = receiver(() => ({ kind: 'refused', reason: 'not allowed by policy' }));
    expect((await outbox.once(send)).failed).toBe(1);
    expect(await outbox.deliveries('status, attempts, last_error')).toEqual([
      { status: 'failed', attempts: 1, last_error: 'The address is not allowed by policy' },
    ]);
    expect(await subscriptionsOf(outbox)).toEqual([
      { active: 1, disabled_reason: null, failures: 0, first_failure_on: null },
    ]);
  });

  test('disables a receiver that answers 410 and cancels what waits for it alone', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe({ url: 'http://gone.example/' });
    await outbox.subscribe({ url: 'http://fine.example/' });
    await outbox.raise(8);
    const send: Send = async ({ url }) => answer(url.includes('gone') ? 410 : 200);
    await outbox.once(send, { settings: () => ({ ...settings, gateway_webhook_concurrency: 1 }) });
    const states = await outbox.deliveries('url, status, last_error');
    const count = (url: string, status: string) =>
      states.filter((row) => row['url'] === url && row['status'] === status).length;
    expect([count('http://gone.example/', 'failed'), count('http://gone.example/', 'cancelled')]).toEqual([1, 7]);
    expect(count('http://fine.example/', 'delivered')).toBe(8);
    expect(states.filter(({ status }) => status === 'cancelled').map(({ last_error }) => last_error)).toEqual(
      Array.from({ length: 7 }, () => 'The subscription was disabled: The receiver answered 410 Gone'),
    );
    expect(await subscriptionsOf(outbox)).toEqual([
      {
        active: 0,
        disabled_reason: 'The receiver answered 410 Gone',
        failures: 1,
        first_failure_on: outbox.clock.now(),
      },
      { active: 1, disabled_reason: null, failures: 0, first_failure_on: null },
    ]);
    expect(outbox.log.filter(({ kind }) => kind === 'webhook_disabled')).toEqual([
      { kind: 'webhook_disabled', subscriptionId: 1, reason: 'The receiver answered 410 Gone' },
    ]);
  });

  test('gives up a delivery that no worker survived, without sending it again', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(2);
    await outbox.run(
      "UPDATE `hcd_webhook_deliveries` SET `attempts` = 12, `status` = 'delivering', `claim` = 'c' WHERE `id` = 1",
    );
    const { send, requests } = receiver(200);
    expect(await outbox.once(send)).toMatchObject({ delivered: 1, failed: 1 });
    expect(requests).toHaveLength(1);
    expect((await outbox.deliveries('status, last_error'))[0]).toEqual({
      status: 'failed',
      last_error: 'Given up: 12 attempts were started before, and more are not allowed',
    });
  });

  test('gives up what has had more attempts than are allowed since a moment ago', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise();
    const { send, requests } = receiver(500);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await outbox.once(send);
      await outbox.clock.advance(plannedDelay(attempt));
    }
    const lowered = { settings: () => ({ ...settings, gateway_webhook_max_attempts: 2 }) };
    expect(await outbox.once(send, lowered)).toMatchObject({ claimed: 1, failed: 1 });
    expect(requests).toHaveLength(3);
    expect(await outbox.deliveries('status, last_error')).toEqual([
      { status: 'failed', last_error: 'Given up: 2 attempts were started before, and more are not allowed' },
    ]);
  });

  test('holds nothing against a receiver that its former address does', async () => {
    const outbox = await openOutbox(database);
    const id = await outbox.subscribe({ url: 'http://old.example/' });
    await outbox.raise(2);
    await outbox.run(`UPDATE \`hcd_webhook_subscriptions\` SET \`url\` = 'http://new.example/' WHERE \`id\` = ${id}`);
    await outbox.raise();
    const send: Send = async ({ url }) => answer(url.includes('old') ? 410 : 500);
    expect(await outbox.once(send)).toMatchObject({ failed: 2, retried: 1 });
    const failing = { active: 1, disabled_reason: null, failures: 1, first_failure_on: outbox.clock.now() };
    expect(await subscriptionsOf(outbox)).toEqual([failing]);
    await outbox.run("UPDATE `hcd_webhook_deliveries` SET `status` = 'pending' WHERE `id` = 1");
    expect(await outbox.once(receiver(200).send)).toMatchObject({ delivered: 1 });
    expect(await subscriptionsOf(outbox)).toEqual([failing]);
  });

  test('cannot sign under another root secret: says what to do, sends nothing and tries again by the schedule', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise();
    const { send, requests } = receiver(200);
    const sealer = makeSealer({ rootSecret: 'another root secret', purpose: 'webhook secrets' });
    expect(await outbox.once(send, { sealer })).toMatchObject({ retried: 1 });
    expect(requests).toEqual([]);
    expect(await outbox.deliveries('status, last_error')).toEqual([
      {
        status: 'pending',
        last_error:
          'The secret was stored under another root secret: set HCD_SECRET as it was, or run hcd webhook rotate-secret',
      },
    ]);
    expect((await subscriptionsOf(outbox))[0]).toMatchObject({ failures: 0 });
    await outbox.clock.advance(30_000);
    expect(await outbox.once(send)).toMatchObject({ delivered: 1 });
  });

  /** The database refuses writes from the second one, which records the outcome, for as long as `isAway` says. */
  function awayFromSecondWrite(own: Database, isAway: (write: number) => boolean): Database {
    let writes = 0;
    const broken = Object.create(own) as Database;
    broken.write = async (work, options) => {
      writes += 1;
      if (writes > 1 && isAway(writes)) throw new AppError('unavailable');
      return own.write(work, options);
    };
    Object.defineProperty(broken, 'primary', { value: own.primary });
    return broken;
  }

  /** Lets time pass until the run has ended. */
  async function runOnce(outbox: Outbox, ...run: Parameters<Outbox['once']>) {
    let isOver = false;
    const report = outbox.once(...run).finally(() => {
      isOver = true;
    });
    // The caller gets the failure after the clock was advanced.
    report.catch(() => undefined);
    while (!isOver) await outbox.pass(200);
    return report;
  }

  test('records its outcome as soon as a database that was away answers again', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise();
    const { send, requests } = receiver(200);
    const own = awayFromSecondWrite(outbox.own, (write) => write < 5);
    expect(await runOnce(outbox, send, { own })).toMatchObject({ claimed: 1, delivered: 1 });
    expect(outbox.log).toContainEqual({ kind: 'store_unavailable', code: 'unavailable' });
    expect(await outbox.deliveries('status')).toEqual([{ status: 'delivered' }]);
    expect(requests).toHaveLength(1);
  });

  test('loses its outcome with a database that stays away: the lease ends and the delivery goes out again', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise();
    const { send, requests } = receiver(200);
    const own = awayFromSecondWrite(outbox.own, () => true);
    // When it gives up the lease has ended, so it tries to claim the delivery again.
    await expect(runOnce(outbox, send, { own })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await outbox.deliveries('status')).toEqual([{ status: 'delivering' }]);
    expect(await outbox.once(send)).toMatchObject({ delivered: 1 });
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(requests).toHaveLength(2);
  });
});

describeEachDatabase('a receiver that fails', (database) => {
  test('for five days on end, ten times or more, is disabled; it is warned of at half and on the last day', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    const { send } = receiver(500);
    for (let at = 0; at < 10; at += 1) {
      await outbox.raise();
      await outbox.once(send);
      await outbox.clock.advance(day / 2);
    }
    expect(
      outbox.log.filter(({ kind }) => kind === 'webhook_failing').map((fact) => ({ ...fact, failures: 0 })),
    ).toEqual([
      { kind: 'webhook_failing', subscriptionId: 1, failures: 0, failingDays: 2.5, daysLeft: 2.5 },
      { kind: 'webhook_failing', subscriptionId: 1, failures: 0, failingDays: 4, daysLeft: 1 },
    ]);
    expect((await subscriptionsOf(outbox))[0]).toMatchObject({ active: 1 });
    await outbox.raise();
    await outbox.once(send);
    expect((await subscriptionsOf(outbox))[0]).toMatchObject({
      active: 0,
      disabled_reason: expect.stringMatching(/^Every attempt failed for 5 days \(\d+ attempts\)$/),
    });
    const states = new Set((await outbox.deliveries('status')).map(({ status }) => status));
    expect(states).toEqual(new Set(['cancelled']));
  });

  test('for 4.9 days and then succeeds once starts a new count', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    let status = 500;
    const { send } = receiver(() => answer(status));
    for (let at = 0; at < 12; at += 1) {
      await outbox.raise();
      await outbox.once(send);
      await outbox.clock.advance((4.9 * day) / 12);
    }
    status = 200;
    await outbox.raise();
    await outbox.once(send);
    expect((await subscriptionsOf(outbox))[0]).toEqual({
      active: 1,
      disabled_reason: null,
      failures: 0,
      first_failure_on: null,
    });
    status = 500;
    await outbox.clock.advance(day / 2);
    await outbox.raise();
    await outbox.once(send);
    expect((await subscriptionsOf(outbox))[0]).toMatchObject({ active: 1, failures: 1 });
  });

  test('twice in a week is not disabled, nor ever when the setting says so', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    const options = { settings: () => ({ ...settings, gateway_webhook_max_attempts: 1 }) };
    const { send } = receiver(500);
    for (const wait of [7 * day, 0]) {
      await outbox.raise();
      await outbox.once(send, options);
      await outbox.clock.advance(wait);
    }
    expect((await subscriptionsOf(outbox))[0]).toMatchObject({ active: 1, failures: 2 });
    await outbox.raise(20);
    const never = { settings: () => ({ ...settings, gateway_webhook_disable_after_days: 0 }) };
    await outbox.once(send, never);
    expect((await subscriptionsOf(outbox))[0]).toMatchObject({ active: 1 });
  });

  test('ten times in a row is left alone for a while, then tried with one delivery', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(30);
    let status = 500;
    const { send, requests } = receiver(() => answer(status));
    const stop = new AbortController();
    const options = outbox.options(send, {
      once: false,
      signals: { stop: stop.signal, end: new AbortController().signal },
    });
    const worker = runWorker(options);
    const paused = () => outbox.log.filter(({ kind }) => kind === 'receiver_paused');
    await until(
      () =>
        paused().length === 1 &&
        outbox.log.filter(({ kind }) => kind === 'delivery_settled').length === requests.length,
    );
    const first = requests.length;
    expect(first).toBeGreaterThanOrEqual(10);
    expect(first).toBeLessThanOrEqual(13);
    expect(paused()).toEqual([{ kind: 'receiver_paused', subscriptionId: 1, seconds: 30 }]);
    await outbox.pass(29_000);
    expect(requests.length).toBe(first);
    await outbox.pass(2000);
    await until(() => paused().length === 2);
    expect([requests.length, paused()[1]]).toEqual([
      first + 1,
      { kind: 'receiver_paused', subscriptionId: 1, seconds: 60 },
    ]);
    status = 200;
    await outbox.pass(62_000);
    await until(() => requests.length > first + 20);
    stop.abort();
    await worker;
  });
});

describeEachDatabase('a worker that goes on running', (database) => {
  test('gives a receiver that hung one place until it answers, so that many of them leave places for others', async () => {
    const outbox = await openOutbox(database);
    for (let at = 0; at < 6; at += 1) await outbox.subscribe({ url: `http://hangs.example/${at}` });
    await outbox.subscribe({ url: 'http://fine.example/' });
    await outbox.raise(100);
    const timeouts = deferred();
    const end = deferred();
    let isFirst = true;
    let [hanging, healthy] = [0, 0];
    const send: Send = async ({ url }) => {
      if (url.includes('hangs')) {
        hanging += 1;
        await (isFirst ? timeouts : end).promise;
        hanging -= 1;
        return { kind: 'failed', reason: 'timeout' };
      }
      healthy += 1;
      return answer(200);
    };
    const stop = new AbortController();
    const worker = runWorker(
      outbox.options(send, { once: false, signals: { stop: stop.signal, end: new AbortController().signal } }),
    );
    await until(() => hanging === 16);
    expect(healthy).toBeLessThan(100);
    isFirst = false;
    timeouts.resolve();
    await until(() => healthy === 100);
    expect(hanging).toBeLessThanOrEqual(6);
    stop.abort();
    end.resolve();
    await worker;
  });

  test('at the first signal claims nothing more and ends what is under way', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(20);
    const released = deferred<SendOutcome>();
    const begun = deferred<void>();
    let sends = 0;
    const send: Send = () => {
      sends += 1;
      if (sends === 4) begun.resolve();
      return released.promise;
    };
    const stop = new AbortController();
    const worker = runWorker(
      outbox.options(send, { once: false, signals: { stop: stop.signal, end: new AbortController().signal } }),
    );
    await begun.promise;
    stop.abort();
    released.resolve(answer(200));
    expect(await worker).toEqual({ claimed: 4, delivered: 4, retried: 0, failed: 0, lost: 0, ...noChores });
    const states = (await outbox.deliveries('status')).map(({ status }) => status);
    expect(states.filter((status) => status === 'pending')).toHaveLength(16);
    expect(sends).toBe(4);
  });

  test.each(['the second signal', 'the end of its time'])(
    'at %s gives back what is under way, uncounted and due at once',
    async (cause) => {
      const outbox = await openOutbox(database);
      await outbox.subscribe();
      await outbox.raise(4);
      const begun = deferred<void>();
      let sends = 0;
      const send: Send = ({ signal }) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve({ kind: 'stopped' }));
          sends += 1;
          if (sends === 4) begun.resolve();
        });
      const [stop, end] = [new AbortController(), new AbortController()];
      const worker = runWorker(outbox.options(send, { once: false, signals: { stop: stop.signal, end: end.signal } }));
      await begun.promise;
      stop.abort();
      if (cause === 'the second signal') end.abort();
      else await outbox.pass(20_000);
      expect(await worker).toEqual({ claimed: 4, delivered: 0, retried: 0, failed: 0, lost: 0, ...noChores });
      const row = { status: 'pending', attempts: 0, claim: '' };
      expect(await outbox.deliveries('status, attempts, claim')).toEqual([row, row, row, row]);
      const { send: fine, requests } = receiver(200);
      expect(await outbox.once(fine)).toMatchObject({ delivered: 4 });
      expect(requests).toHaveLength(4);
      expect((await outbox.attempts('outcome')).map(({ outcome }) => outcome).sort()).toEqual([
        ...Array.from({ length: 4 }, () => 'delivered'),
        ...Array.from({ length: 4 }, () => 'interrupted'),
      ]);
    },
  );

  test('finds what is queued while it waits, and goes on after the database was away', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    let isAway = false;
    const own = Object.create(outbox.own) as Database;
    const { primary } = outbox.own;
    Object.defineProperty(own, 'primary', {
      value: {
        dialect: primary.dialect,
        select: (statement: Parameters<typeof primary.select>[0]) =>
          isAway ? Promise.reject(new AppError('unavailable')) : primary.select(statement),
      },
    });
    own.write = (work, options) => outbox.own.write(work, options);
    const { send, requests } = receiver(200);
    const stop = new AbortController();
    const worker = runWorker(
      outbox.options(send, { own, once: false, signals: { stop: stop.signal, end: new AbortController().signal } }),
    );
    // In small steps: on a slow machine the worker may not wait yet when time goes on.
    const passUntil = async (condition: () => boolean): Promise<void> => {
      for (let step = 0; step < 1000 && !condition(); step += 1) await outbox.pass(250);
      expect(condition()).toBe(true);
    };
    await until(() => outbox.clock.pending > 0);
    await outbox.raise();
    await passUntil(() => requests.length === 1);
    isAway = true;
    await passUntil(() => outbox.log.some(({ kind }) => kind === 'store_unavailable'));
    isAway = false;
    await outbox.raise();
    await passUntil(() => requests.length === 2);
    stop.abort();
    expect(await worker).toMatchObject({ delivered: 2 });
    expect(outbox.log.map(({ kind }) => kind)).toContain('store_recovered');
  });

  test('refuses to start with a clock a minute off, and warns from two seconds on', async () => {
    const outbox = await openOutbox(database);
    const { send } = receiver(200);
    const ahead = (ms: number) => ({ time: () => String(outbox.clock.now() - ms) });
    await expect(outbox.once(send, ahead(61_000))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/^The clock of this machine is 61 seconds ahead of that of the database/),
    });
    await expect(outbox.once(send, ahead(-61_000))).rejects.toMatchObject({
      message: expect.stringMatching(/^The clock of this machine is 61 seconds behind that of the database/),
    });
    const told = () => outbox.log.filter(({ kind }) => kind === 'clock_skewed').splice(-1);
    await outbox.once(send, ahead(2500));
    expect(told()).toEqual([{ kind: 'clock_skewed', skewMs: 2500 }]);
    const before = outbox.log.length;
    await outbox.once(send, ahead(1500));
    expect(outbox.log.length).toBe(before);
  });

  test('removes finished deliveries with their attempts when their time is over', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(3);
    await outbox.once(receiver(200).send);
    await outbox.clock.advance(30 * day - 1000);
    await outbox.raise();
    await outbox.once(receiver(200).send);
    expect(await outbox.deliveries('id')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
    await outbox.clock.advance(2000);
    const ran: string[] = [];
    const chores = [{ name: 'a test', everyMs: 1, run: async () => void ran.push('chore') }];
    await outbox.once(receiver(200).send, { chores });
    expect(await outbox.deliveries('id, status')).toEqual([{ id: 4, status: 'delivered' }]);
    expect([await outbox.attempts('delivery_id'), ran]).toEqual([[{ delivery_id: 4 }], ['chore']]);
  });

  test('cancels what was queued for a subscription in the moment in which it was disabled or removed', async () => {
    const outbox = await openOutbox(database);
    const [removed, disabled] = [await outbox.subscribe(), await outbox.subscribe()];
    await outbox.subscribe();
    await outbox.raise();
    await outbox.run(`DELETE FROM \`hcd_webhook_subscriptions\` WHERE \`id\` = ${removed}`);
    await outbox.run(`UPDATE \`hcd_webhook_subscriptions\` SET \`active\` = 0 WHERE \`id\` = ${disabled}`);
    await outbox.once(receiver(200).send);
    const cancelled = { status: 'cancelled', last_error: 'The subscription is disabled or removed' };
    expect(await outbox.deliveries('status, last_error')).toEqual([
      cancelled,
      cancelled,
      { status: 'delivered', last_error: null },
    ]);
  });
});

/** Lets real work (database, sockets) go on until the condition holds. */
async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 25_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('it did not happen within 25 seconds');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
