/** Clients that do not read: what a connection and the process may hold for them, and for how long. */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Endpoint, Reply } from '../../../src/http/interface/endpoint.js';
import { fakeClock } from '../../support/clock.js';
import { deferred } from '../../support/deferred.js';
import { row, startTestServer, type TestServer, type TestServerOptions } from '../../support/server.js';

const mebibyte = 1_048_576;
/** More than the buffers of the system take. */
const large = 32 * mebibyte;

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection that reads nothing until it is resumed. */
function open(server: TestServer): Socket {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  sockets.push(socket);
  return socket;
}

function ended(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

const get = (path: string): string => `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

function reply(body: string | Buffer): Reply {
  const bytes = { kind: 'bytes', type: 'text/plain', bytes: body } as const;
  return { status: 200, body: bytes, caching: { kind: 'never' } };
}

function endpoint(path: string, handler: Endpoint['handler']): Endpoint {
  return row({ name: path, path, produces: [], handler });
}

const body = Buffer.alloc(large, 'x');

/** A server that notes which numbers were asked for, in their order. */
async function startNumbered(options: TestServerOptions = {}) {
  const order: string[] = [];
  const handler: Endpoint['handler'] = async ({ params }) => {
    order.push(params['id'] ?? '');
    await new Promise((resolve) => setImmediate(resolve));
    return reply(`<${params['id']}>`);
  };
  return { order, server: await start({ ...options, endpoints: [endpoint('/n/:id', handler)] }) };
}

/** Takes what comes, and gives what has come. */
function reading(socket: Socket): () => string {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  socket.resume();
  return () => text;
}

function start(options: TestServerOptions = {}): Promise<TestServer> {
  const endpoints = [endpoint('/large', () => reply(body)), ...(options.endpoints ?? [])];
  return startTestServer({ ...options, settings: { gateway_cache_enabled: false }, endpoints });
}

/** Lets the two ends of the connections do all that they can do now. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for so many more bytes, then reads nothing again. */
function take(socket: Socket, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    let taken = 0;
    const count = (chunk: Buffer): void => {
      taken += chunk.length;
      if (taken < bytes) return;
      socket.off('data', count);
      socket.pause();
      resolve();
    };
    socket.on('data', count);
    socket.resume();
  });
}

const closedFacts = ({ log }: TestServer) => log.filter((fact) => fact.kind === 'connections_closed');

test('an answer of which nothing is taken for half a minute ends its connection, one that is read slowly does not', async () => {
  const clock = fakeClock();
  const server = await start({ clock });
  const [silent, slow] = [open(server), open(server)];
  for (const socket of [silent, slow]) socket.write(get('/large'));
  await take(slow, 1000);
  await take(silent, 1000);
  await settle();
  await clock.advance(1000);
  const closed = ended(silent);
  for (let second = 0; second < 28; second += 1) {
    await clock.advance(1000);
    expect(closedFacts(server)).toEqual([]);
    if (second % 10 === 9) await take(slow, mebibyte);
    await settle();
  }
  await clock.advance(3000);
  expect(closedFacts(server)).toEqual([{ kind: 'connections_closed', notTaken: 1, memory: 0, refused: 0 }]);
  silent.resume();
  await closed;
  slow.resume();
  await take(slow, mebibyte);
  expect((await server.ask('/api/v1/nothing')).status).toBe(404);
});

test('a connection that was answered and ended is closed when its client keeps its own end open', async () => {
  const clock = fakeClock();
  const server = await start({ clock });
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write('nonsense\r\n\r\n');
  const [answer] = (await new Promise((resolve) => socket.once('data', (...given) => resolve(given)))) as [Buffer];
  expect(answer.toString()).toContain('400 Bad Request');
  await settle();
  await clock.advance(32_000);
  expect(closedFacts(server)).toMatchObject([{ notTaken: 1 }]);
});

test('requests that are sent ahead are answered in their order, one after the other', async () => {
  let running = 0;
  let most = 0;
  const handler: Endpoint['handler'] = async ({ params }) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return reply(`<${params['id']}>`);
  };
  const socket = open(await start({ endpoints: [endpoint('/n/:id', handler)] }));
  const ids = Array.from({ length: 300 }, (_, at) => String(at));
  socket.write(ids.map((id) => get(`/n/${id}`)).join(''));
  const text = reading(socket);
  while (!text().includes('<299>')) await settle();
  expect([...text().matchAll(/<(\d+)>/g)].map(([, id]) => id)).toEqual(ids);
  expect(most).toBe(1);
});

test('no request begins while its connection has more than its share of answers that are not taken', async () => {
  let begun = 0;
  const mib = Buffer.alloc(mebibyte, 'x');
  const handler = () => {
    begun += 1;
    return reply(mib);
  };
  const server = await start({ endpoints: [endpoint('/mib', handler)] });
  const socket = open(server);
  socket.write(get('/mib').repeat(200));
  await settle();
  // Eight of them wait in the server, the others are what the system took.
  await take(socket, 1000);
  await settle();
  const before = begun;
  expect(before).toBeLessThan(60);
  await settle();
  expect(begun).toBe(before);
  await take(socket, 199 * mebibyte);
  await settle();
  expect(begun).toBe(200);
});

test('reads no further while many requests wait, and goes on when they are answered', async () => {
  const gate = deferred();
  let begun = 0;
  const handler = async () => {
    begun += 1;
    await gate.promise;
    return reply('held');
  };
  const server = await start({ endpoints: [endpoint('/held', handler)] });
  const socket = open(server);
  const request = get('/held').replace('Host: a', `Host: a\r\nX-Filling: ${'x'.repeat(15_000)}`);
  // More than the buffers of both ends take.
  for (let count = 0; count < 990; count += 1) socket.write(request);
  await settle();
  expect([begun, socket.writableLength > 0]).toEqual([1, true]);
  const text = reading(socket);
  gate.resolve();
  while (text().split('HTTP/1.1 200').length - 1 < 990) await settle();
  expect(begun).toBe(990);
});

test('requests that are sent ahead leave others their turns', async () => {
  const { server, order } = await startNumbered();
  const [flood, other] = [open(server), open(server)];
  await Promise.all([flood, other].map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  flood.write(get('/n/flood').repeat(900));
  other.write(get('/n/other'));
  flood.resume();
  while (order.length < 901) await settle();
  expect(order.indexOf('other')).toBeLessThan(100);
});

test('all answers that are not taken have a limit together: who takes nothing for the longest time goes first', async () => {
  const clock = fakeClock();
  const server = await start({ clock, limits: { maxTotalUnsentBytes: 5 * large } });
  const reader = open(server);
  reader.write(get('/large'));
  await take(reader, 1000);
  const hoarders: Socket[] = [];
  for (let count = 0; count < 10; count += 1) {
    const socket = open(server);
    hoarders.push(socket);
    socket.write(get('/large'));
    await take(socket, 1000);
    await clock.advance(1000);
    await take(reader, 2 * mebibyte);
    await settle();
  }
  await clock.advance(1000);
  const closed = closedFacts(server).reduce((sum, fact) => sum + fact.memory, 0);
  expect(closed).toBeGreaterThanOrEqual(6);
  expect(closed).toBeLessThanOrEqual(10);
  await take(reader, 10 * mebibyte);
  expect((await server.ask('/api/v1/nothing')).status).toBe(404);
});

test('connections over the number that is allowed are closed, and others take their places', async () => {
  const clock = fakeClock();
  const server = await start({ clock, limits: { maxConnections: 2 } });
  const [one, two] = [open(server), open(server)];
  await Promise.all([one, two].map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  await settle();
  const third = open(server);
  third.resume();
  await ended(third);
  await clock.advance(1000);
  expect(closedFacts(server)).toMatchObject([{ refused: 1 }]);
  one.destroy();
  await settle();
  expect((await server.ask('/api/v1/nothing')).status).toBe(404);
});

test('nothing that was sent behind a request that ends the connection is carried out', async () => {
  const { server, order } = await startNumbered();
  const socket = open(server);
  socket.write(get('/n/1') + get('/%zz') + get('/n/2').repeat(3));
  const text = reading(socket);
  await ended(socket);
  await settle();
  expect([order, text().match(/HTTP\/1.1 \d+/g)]).toEqual([['1'], ['HTTP/1.1 200', 'HTTP/1.1 400']]);
});

describe.each([
  { how: 'sent ahead', pieces: [get('/n/1').repeat(5)] },
  { how: 'sent one after the other', pieces: Array.from({ length: 5 }, () => get('/n/1')) },
])('more requests than a connection may have, $how', ({ pieces }) => {
  test('the last one that it may have ends it, and the others are not carried out', async () => {
    const { server, order } = await startNumbered({ limits: { maxRequestsPerSocket: 3 } });
    const socket = open(server);
    const closed = ended(socket);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const next = pieces.shift();
      if (next !== undefined) socket.write(next);
    });
    socket.write(pieces.shift() ?? '');
    socket.resume();
    await closed;
    expect(text.match(/HTTP\/1.1 \d+|Connection: [a-z-]+/g)).toEqual([
      ...['HTTP/1.1 200', 'Connection: keep-alive', 'HTTP/1.1 200', 'Connection: keep-alive'],
      ...['HTTP/1.1 200', 'Connection: close'],
    ]);
    expect(order).toHaveLength(3);
  });
});
