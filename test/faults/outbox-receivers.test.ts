/**
 * What receivers may do to a worker, over real sockets and down to the rows: each outcome gets its class, redirects are
 * not followed, no receiver can keep the worker waiting or fill its memory, and healthy receivers are not affected.
 */
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock/clock.js';
import { openOutbound } from '../../src/webhooks/client/outbound.js';
import { runWorker } from '../../src/webhooks/worker/worker.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { type Outbox, openOutbox, type Send } from '../webhooks/outbox-store.js';
import { type RawReceiver, startRawReceiver } from '../webhooks/raw-receiver.js';

/** No time-out of the client ever comes: on a slow machine the dead one would have its first ones before the other is done. */
const endless: Clock = { ...systemClock, after: () => ({ stop: () => undefined }) };

function clientFor(clock: Clock): { readonly send: Send; readonly close: () => void } {
  const outbound = openOutbound({ clock });
  return { send: outbound.send, close: () => outbound.close() };
}

/** No server listens here, and no test gets it as a free port, which can happen to a port that was just closed. */
const discardPort = 9;

interface Behaviour {
  readonly name: string;
  readonly does: (socket: Socket, canary: RawReceiver) => void;
  /** Outcome of the attempt, status and text of the row. */
  readonly lands: readonly [outcome: string, status: number | null, error: string | null];
  /** Milliseconds until the next attempt; absent = 30 seconds. */
  readonly waitsMs?: number;
}

const answers =
  (head: string, body = '') =>
  (socket: Socket) =>
    void socket.write(`HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
const redirects = (status: number): Behaviour => ({
  name: `${status}`,
  does: (socket, canary) => answers(`${status} Elsewhere\r\nLocation: http://127.0.0.1:${canary.port}/`)(socket),
  lands: ['redirected', status, `HTTP ${status}`],
});
const refuses = (status: number, outcome: string): Behaviour => ({
  name: `${status}`,
  does: answers(`${status} No`, 'no'),
  lands: [outcome, status, `HTTP ${status}`],
});
const unreachable = (error: string): Behaviour['lands'] => ['unreachable', null, error];

/** Writes for as long as the other side reads. */
function pour(socket: Socket, chunk: string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

const behaviours: readonly Behaviour[] = [
  { name: '200', does: answers('200 OK', 'thanks'), lands: ['delivered', 200, null] },
  { name: '204', does: answers('204 No Content'), lands: ['delivered', 204, null] },
  ...[301, 302, 303, 307, 308].map(redirects),
  ...[400, 401, 404].map((status) => refuses(status, 'rejected')),
  ...[500, 502, 503, 504].map((status) => refuses(status, 'server_error')),
  { ...refuses(429, 'rate_limited'), waitsMs: 60_000 },
  {
    name: '429 with Retry-After',
    does: answers('429 Slow\r\nRetry-After: 300'),
    lands: ['rate_limited', 429, 'HTTP 429'],
    waitsMs: 300_000,
  },
  {
    name: '503 with a Retry-After of years',
    does: answers('503 Later\r\nRetry-After: 999999999'),
    lands: ['server_error', 503, 'HTTP 503'],
    waitsMs: 86_400_000,
  },
  { name: 'silence', does: () => undefined, lands: ['timeout', null, 'No answer in time'], waitsMs: 60_000 },
  {
    name: 'a head that never ends',
    does: (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-'),
    lands: ['timeout', null, 'No answer in time'],
    waitsMs: 60_000,
  },
  {
    name: 'endless headers',
    does: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      pour(socket, `X-More: ${'x'.repeat(1000)}\r\n`);
    },
    lands: unreachable('The answer is not valid HTTP'),
  },
  {
    name: 'an endless body',
    does: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      pour(socket, `10000\r\n${'x'.repeat(0x10000)}\r\n`);
    },
    lands: ['delivered', 200, null],
  },
  {
    name: 'a reset instead of an answer',
    does: (socket) => void socket.resetAndDestroy(),
    lands: unreachable('The receiver ended the connection'),
  },
  {
    name: 'a reset within the head',
    does: (socket) => void socket.write('HTTP/1.1 200', () => socket.resetAndDestroy()),
    lands: unreachable('The receiver ended the connection'),
  },
  {
    name: 'an end instead of an answer',
    does: (socket) => void socket.end(),
    lands: unreachable('The receiver ended the connection'),
  },
  {
    name: 'no HTTP',
    does: (socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
    lands: unreachable('The answer is not valid HTTP'),
  },
];

function openRows(outbox: Outbox) {
  return outbox.deliveries('subscription_id, status, attempts, last_status, last_error, visible_at');
}

describeEachDatabase('a worker with misbehaving receivers', (database) => {
  test('classifies each failure, follows no redirect and stops reading after its limit', async () => {
    const outbox = await openOutbox(database);
    const canary = await startRawReceiver({ onRequest: answers('200 OK') });
    const written: (() => number)[] = [];
    const cases = [
      ...behaviours,
      { name: 'no server', does: null, lands: unreachable('No connection to the receiver') },
    ];
    const ids = new Map<number, (typeof cases)[number]>();
    for (const one of cases) {
      const { does } = one;
      const onRequest = (socket: Socket): void => {
        written.push(() => socket.bytesWritten);
        does?.(socket, canary);
      };
      const port = does === null ? discardPort : (await startRawReceiver({ onRequest })).port;
      ids.set(await outbox.subscribe({ url: `http://127.0.0.1:${port}/hook` }), one);
    }
    await outbox.raise();
    const clock = fakeClock();
    const { send, close } = clientFor(clock);
    const started = outbox.clock.now();
    const report = outbox.once(send);
    // Those that keep silent are left when all others have ended, however slow the machine; only time ends them.
    const silent = cases.filter(({ lands: [outcome] }) => outcome === 'timeout').length;
    const ended = async () => (await outbox.attempts('delivery_id')).length;
    await expect.poll(ended, { timeout: 50_000 }).toBe(cases.length - silent);
    await clock.advance(15_000);
    expect(await report).toMatchObject({ claimed: cases.length, delivered: 3, failed: 0, lost: 0 });
    close();
    const attempts = await outbox.attempts('delivery_id, outcome, status, error, number');
    const deliveries = await outbox.deliveries(
      'id, subscription_id, status, attempts, last_status, last_error, visible_at',
    );
    const seen = deliveries.map((row) => {
      const { name } = ids.get(Number(row['subscription_id'])) ?? {};
      const attempt = attempts.find((one) => one['delivery_id'] === row['id']);
      const wait = row['status'] === 'delivered' ? null : Number(row['visible_at']) - started;
      const { outcome, status, error, number } = attempt ?? {};
      return [
        name,
        outcome,
        row['last_status'] === 0 ? null : row['last_status'],
        row['last_error'],
        status,
        error,
        row['status'],
        row['attempts'],
        number,
        wait,
      ];
    });
    expect(seen).toEqual(
      cases.map(({ name, lands: [outcome, status, error], ...rest }) => {
        const isDelivered = outcome === 'delivered';
        const wait = isDelivered ? null : 'waitsMs' in rest ? rest.waitsMs : 30_000;
        return [name, outcome, status, error, status, error, isDelivered ? 'delivered' : 'pending', 1, 1, wait];
      }),
    );
    expect(canary.received).toEqual([]);
    // What the system holds in its own buffers is a few megabytes; who reads on would have taken gigabytes.
    expect(Math.max(...written.map((bytes) => bytes()))).toBeLessThan(32 * 1024 * 1024);
    expect(outbox.log.filter(({ kind }) => kind === 'unexpected_error')).toEqual([]);
  });

  test('delivers the same id and bytes to a receiver that was down for two attempts', async () => {
    const outbox = await openOutbox(database);
    const receiver = await startRawReceiver({
      onRequest: (socket) =>
        answers(receiver.received.join('').split('POST ').length < 4 ? '500 No' : '200 OK')(socket),
    });
    await outbox.subscribe({ url: `http://127.0.0.1:${receiver.port}/hook` });
    await outbox.raise();
    const { send, close } = clientFor(systemClock);
    const reports = [];
    for (const waitMs of [0, 30_000, 60_000]) {
      await outbox.clock.advance(waitMs);
      reports.push(await outbox.once(send));
    }
    close();
    expect(reports.map(({ retried, delivered }) => [retried, delivered])).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
    ]);
    const requests = receiver.received.join('').split(/(?=POST )/);
    const kept = requests.map((text) => [/webhook-id: (\w+)/i.exec(text)?.[1], text.split('\r\n\r\n')[1]]);
    const [row] = await outbox.deliveries('event_id, body, status, attempts, last_status, last_error');
    expect(kept).toEqual([1, 2, 3].map(() => [row?.['event_id'], row?.['body']]));
    expect(row).toMatchObject({ status: 'delivered', attempts: 3, last_status: 200, last_error: null });
  });

  test('sends 300 deliveries to a healthy receiver while 300 wait for a dead one', async () => {
    const outbox = await openOutbox(database);
    let open = 0;
    let most = 0;
    const dead = await startRawReceiver({
      onConnect: (socket) => {
        open += 1;
        most = Math.max(most, open);
        socket.on('close', () => {
          open -= 1;
        });
      },
    });
    const well = await startRawReceiver({ onRequest: answers('200 OK') });
    const deadId = await outbox.subscribe({ url: `http://127.0.0.1:${dead.port}/hook` });
    await outbox.subscribe({ url: `http://127.0.0.1:${well.port}/hook` });
    await outbox.raise(300);
    const { send, close } = clientFor(endless);
    const [stop, end] = [new AbortController(), new AbortController()];
    const signals = { stop: stop.signal, end: end.signal };
    const running = runWorker(outbox.options(send, { signals, once: false }));
    const delivered = "SELECT COUNT(*) FROM hcd_webhook_deliveries WHERE status = 'delivered'";
    const count = async () => Number((await outbox.store.own.primary.select({ sql: delivered, params: [] }))[0]?.[0]);
    await expect.poll(count, { timeout: 50_000, interval: 50 }).toBe(300);
    expect([open, most]).toEqual([4, 4]);
    end.abort();
    expect(await running).toMatchObject({ delivered: 300, failed: 0, lost: 0 });
    close();
    const rows = (await openRows(outbox)).filter((row) => Number(row['subscription_id']) === deadId);
    expect(new Set(rows.map((row) => `${row['status']} ${row['attempts']}`))).toEqual(new Set(['pending 0']));
    expect(rows.length).toBe(300);
  });
});
