/** Callers share a server: who sends most waits most and is refused first, and health has a small share before all. */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { addressLimit } from '../../../src/gateway/http/checks.js';
import {
  beginningOfChange,
  changes,
  Load,
  placesOfBody,
  reads,
  turnsOfBody,
  type WaitingTurn,
} from '../../../src/http/connections/load.js';
import type { Endpoint, Reply } from '../../../src/http/interface/endpoint.js';
import type { ServerLimits } from '../../../src/http/server/server.js';
import { MemoryCounter } from '../../../src/identity/limits/counter.js';
import { fakeClock } from '../../support/clock.js';
import { row, startTestServer, type TestServer } from '../../support/server.js';
import { workClock } from '../../support/work-clock.js';

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A server whose handlers note who asked, by address, and take 5 ms; health takes none. */
async function startNoting(limits: Partial<ServerLimits> = {}) {
  const clock = workClock();
  const begun: string[] = [];
  const noting = (name: string, ms: number, more: Partial<Endpoint> = {}) =>
    row({
      ...{ name, path: `/${name}`, produces: [], ...more },
      handler: ({ clientIp }) => {
        begun.push(name === 'health' ? name : clientIp);
        clock.spend(ms);
        const body = { kind: 'bytes', type: 'text/plain', bytes: 'done' } as const;
        return { status: 200, body, caching: { kind: 'never' } };
      },
    });
  const request = { types: ['application/json'], required: true };
  const write = noting('write', 5, { method: 'POST', request });
  const endpoints = [noting('read', 5), noting('change', 5, { method: 'POST' }), write, noting('health', 0)];
  const settings = { gateway_trusted_proxies: ['127.0.0.9'] };
  const server = await startTestServer({ clock, endpoints, settings, limits: { maxQueueMs: 600_000, ...limits } });
  return { server, begun };
}

/** Connections that are accepted; each request on one of them resolves with its status. */
async function open(server: TestServer, count: number, localAddress: string) {
  const opened = Array.from({ length: count }, () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    return (head: string, body = ''): Promise<number> =>
      new Promise((resolve) => {
        socket.once('data', (chunk) => resolve(Number(String(chunk).slice(9, 12))));
        socket.write(`${head.replace(' HTTP/1.1', ' HTTP/1.1\r\nHost: a')}\r\n\r\n${body}`);
      });
  });
  await Promise.all(opened.map((ask) => ask('GET /api/v1/none HTTP/1.1')));
  return opened;
}

const calmCaller = '127.0.0.3';
const calm = 'GET /api/v1/read HTTP/1.1';

describe('a caller with a few requests beside one with many', () => {
  const floods: readonly (readonly [string, (at: number) => string])[] = [
    ['reads', () => 'GET /api/v1/read HTTP/1.1'],
    ['changes', () => 'POST /api/v1/change HTTP/1.1\r\nContent-Length: 0'],
    ['reads that say they are health', () => 'GET /api/v1/read?y=/health HTTP/1.1'],
    ['reads with wrong keys', (at) => `GET /api/v1/read HTTP/1.1\r\nX-API-Key: wrong-${at}`],
    ['reads with a body', () => 'GET /api/v1/read HTTP/1.1\r\nContent-Length: 0'],
    ['reads with invented addresses', (at) => `GET /api/v1/read HTTP/1.1\r\nX-Forwarded-For: 192.0.2.${at}`],
  ];

  it.each(floods)('has its turns between many %s of another address', async (_name, flood) => {
    const { server, begun } = await startNoting();
    const many = await open(server, 120, '127.0.0.2');
    const few = await open(server, 5, calmCaller);
    begun.length = 0;
    // All of them arrive before the server reads the first one, the few as the last.
    await Promise.all([...many.map((ask, at) => ask(flood(at))), ...few.map((ask) => ask(calm))]);
    const last = begun.lastIndexOf(calmCaller);
    const first = begun.indexOf(calmCaller);
    // How many have begun when the few are read depends on the system; from then on every other turn is theirs.
    expect(begun.filter((address) => address === calmCaller)).toHaveLength(5);
    expect(last - first).toBeLessThan(20);
    expect(last).toBeLessThan(110);
  });

  it('has its turns beside many that come through the same trusted proxy from another address', async () => {
    const { server, begun } = await startNoting();
    const proxy = await open(server, 125, '127.0.0.9');
    const from = (address: string) => `GET /api/v1/read HTTP/1.1\r\nX-Forwarded-For: ${address}`;
    begun.length = 0;
    await Promise.all(proxy.map((ask, at) => ask(from(at < 120 ? '2001:db8::1' : '192.0.2.7'))));
    expect(begun.lastIndexOf('192.0.2.7') - begun.indexOf('192.0.2.7')).toBeLessThan(20);
  });

  it('is not refused while the other one is', async () => {
    // The requests that wait would take longer than 100 ms after half of that.
    const { server, begun } = await startNoting({ maxQueueMs: 100 });
    const many = await open(server, 120, '127.0.0.2');
    const few = await open(server, 5, calmCaller);
    begun.length = 0;
    const answers = await Promise.all([
      ...many.map((ask) => ask('GET /api/v1/read HTTP/1.1')),
      ...few.map((ask) => ask(calm)),
    ]);
    expect(answers.slice(120)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter((status) => status === 503).length).toBeGreaterThan(20);
    expect(answers.filter((status) => status === 200)).toHaveLength(begun.length);
  });
});

describe('connections', () => {
  it('of one address that are idle make room for those of others at the limit, the oldest first', async () => {
    const { server } = await startNoting({ maxConnections: 10 });
    await open(server, 8, '127.0.0.2');
    const closed: number[] = [];
    sockets.forEach((socket, at) => void socket.once('close', () => closed.push(at)));
    const few = await open(server, 2, calmCaller);
    // From here on all places are taken.
    const more = await open(server, 2, '127.0.0.4');
    expect(await Promise.all([...few, ...more].map((ask) => ask(calm)))).toEqual([200, 200, 200, 200]);
    await expect.poll(() => closed).toEqual([0, 1]);
    // The address with most of them gets no further one.
    const refused = connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    sockets.push(refused.on('error', () => undefined));
    await expect.poll(() => refused.destroyed).toBe(true);
    expect(closed).toEqual([0, 1]);
  });

  it('with a request under way are not closed for others', async () => {
    const begun: (() => void)[] = [];
    const handler = () =>
      new Promise<Reply>((resolve) => {
        begun.push(() => resolve({ status: 200, body: { kind: 'empty' }, caching: { kind: 'never' } }));
      });
    const endpoints = [row({ name: 'wait', method: 'POST', path: '/wait', produces: [], handler })];
    const server = await startTestServer({ endpoints, limits: { maxConnections: 4 } });
    const busy = await open(server, 4, '127.0.0.2');
    const waiting = busy.map((ask) => ask('POST /api/v1/wait HTTP/1.1\r\nContent-Length: 0'));
    await expect.poll(() => begun.length).toBe(4);
    const refused = connect({ port: server.port, host: '127.0.0.1', localAddress: calmCaller });
    sockets.push(refused.on('error', () => undefined));
    await expect.poll(() => refused.destroyed).toBe(true);
    for (const answer of begun) answer();
    expect(await Promise.all(waiting)).toEqual([200, 200, 200, 200]);
  });
});

describe('bodies', () => {
  const head = (length: number) => `POST /api/v1/write HTTP/1.1\r\nContent-Length: ${length}`;
  const long = `{"x":"${'y'.repeat(100_000)}"}`;

  it('that are long hold up no short ones of another address', async () => {
    const { server, begun } = await startNoting();
    const many = await open(server, 40, '127.0.0.2');
    const few = await open(server, 5, calmCaller);
    begun.length = 0;
    const answers = await Promise.all([
      ...many.map((ask) => ask(head(long.length), long)),
      ...few.map((ask) => ask(head(2), '{}')),
    ]);
    expect(new Set(answers)).toEqual(new Set([200]));
    // Eight of the long ones may be under way when the first short one is read.
    expect(begun.lastIndexOf(calmCaller) - begun.indexOf(calmCaller)).toBeLessThan(14);
  });

  it('of one address that are long are read eight at a time, and those of others at once', async () => {
    const { server, begun } = await startNoting();
    const slow = await open(server, 8, '127.0.0.2');
    const [next, short] = await open(server, 2, '127.0.0.2');
    const [other] = await open(server, 1, calmCaller);
    begun.length = 0;
    const slowSockets = sockets.slice(0, 8);
    // Of each the last byte is missing.
    const waiting = slow.map((ask) => ask(head(long.length), long.slice(0, -1)));
    const answer = next?.(head(long.length), long);
    expect(await other?.(head(long.length), long)).toBe(200);
    expect(await short?.(head(2), '{}')).toBe(200);
    expect(begun).toEqual([calmCaller, '127.0.0.2']);
    slowSockets[0]?.write('}');
    expect([await waiting[0], await answer]).toEqual([200, 200]);
    for (const socket of slowSockets.slice(1)) socket.write('}');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
  });

  it('of requests that are gone or took too long make room for others', async () => {
    const { server } = await startNoting();
    const slow = await open(server, 8, '127.0.0.2');
    const [next] = await open(server, 1, '127.0.0.2');
    for (const ask of slow) void ask(head(long.length), long.slice(0, -1));
    const answer = next?.(head(long.length), long);
    for (const socket of sockets.slice(0, 8)) socket.destroy();
    expect(await answer).toBe(200);
    expect(server.log.filter((fact) => fact.kind === 'request_finished' && fact.status === 500)).toEqual([]);
  });
});

describe('health', () => {
  const forms = ['/api/v1/health', '/api/v1/health?x=1', '/api.php?route=/v1/health', '/api.php?path=/api/v1/health'];

  it.each(forms)('begins before what waits, as %s', async (target) => {
    const { server, begun } = await startNoting();
    const many = await open(server, 60, '127.0.0.2');
    begun.length = 0;
    const asked = [
      ...many.slice(1).map((ask) => ask('GET /api/v1/read HTTP/1.1')),
      many[0]?.(`GET ${target} HTTP/1.1`),
    ];
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
    expect(begun.indexOf('health')).toBeLessThan(55);
  });

  it('begins before others a hundred times a second at most, and else waits like them', async () => {
    const { server, begun } = await startNoting();
    const many = await open(server, 120, '127.0.0.2');
    const few = await open(server, 5, calmCaller);
    begun.length = 0;
    const asked = many.map((ask, at) => ask(at % 6 === 0 ? calm : 'GET /api/v1/health HTTP/1.1'));
    const answers = await Promise.all([...asked, ...few.map((ask) => ask(calm))]);
    expect(new Set(answers)).toEqual(new Set([200]));
    // Twenty-five reads of 5 ms leave room for a dozen of them.
    expect(begun.slice(0, begun.lastIndexOf(calmCaller)).filter((name) => name === 'health').length).toBeLessThan(60);
  });
});

describe('a server whose busiest caller has requests under way', () => {
  it.each([1, 2, 4])('refuses none of %s of another caller, however slow it is', (count) => {
    let now = 0;
    const load = new Load({ clock: { elapsed: () => now }, longestWaitMs: 2000, connections: () => 300 });
    const add = (caller: string, bytes: number) => {
      const asker = { group: changes, caller };
      load.add({ since: now, expected: turnsOfBody(bytes), asker });
    };
    for (let sent = 0; sent < 100; sent += 1) add('busy', 900_000);
    const refused: WaitingTurn[] = [];
    const under: WaitingTurn[] = [];
    for (let step = 0; step < 500; step += 1) {
      if (step % 20 === 0) for (let sent = 0; sent < count; sent += 1) add('calm', 50);
      const next = load.next();
      refused.push(...next.refused);
      if (next.begins !== null) under.push(next.begins);
      now += 100;
      const ended = under.shift();
      if (ended !== undefined) load.end(ended);
    }
    expect(new Set(refused.map(({ asker }) => asker.caller))).toEqual(new Set(['busy']));
  });
});

describe('a time in which nothing is answered, as when the counter is frozen', () => {
  it('refuses none of a caller with a few requests', () => {
    let now = 0;
    const load = new Load({ clock: { elapsed: () => now }, longestWaitMs: 2000, connections: () => 300 });
    const refused: string[] = [];
    const underWay: WaitingTurn[] = [];
    const tick = (caller: string, count: number) => {
      for (let sent = 0; sent < count; sent += 1) {
        load.add({ since: now, expected: 1, asker: { group: reads, caller } });
      }
      const next = load.next();
      refused.push(...next.refused.map(({ asker }) => asker.caller));
      if (next.begins !== null) underWay.push(next.begins);
      now += 20;
    };
    tick('busy', 200);
    for (let answered = 0; answered < 100; answered += 1) {
      tick('busy', 1);
      const ended = underWay.shift();
      if (ended !== undefined) load.end(ended);
    }
    expect(refused.length).toBeGreaterThan(0);
    for (let stalled = 0; stalled < 100; stalled += 1) tick(stalled % 5 === 0 ? 'calm' : 'busy', 1);
    expect(new Set(refused)).toEqual(new Set(['busy']));
  });
});

describe('requests for no route, and OPTIONS', () => {
  it.each<[string, string, string, number]>([
    ['an unknown route', 'GET', '/api/v1/none', 404],
    ['an unknown method of a route', 'DELETE', '/api/v1/read', 405],
    ['OPTIONS', 'OPTIONS', '/api/v1/read', 204],
    ['an unknown route of the pages', 'GET', '/pages/api/v1.php/none', 404],
    ['an address outside of all interfaces', 'GET', '/nowhere', 404],
  ])('are refused with 429 above 6,000 a minute of one address: %s', async (_name, method, path, status) => {
    const clock = fakeClock();
    const counter = new MemoryCounter(clock);
    const countStray = addressLimit(() => ({ gateway_rate_limit_enabled: true }), { counter, counted: 'stray' });
    const body = { kind: 'bytes', type: 'text/plain', bytes: 'done' } as const;
    const handler = () => ({ status: 200, body, caching: { kind: 'never' } }) as const;
    const endpoints = [row({ name: 'read', path: '/read', produces: [], handler })];
    const server = await startTestServer({ clock, endpoints, countStray, settings: { pages_rest_api_enabled: true } });
    for (let sent = 0; sent < 5999; sent += 1) void countStray('127.0.0.1');
    expect((await server.ask(path, { method })).status).toBe(status);
    const refused = await server.ask(path, { method });
    expect([refused.status, refused.headers['retry-after'], refused.headers['x-ratelimit-limit']]).toEqual([
      ...[429, '60', '6000'],
    ]);
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');
    // What has a route is counted by its own limit.
    expect((await server.ask('/api/v1/read')).status).toBe(200);
    await clock.advance(60_000);
    expect((await server.ask(path, { method })).status).toBe(status);
  });
});

it('requests after a pause are not judged by the changes before it', () => {
  let now = 0;
  const load = new Load({ clock: { elapsed: () => now }, longestWaitMs: 2000, connections: () => 100 });
  const add = (caller: string, api: string, expected: number) =>
    load.add({ since: now, asker: { group: api, caller }, expected });
  for (let sent = 0; sent < 3; sent += 1) add(`caller ${sent}`, changes, beginningOfChange);
  for (let begun = load.next().begins; begun !== null; begun = load.next().begins) load.end(begun);
  expect(load.waiting).toBe(0);
  now += 3000;
  for (let sent = 0; sent < 60; sent += 1) add(`caller ${sent % 6}`, reads, 1);
  expect(load.next().refused).toEqual([]);
});

describe('changes of one caller', () => {
  const start = () => {
    const load = new Load({ clock: { elapsed: () => 0 }, longestWaitMs: 2000, connections: () => 300 });
    const add = (caller: string, bytes: number) => {
      const [asker, expected, places] = [{ group: changes, caller }, turnsOfBody(bytes), placesOfBody(bytes)];
      load.add({ since: 0, asker, expected, places });
    };
    const begin = () => load.next().begins;
    return { load, add, begin };
  };

  it.each([
    ['900 KB', 900_000, 1],
    ['200 KB', 200_000, 2],
    ['1 KB', 1000, 8],
  ])('are under way at a time by their length: of %s', (_, bytes, count) => {
    const { add, begin } = start();
    for (let sent = 0; sent < 20; sent += 1) add('busy', bytes);
    for (let under = 0; under < count; under += 1) expect(begin()?.asker.caller).toBe('busy');
    expect(begin()).toBeNull();
    add('calm', 50);
    expect(begin()?.asker.caller).toBe('calm');
  });
});
