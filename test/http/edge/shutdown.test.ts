/** Listening and stopping: a taken port, a drain under load, slow clients, requests without end. */
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock/clock.js';
import { renderProblem } from '../../../src/gateway/http/envelope.js';
import type { Reply } from '../../../src/http/interface/endpoint.js';
import { startServer } from '../../../src/http/server/server.js';
import { fakeClock } from '../../support/clock.js';
import { deferred } from '../../support/deferred.js';
import { rawGet, sendRaw } from '../../support/raw-socket.js';
import { fixed, testRows } from '../../support/rows.js';
import { row, startTestServer } from '../../support/server.js';

const body = { kind: 'json', value: {} } as const;

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
    return { status: 200, body, caching: { kind: 'never' } };
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
  const gate = deferred();
  const started = deferred();
  const handler = async (): Promise<Reply> => {
    started.resolve();
    await gate.promise;
    return { status: 200, body, caching: { kind: 'never' } };
  };
  const endpoints = [row({ name: 'slow', path: '/slow', handler })];
  const server = await startTestServer({ endpoints, limits: { silentMs: 20 } });
  const idle = connect(server.port, '127.0.0.1');
  const idleClosed = new Promise((resolve) => idle.once('close', resolve));
  await new Promise((resolve) => idle.once('connect', resolve));
  const asked = server.ask('/api/v1/slow');
  await started.promise;
  const closing = server.server.close();
  await idleClosed;
  gate.resolve();
  const answer = await asked;
  expect([answer.status, answer.text, answer.headers.connection]).toEqual([200, '{}', 'close']);
  await closing;
  await server.close();
});

test('a second call ends what is still open', async () => {
  const started = deferred<AbortSignal>();
  const handler = async (call: { readonly signal: AbortSignal }): Promise<Reply> => {
    started.resolve(call.signal);
    await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
    return { status: 200, body, caching: { kind: 'never' } };
  };
  const server = await startTestServer({ endpoints: [row({ name: 'endless', path: '/endless', handler })] });
  const asked = server.ask('/api/v1/endless').catch((error: NodeJS.ErrnoException) => error.code);
  const signal = await started.promise;
  const first = server.server.close();
  const second = server.server.close();
  await Promise.all([first, second]);
  expect([await asked, signal.aborted]).toEqual(['ECONNRESET', true]);
});

test('the grace ends by itself', async () => {
  const started = deferred();
  const handler = async (): Promise<Reply> => {
    started.resolve();
    return new Promise(() => undefined);
  };
  const endpoints = [row({ name: 'endless', path: '/endless', handler })];
  const server = await startTestServer({ endpoints, limits: { graceMs: 50 } });
  const asked = server.ask('/api/v1/endless').catch((error: NodeJS.ErrnoException) => error.code);
  await started.promise;
  await server.server.close();
  expect(await asked).toBe('ECONNRESET');
});

test('answers 503 to a request that takes too long, and stops its handler', async () => {
  const clock = fakeClock();
  const started = deferred<AbortSignal>();
  const late = deferred<Reply>();
  const handler = async (call: { readonly signal: AbortSignal }): Promise<Reply> => {
    started.resolve(call.signal);
    return late.promise;
  };
  const endpoints = [
    row({ name: 'slow', path: '/slow', handler }),
    row({ name: 'fixed', path: '/fixed', handler: fixed }),
  ];
  const server = await startTestServer({ endpoints, clock });
  const asked = server.ask('/api/v1/slow');
  const signal = await started.promise;
  await clock.advance(29_000);
  expect(signal.aborted).toBe(false);
  await clock.advance(2_000);
  const answer = await asked;
  expect([answer.status, answer.headers['retry-after'], signal.aborted]).toEqual([503, '5', true]);
  expect(answer.json()).toMatchObject({ code: 'unavailable', detail: 'The request took too long' });
  // The late result is dropped; the server goes on.
  late.resolve({ status: 200, body, caching: { kind: 'never' } });
  expect((await server.ask('/api/v1/fixed')).status).toBe(200);
  expect(server.log.filter((fact) => fact.kind === 'request_finished' && fact.route === '/slow')).toHaveLength(1);
});

test('a request whose answer is delayed on purpose may take as much longer', async () => {
  const clock = fakeClock();
  const started = deferred();
  const late = deferred<Reply>();
  const handler = async (call: { extendDeadline(ms: number): void }): Promise<Reply> => {
    call.extendDeadline(30_000);
    started.resolve();
    return late.promise;
  };
  const server = await startTestServer({ endpoints: [row({ name: 'slow', path: '/slow', handler })], clock });
  const asked = server.ask('/api/v1/slow');
  await started.promise;
  await clock.advance(59_000);
  late.resolve({ status: 200, body, caching: { kind: 'never' } });
  expect((await asked).status).toBe(200);
});

test('stops the handler of a client that goes away', async () => {
  const started = deferred();
  const aborted = deferred();
  const handler = async (call: { readonly signal: AbortSignal }): Promise<Reply> => {
    call.signal.addEventListener('abort', () => aborted.resolve());
    started.resolve();
    await aborted.promise;
    return { status: 200, body, caching: { kind: 'never' } };
  };
  const server = await startTestServer({ endpoints: [row({ name: 'slow', path: '/slow', handler })] });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(rawGet('/api/v1/slow'));
  await started.promise;
  socket.destroy();
  await aborted.promise;
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
