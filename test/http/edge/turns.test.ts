/** Requests that arrive together share the event loop: each turn begins only as many as it has time for. */
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { AcceptedConnections, Turns } from '../../../src/clock/waiting-line.js';
import type { Call, Reply } from '../../../src/http/interface/endpoint.js';
import { row, startTestServer } from '../../support/server.js';
import { workClock } from '../../support/work-clock.js';

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Makes endpoints whose handlers take some time and note that they have begun. */
function takingTime({ spend }: { readonly spend: (ms: number) => void }, begun: string[]) {
  return (path: string, ms: number, method: 'GET' | 'POST' = 'GET') =>
    row({
      ...{ name: path.slice(1), method, path, produces: [] },
      handler: () => {
        begun.push(path);
        spend(ms);
        const body = { kind: 'bytes', type: 'text/plain', bytes: 'done' } as const;
        return { status: 200, body, caching: { kind: 'never' } };
      },
    });
}

/** Sends a request at once; resolves with the start of the answer. */
function ask(socket: Socket | undefined, path: string, method = 'GET'): Promise<string> {
  return new Promise((resolve) => {
    socket?.once('data', (chunk) => resolve(String(chunk).slice(0, 12)));
    const length = method === 'GET' ? '' : 'Content-Length: 0\r\n';
    socket?.write(`${method} /api/v1${path} HTTP/1.1\r\nHost: a\r\n${length}\r\n`);
  });
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('queued work and new connections share the time while each turn brings a connection', async () => {
  const clock = workClock();
  const accepted = new AcceptedConnections(clock);
  const turns = new Turns(clock, accepted);
  const begun: number[] = [];
  for (let at = 0; at < 8; at += 1) {
    turns.queue(() => {
      begun.push(clock.elapsed());
      clock.spend(1.5);
    });
  }
  for (let turn = 0; turn < 40 && begun.length < 6; turn += 1) {
    clock.spend(1);
    accepted.add();
    await nextTurn();
  }
  // Four milliseconds for connections, four and the last piece for the work, as long for connections, and so on.
  expect(begun).toEqual([5, 6.5, 8, 16.5, 18, 19.5]);
  await nextTurn();
  expect(begun).toHaveLength(8);
});

test('all work of a process leaves the same turns to new connections', async () => {
  const clock = workClock();
  const accepted = new AcceptedConnections(clock);
  const begun: string[] = [];
  for (const name of ['requests', 'results']) {
    const turns = new Turns(clock, accepted);
    for (let at = 0; at < 4; at += 1) {
      turns.queue(() => {
        begun.push(`${name} ${clock.elapsed()}`);
        clock.spend(2);
      });
    }
  }
  for (let turn = 0; turn < 20; turn += 1) {
    clock.spend(1);
    accepted.add();
    await nextTurn();
  }
  // Four milliseconds for connections, four and the last pieces for the work of both, as long for connections, and so on.
  expect(begun).toEqual([
    ...['requests 5', 'requests 7', 'results 9', 'results 11'],
    ...['requests 23', 'requests 25', 'results 27', 'results 29'],
  ]);
});

test('health is answered between requests that take the time of several turns, and each of them is answered', async () => {
  const clock = workClock();
  const begun: string[] = [];
  const endpoint = takingTime(clock, begun);
  const server = await startTestServer({ clock, endpoints: [endpoint('/slow', 11), endpoint('/health', 0)] });
  const paths = [...Array<string>(100).fill('/slow'), '/health'];
  for (const _ of paths) sockets.push(connect(server.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => ask(socket, '/unknown')));
  // All of them arrive before the server reads the first one.
  const answers = await Promise.all(paths.map((path, index) => ask(sockets[index], path)));
  expect(answers).toEqual(Array<string>(101).fill('HTTP/1.1 200'));
  expect(begun).toHaveLength(101);
  // The client asked for it last.
  expect(begun.indexOf('/health')).toBeLessThan(90);
});

test('requests that have waited too long are refused but for the last one, and health is answered', async () => {
  const clock = workClock();
  const begun: string[] = [];
  const endpoint = takingTime(clock, begun);
  const endpoints = [endpoint('/slow', 30), endpoint('/health', 0)];
  const server = await startTestServer({ clock, endpoints, limits: { maxQueueMs: 50 } });
  // More than those of which none is refused.
  const slow = 70;
  const paths = [...Array<string>(slow).fill('/slow'), '/health'];
  for (const _ of paths) sockets.push(connect(server.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => ask(socket, '/health')));
  begun.length = 0;
  const answers = await Promise.all(paths.map((path, index) => ask(sockets[index], path)));
  const refused = server.log.flatMap((fact) => (fact.kind === 'request_finished' && fact.refusal ? [fact] : []));
  // They wait 0, 30 and 60 ms and so on; from 50 ms on the server refuses all that waited. How many are left at the end
  // depends on how the system delivers what was sent at once.
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.filter((answer) => answer === 'HTTP/1.1 503')).toHaveLength(refused.length);
  expect(begun.filter((path) => path === '/slow')).toHaveLength(slow - refused.length);
  expect(begun).toContain('/health');
  expect(refused[0]).toMatchObject({ api: 'gateway', route: '/slow', status: 503, refusal: { check: 'load' } });
  expect(refused[0]?.refusal?.error.details).toMatchObject({ retryAfter: 1 });
  expect(refused.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(server.log.filter(({ kind }) => kind === 'load_refused')).toHaveLength(1);
  // A connection whose request was refused goes on.
  expect(await ask(sockets[answers.indexOf('HTTP/1.1 503')], '/slow')).toBe('HTTP/1.1 200');
});

test('changes do not hold up reads, nor reads changes: both have every other turn', async () => {
  const clock = workClock();
  const begun: string[] = [];
  const endpoint = takingTime(clock, begun);
  const server = await startTestServer({ clock, endpoints: [endpoint('/change', 4, 'POST'), endpoint('/read', 4)] });
  for (let at = 0; at < 40; at += 1) sockets.push(connect(server.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => ask(socket, '/unknown')));
  // All of them arrive before the server reads the first one.
  const answers = await Promise.all(
    sockets.map((socket, at) => (at < 20 ? ask(socket, '/change', 'POST') : ask(socket, '/read'))),
  );
  expect(answers).toEqual(Array<string>(40).fill('HTTP/1.1 200'));
  const reads = begun.slice(0, 20).filter((path) => path === '/read').length;
  expect(reads).toBeGreaterThan(7);
  expect(reads).toBeLessThan(13);
});

test.each<[string, (call: Call, ended: Promise<void>) => Reply | Promise<Reply>]>([
  ['streams', (_call, ended) => streamReply(ended)],
  [
    'answers that are delayed on purpose',
    async (call, ended) => {
      call.extendDeadline(25_000);
      await ended;
      return streamReply(ended);
    },
  ],
])('%s are no load, however many wait', async (_name, wait) => {
  const clock = workClock();
  const begun: string[] = [];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const waiting = row({
    ...{ name: 'waiting', path: '/waiting', produces: [] },
    handler: (call) => {
      begun.push('/waiting');
      return wait(call, ended);
    },
  });
  const endpoints = [waiting, takingTime(clock, begun)('/read', 0)];
  // Equal requests would share one answer.
  const settings = { gateway_cache_enabled: false };
  const server = await startTestServer({ settings, clock, endpoints, limits: { maxQueueMs: 2000 } });
  const refused = () => server.log.filter((fact) => fact.kind === 'request_finished' && fact.refusal !== undefined);
  for (let listeners = 20; listeners <= 200; listeners += 20) {
    for (let at = 0; at < 20; at += 1) {
      const socket = connect(server.port, '127.0.0.1');
      sockets.push(socket);
      socket.write('GET /api/v1/waiting HTTP/1.1\r\nHost: a\r\n\r\n');
    }
    await expect.poll(() => begun.length + refused().length).toBe(listeners);
    // The load is judged again.
    clock.spend(160);
  }
  expect(refused()).toEqual([]);
  const reader = connect(server.port, '127.0.0.1');
  sockets.push(reader);
  expect(await ask(reader, '/read')).toBe('HTTP/1.1 200');
  end();
});

function streamReply(ended: Promise<void>): Reply {
  const open = async function* () {
    yield 'begun';
    await ended;
  };
  return { status: 200, body: { kind: 'stream', type: 'text/plain', open }, caching: { kind: 'never' } };
}
