/** Counting in Redis: exact over processes, by its clock, over every kind of connection, and safe when it refuses. */
import { fork } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { parseRedisUrl } from '../../../src/config/address-values.js';
import type { Count } from '../../../src/identity/limits/counter.js';
import { counterPlace, RedisCounter } from '../../../src/identity/limits/open-counter.js';
import { openRedisLink } from '../../../src/identity/limits/redis-link.js';
import type { Observation } from '../../../src/log/observation.js';
import { describeWithRedis } from '../../support/describe-with-redis.js';
import { type RedisServer, redisCommand, startRedis } from '../../support/redis-server.js';

const minute = 60_000;

interface Opened {
  readonly counter: RedisCounter;
  readonly log: readonly Observation[];
}

/** A counter on the server, as a server process has it. */
async function openCounter(url: string, prefix = 'hcd:'): Promise<Opened> {
  const address = parseRedisUrl(url);
  if (address === undefined) throw new Error(`no address: ${url}`);
  const log: Observation[] = [];
  const open = () => openRedisLink({ address, prefix, clock: systemClock });
  const counter = new RedisCounter({ open, clock: systemClock, log: (fact) => log.push(fact) });
  onTestFinished(() => counter.close());
  await counter.start();
  return { counter, log };
}

const ask = ({ counter }: Opened, bucket: string, windowMs = minute): Promise<Count> =>
  counter.count({ bucket, windowMs, whenLost: 'refuse' });

/** A process with a counter of its own; `call` makes it count, all calls at once, and end. */
async function startCaller(options: { readonly url: string; readonly calls: number }) {
  const caller = fork(new URL('redis-caller.js', import.meta.url), [JSON.stringify(options)]);
  const ended = new Promise<never>((_resolve, reject) => {
    caller.once('exit', (code) => reject(new Error(`a caller ended with ${code}`)));
  });
  ended.catch(() => undefined);
  const message = () => new Promise<unknown>((resolve) => caller.once('message', resolve));
  await Promise.race([message(), ended]);
  return {
    async call(): Promise<Count[]> {
      const told = message();
      caller.send('go');
      const counts = await Promise.race([told, ended]);
      if (!Array.isArray(counts)) throw new Error(`not a list of counts: ${String(counts)}`);
      return counts;
    },
  };
}

/** Without the one that every connection is tried with. */
const keysOf = async (server: RedisServer) =>
  (await redisCommand(server, ['KEYS', '*'])).filter((key) => !key.endsWith('rate:probe')).sort();

describeWithRedis('the counter in Redis', () => {
  it('lets exactly 100 of 1,000 parallel calls from four processes pass', async () => {
    const { url } = await startRedis();
    const callers = await Promise.all(Array.from({ length: 4 }, () => startCaller({ url, calls: 250 })));
    const counts = (await Promise.all(callers.map((caller) => caller.call()))).flat();
    expect(counts).toHaveLength(1000);
    expect(counts.filter(({ hits }) => hits <= 100)).toHaveLength(100);
    expect(counts.map(({ hits }) => hits).sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1));
    expect(new Set(counts.map(({ endsOn }) => endsOn)).size).toBe(1);
  });

  it('compares the names of buckets and prefixes of sites byte by byte', async () => {
    const server = await startRedis();
    const site = await openCounter(server.url);
    const other = await openCounter(server.url, 'other:');
    const buckets = ['key', 'KEY', 'kéy', 'key ', 'key\0', ''];
    for (const bucket of buckets) expect((await ask(site, bucket)).hits).toBe(1);
    for (const bucket of buckets) expect((await ask(other, bucket)).hits).toBe(1);
    const own = buckets.map((bucket) => `hcd:rate:${bucket}`);
    expect((await keysOf(server)).filter((key) => key.startsWith('hcd:'))).toEqual(own.sort());
  });

  it('starts a new window when the old one has ended, was made shorter or has no end', async () => {
    const server = await startRedis();
    const opened = await openCounter(server.url);
    for (let asked = 0; asked < 3; asked += 1) await ask(opened, 'a', 3_600_000);
    expect((await ask(opened, 'a', 3_600_000)).hits).toBe(4);
    const shorter = await ask(opened, 'a');
    expect([shorter.hits, shorter.leftMs]).toEqual([1, minute]);
    const same = await ask(opened, 'a');
    expect([same.hits, same.endsOn]).toEqual([2, shorter.endsOn]);
    await redisCommand(server, ['HSET', 'hcd:rate:a', 'ends', '1']);
    const next = await ask(opened, 'a');
    expect([next.hits, next.leftMs]).toEqual([1, minute]);
    await redisCommand(server, ['DEL', 'hcd:rate:a']);
    await redisCommand(server, ['HSET', 'hcd:rate:a', 'hits', '7']);
    expect((await ask(opened, 'a')).hits).toBe(1);
  });

  it('removes keys when their windows have ended', async () => {
    const server = await startRedis();
    const opened = await openCounter(server.url);
    for (let bucket = 0; bucket < 50; bucket += 1) await ask(opened, `b${bucket}`, 40);
    await ask(opened, 'long');
    await expect.poll(() => keysOf(server)).toEqual(['hcd:rate:long']);
    expect(Number((await redisCommand(server, ['PTTL', 'hcd:rate:long']))[0])).toBeGreaterThan(minute / 2);
  });

  it('measures the rest of a window with the clock of the server', async () => {
    const server = await startRedis();
    const opened = await openCounter(server.url);
    const secondNow = async () => Number((await redisCommand(server, ['TIME']))[0]) * 1000;
    const before = await secondNow();
    const first = await ask(opened, 'a', 3_600_000);
    expect(first.endsOn).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(first.endsOn).toBeLessThan((await secondNow()) + 1000 + 3_600_000);
    expect(first.leftMs).toBe(3_600_000);
    const later = await ask(opened, 'a', 3_600_000);
    expect(later.endsOn).toBe(first.endsOn);
    expect(later.leftMs).toBeLessThanOrEqual(first.leftMs);
  });

  it('counts through a socket, with a password, as a user and in another database', async () => {
    const password = 'p@ss/word:1 ü';
    const rules = ['>user-secret', '~hcd:rate:*'];
    const commands = ['+select', '+eval', '+evalsha', '+hget', '+hset', '+hincrby', '+pexpireat', '+time'];
    const server = await startRedis({ password, more: ['--user', 'hcd', 'on', ...rules, '-@all', ...commands] });
    const encoded = encodeURIComponent(password);
    const urls = [
      server.url,
      `unix://:${encoded}@${server.socketPath}`,
      `redis://hcd:user-secret@127.0.0.1:${server.port}/0`,
      `redis://default:${encoded}@localhost:${server.port}`,
    ];
    for (const [index, url] of urls.entries()) expect((await ask(await openCounter(url), 'a')).hits).toBe(index + 1);
    expect((await ask(await openCounter(`${server.url}/3`), 'a')).hits).toBe(1);
    expect((await ask(await openCounter(`unix://:${encoded}@${server.socketPath}?db=3`), 'a')).hits).toBe(2);
  });

  it('waits for the count while this process is blocked several times in a row', async () => {
    const server = await startRedis();
    const opened = await openCounter(server.url);
    server.freeze();
    const count = ask(opened, 'a');
    for (let turn = 0; turn < 4; turn += 1) {
      const until = performance.now() + 300;
      while (performance.now() < until);
      await new Promise((resolve) => setImmediate(resolve));
    }
    server.thaw();
    expect([(await count).hits, opened.log]).toEqual([1, []]);
  });

  it('continues to count after the server lost the script', async () => {
    const server = await startRedis();
    const opened = await openCounter(server.url);
    await ask(opened, 'a');
    await redisCommand(server, ['SCRIPT', 'FLUSH']);
    const counts = await Promise.all([ask(opened, 'a'), ask(opened, 'a'), ask(opened, 'a')]);
    expect(counts.map(({ hits }) => hits).sort()).toEqual([2, 3, 4]);
    expect(opened.log).toEqual([]);
  });
});

const secret = 'not-to-be-shown';
const wrong: readonly [name: string, url: (server: RedisServer) => string, message: string][] = [
  ['a wrong password', ({ port }) => `redis://:${secret}@127.0.0.1:${port}`, 'Redis refuses the user name or password'],
  ['no password', ({ port }) => `redis://127.0.0.1:${port}`, 'Redis requires a password'],
  [
    'a user that may not count',
    ({ port }) => `redis://reader:${secret}@127.0.0.1:${port}`,
    'Redis does not let this user count (NOPERM)',
  ],
  ['a database that is not there', ({ url }) => `${url}/99`, 'Redis refuses the command (ERR)'],
];

describeWithRedis('a start with', () => {
  it.each(wrong)('%s is refused, without showing the password', async (_name, url, message) => {
    const server = await startRedis({ password: 'right', more: ['--user', 'reader', 'on', `>${secret}`, '+get'] });
    const refusal = await openCounter(url(server)).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'configuration_invalid' });
    const { message: said } = refusal as Error;
    expect(said.startsWith(`HCD_REDIS_URL (redis in hcd.toml): ${message}`)).toBe(true);
    expect(JSON.stringify([said, String((refusal as Error).cause), (refusal as Error).stack])).not.toContain(secret);
  });
});

it('chooses the place that the configuration names', () => {
  const redis = 'redis://cache.example';
  const inRedis = { redisUrl: redis, prefix: 'hcd:' };
  const place = (rate_limit_store: Parameters<typeof counterPlace>[0]['rate_limit_store'], more: object = {}) =>
    counterPlace({ rate_limit_store, workers: 1, redis: null, redis_prefix: 'hcd:', ...more });
  expect([place('auto'), place('auto', { workers: 2 }), place('auto', { redis, workers: 2 })]).toEqual([
    'memory',
    'workers',
    inRedis,
  ]);
  expect([place('memory', { redis }), place('redis', { redis })]).toEqual(['memory', inRedis]);
});
