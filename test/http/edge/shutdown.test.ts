/** Listening and stopping: a taken port, a drain under load, slow clients, requests without end. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock/clock.js';
import { renderProblem } from '../../../src/gateway/http/envelope.js';
import type { Call, Reply } from '../../../src/http/interface/endpoint.js';
import { RequestState } from '../../../src/http/interface/request-state.js';
import { startServer } from '../../../src/http/server/server.js';
import { fakeClock } from '../../support/clock.js';
import { deferred } from '../../support/deferred.js';
import { rawGet, sendRaw } from '../../support/raw-socket.js';
import { fixed, testRows } from '../../support/rows.js';
import { row, startTestServer, type TestServerOptions } from '../../support/server.js';

const body = { kind: 'json', value: {} } as const;
const answer: Reply = { status: 200, body, caching: { kind: 'never' } };

type Handler = Parameters<typeof row>[0]['handler'];

/** A server whose slow route has begun and waits for its answer, beside a quick one. */
async function startHolding(answered: Promise<Reply>, options: TestServerOptions = {}) {
  const started = deferred<Call>();
  const handler: Handler = (call) => {
    // It is made when a handler looks at it.
    expect(call.signal.aborted).toBe(false);
    started.resolve(call);
    return answered;
  };
  const endpoints = [
    row({ name: 'slow', path: '/slow', handler }),
    row({ name: 'fixed', path: '/fixed', handler: fixed }),
  ];
  const server = await startTestServer({ ...options, endpoints });
  const asked = server.ask('/api/v1/slow');
  return { server, asked, call: await started.promise };
}

test('a taken port is refused with host and port', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const start = startServer({
    apis: [],
    unmounted: (error, info) => renderProblem(error, info, '/api/v1'),
    ports: {
      ...{ clock: systemClock, log: () => undefined, settings: () => ({}) },
      trustedProxies: () => [],
    },
    host: '127.0.0.1',
    port,
  });
  await expect(start).rejects.toMatchObject({
    code: 'port_in_use',
    message: `Another process already listens on 127.0.0.1:${port}`,
  });
  await new Promise((resolve) => other.close(resolve));
});

test('fifty keep-alive clients under load lose no request when the server stops', async () => {
  const announceMs = 300;
  const told = deferred();
  /** The announcement lasts until every client has heard it, however long the machine takes. */
  const sleep: Clock['sleep'] = (ms, signal) => (ms === announceMs ? told.promise : systemClock.sleep(ms, signal));
  const clock = { ...systemClock, sleep };
  const server = await startTestServer({ endpoints: testRows, limits: { announceMs }, clock });
  let answered = 0;
  const failures: unknown[] = [];
  const warm = deferred();

  /** Asks on one connection until the server says that it ends; null when it is refused before a request. */
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let last = false; !last; ) {
      last = await new Promise<boolean>((resolve) => {
        const asked = request({ port: server.port, host: '127.0.0.1', path: '/api/v1/fixed', agent });
        asked.on('error', (error: NodeJS.ErrnoException) => {
          failures.push(error.code);
          resolve(true);
        });
        asked.on('response', (response) => {
          response.resume();
          response.on('error', (error) => failures.push(error));
          response.on('end', () => {
            answered += 1;
            if (answered === 500) warm.resolve();
            if (response.statusCode !== 200) failures.push(response.statusCode);
            resolve(response.headers.connection === 'close');
          });
        });
        asked.end();
      });
    }
    agent.destroy();
  };

  const clients = Promise.all(Array.from({ length: 50 }, client));
  await warm.promise;
  const closing = server.close();
  expect(server.server.draining).toBe(true);
  await clients;
  told.resolve();
  await closing;
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThanOrEqual(500);
});

test('a connection that arrives in the last turn of a busy server is served', async () => {
  const announceMs = 300;
  const told = deferred();
  const sleep: Clock['sleep'] = (ms, signal) => (ms === announceMs ? told.promise : systemClock.sleep(ms, signal));
  const late = deferred<number>();
  /** The system takes the connection while this turn lasts. */
  const handler = async (): Promise<Reply> => {
    void sendRaw({ port: server.port, bytes: rawGet('/api/v1/fixed') }).then(({ status }) => late.resolve(status));
    await Promise.resolve();
    for (const end = performance.now() + 5; performance.now() < end; );
    return answer;
  };
  const endpoints = [
    row({ name: 'busy', path: '/busy', handler }),
    row({ name: 'fixed', path: '/fixed', handler: fixed }),
  ];
  const server = await startTestServer({ endpoints, limits: { announceMs }, clock: { ...systemClock, sleep } });
  const kept = connect(server.port, '127.0.0.1');
  await new Promise((resolve) => kept.once('connect', resolve));
  const closing = server.server.close();
  await new Promise<void>((resolve) => {
    // The request waits in the system when the server begins to look whether it may end.
    setTimeout(() => {
      kept.write(rawGet('/api/v1/busy'));
      told.resolve();
      resolve();
    }, 0);
  });
  expect(await late.promise).toBe(200);
  kept.destroy();
  await closing;
  await server.close();
});

test('a request under way is answered in full, a silent connection is closed', async () => {
  const gate = deferred<Reply>();
  const { server, asked } = await startHolding(gate.promise, { limits: { silentMs: 20 } });
  const idle = connect(server.port, '127.0.0.1');
  const idleClosed = new Promise((resolve) => idle.once('close', resolve));
  await new Promise((resolve) => idle.once('connect', resolve));
  const closing = server.server.close();
  await idleClosed;
  gate.resolve(answer);
  const { status, text, headers } = await asked;
  expect([status, text, headers.connection]).toEqual([200, '{}', 'close']);
  await closing;
  await server.close();
});

test('a second call ends what is still open', async () => {
  const { server, asked, call } = await startHolding(new Promise(() => undefined));
  const refused = asked.catch((error: NodeJS.ErrnoException) => error.code);
  await Promise.all([server.server.close(), server.server.close()]);
  expect([await refused, call.signal.aborted]).toEqual(['ECONNRESET', true]);
});

test('the grace ends by itself', async () => {
  const { server, asked } = await startHolding(new Promise(() => undefined), { limits: { graceMs: 50 } });
  const refused = asked.catch((error: NodeJS.ErrnoException) => error.code);
  await server.server.close();
  expect(await refused).toBe('ECONNRESET');
});

test('answers 503 to a request that takes too long, and stops its handler', async () => {
  const clock = fakeClock();
  const late = deferred<Reply>();
  const { server, asked, call } = await startHolding(late.promise, { clock });
  await clock.advance(29_000);
  expect(call.signal.aborted).toBe(false);
  await clock.advance(2_000);
  const { status, headers, json } = await asked;
  expect([status, headers['retry-after'], call.signal.aborted]).toEqual([503, '5', true]);
  expect(json()).toMatchObject({ code: 'unavailable', detail: 'The request took too long' });
  // The late result is dropped; the server goes on.
  late.resolve(answer);
  expect((await server.ask('/api/v1/fixed')).status).toBe(200);
  expect(server.log.filter((fact) => fact.kind === 'request_finished' && fact.route === '/slow')).toHaveLength(1);
});

test('a request whose answer is delayed on purpose may take as much longer', async () => {
  const clock = fakeClock();
  const late = deferred<Reply>();
  const { asked, call } = await startHolding(late.promise, { clock });
  call.extendDeadline(30_000);
  await clock.advance(59_000);
  late.resolve(answer);
  expect((await asked).status).toBe(200);
});

test.each<[string, (call: Call) => unknown]>([
  ['stops the handler of a client that goes away', ({ signal }) => once(signal, 'abort')],
  ['tells a handler that looks only then', (call) => call instanceof RequestState && once(call.res, 'close')],
])('%s', async (_name, waitFor) => {
  const [started, looked] = [deferred(), deferred<boolean>()];
  const handler: Handler = async (call) => {
    const waiting = waitFor(call);
    started.resolve();
    await waiting;
    looked.resolve(call.signal.aborted);
    return answer;
  };
  const server = await startTestServer({ endpoints: [row({ name: 'slow', path: '/slow', handler })] });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(rawGet('/api/v1/slow'));
  await started.promise;
  socket.destroy();
  expect(await looked.promise).toBe(true);
  expect((await server.ask('/api/v1/problems')).status).toBe(200);
});

test('headers that never end are answered 408 in problem form and closed', async () => {
  const server = await startTestServer({
    endpoints: testRows,
    // Long enough for the request at the end on a machine that stands still for a moment.
    limits: { headersTimeoutMs: 2000, checkIntervalMs: 50 },
  });
  const answer = await sendRaw({ port: server.port, bytes: 'GET /api/v1/fixed HTTP/1.1\r\nHost: a\r\nX-Slow: ' });
  expect([answer.status, answer.closed]).toEqual([408, true]);
  expect(JSON.parse(answer.body)).toMatchObject({ title: 'Request Timeout', status: 408, code: 'bad_request' });
  expect((await server.ask('/api/v1/fixed')).status).toBe(200);
});
