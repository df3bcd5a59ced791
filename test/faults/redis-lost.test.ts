/** Redis is killed, started again, frozen and absent at the start, under load: what callers get, and what is logged. */
import { expect, it } from 'vitest';
import type { Identity } from '../../src/access/identity.js';
import { type Clock, systemClock } from '../../src/clock/clock.js';
import { fakeClock } from '../support/clock.js';
import { freshSqliteUrl } from '../support/databases.js';
import { describeWithRedis } from '../support/describe-with-redis.js';
import { type RedisServer, startRedis } from '../support/redis-server.js';
import { startTestSite, type TestSite } from '../support/site.js';

const reader: Identity = { kind: 'api_key', id: 'reader', scopes: new Set(['resources.read']), userId: null };
const env = { HCD_GATEWAY_RATE_LIMIT_ENABLED: '1', HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '1000000' };
const refusing = { HCD_GATEWAY_RATE_LIMIT_WITHOUT_COUNTER: 'refuse' };

async function siteOn(
  { url }: RedisServer,
  { more = {}, clock = systemClock }: { readonly more?: Readonly<Record<string, string>>; readonly clock?: Clock } = {},
): Promise<TestSite> {
  return startTestSite({
    databaseUrl: await freshSqliteUrl(),
    identities: { reader, other: { kind: 'api_key', id: 'other', scopes: new Set(), userId: null } },
    env: { ...env, ...more },
    rateCounters: { redisUrl: url, prefix: 'hcd:' },
    clock,
  });
}

const told = ({ log }: TestSite) => log.map(({ kind }) => kind).filter((kind) => kind.startsWith('redis_'));
const statusOf = async (site: TestSite, as?: string) =>
  (await site.get('/schema', as === undefined ? {} : { as })).status;

/** Asks without pause, both kinds of caller, until told to stop; gives how often each status came. */
function load(site: TestSite): { stop(): Promise<{ readonly anonymous: Set<number>; readonly keyed: Set<number> }> } {
  const seen = { anonymous: new Set<number>(), keyed: new Set<number>() };
  let running = true;
  const loop = async (statuses: Set<number>, as?: string): Promise<void> => {
    while (running) statuses.add(await statusOf(site, as));
  };
  const loops = [loop(seen.anonymous), loop(seen.anonymous), loop(seen.keyed, 'reader'), loop(seen.keyed, 'reader')];
  return {
    async stop() {
      running = false;
      await Promise.all(loops);
      return seen;
    },
  };
}

describeWithRedis('Redis that is killed and started again under load', () => {
  it('with refuse leaves public reads alone, answers 503 to credentials and logs each loss once', async () => {
    const redis = await startRedis();
    const site = await siteOn(redis, { more: refusing });
    const running = load(site);
    for (const outage of [1, 2]) {
      await redis.kill();
      await expect.poll(() => statusOf(site, 'reader')).toBe(503);
      expect(await statusOf(site)).toBe(200);
      await redis.restart();
      await expect.poll(() => statusOf(site, 'reader')).toBe(200);
      expect(told(site)).toEqual(Array.from({ length: outage }, () => ['redis_unavailable', 'redis_recovered']).flat());
    }
    const { anonymous, keyed } = await running.stop();
    expect([[...anonymous], [...keyed].sort()]).toEqual([[200], [200, 503]]);
    expect(site.log.filter(({ kind }) => kind === 'unexpected_error')).toEqual([]);
    const recovered = site.log.flatMap((fact) => (fact.kind === 'redis_recovered' ? [fact.uncounted] : []));
    expect(recovered.every((requests) => requests > 0)).toBe(true);
    await site.close();
  });

  it('limits requests in each process separately', async () => {
    const redis = await startRedis();
    const site = await siteOn(redis, { more: { HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '3' } });
    await redis.kill();
    const statuses: number[] = [];
    for (let asked = 0; asked < 5; asked += 1) statuses.push(await statusOf(site));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    await site.close();
  });

  it.each([
    ['count-alone', [200, 200, 429], [403, 403, 429]],
    ['refuse', [503, 503, 503], [503, 503, 503]],
  ])('with %s decides on reads and writes of keys', async (mode, reads, writes) => {
    const redis = await startRedis();
    const more = { HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '2', HCD_GATEWAY_RATE_LIMIT_WITHOUT_COUNTER: mode };
    const site = await siteOn(redis, { more });
    await redis.kill();
    const ask = async (as: string, method: string) => {
      const statuses: number[] = [];
      for (let asked = 0; asked < 3; asked += 1) {
        const answer = await site.get('/resources', { as, method, ...(method === 'POST' ? { body: '{}' } : {}) });
        statuses.push(answer.status);
        if (answer.status === 503) expect(answer.headers.get('retry-after')).toBe('5');
      }
      return statuses;
    };
    expect(await ask('reader', 'GET')).toEqual(reads);
    // Its scopes are checked after its limit.
    expect(await ask('other', 'POST')).toEqual(writes);
    // A wrong key is a guess, which is never counted alone.
    expect(await statusOf(site, 'wrong')).toBe(503);
    await site.close();
  });
});

describeWithRedis('Redis that hangs', () => {
  it('delays no request by a second and counts again after it recovers', async () => {
    const redis = await startRedis();
    // The time of the server: on a slow machine requests take long without waiting for Redis.
    const clock = fakeClock();
    const site = await siteOn(redis, { clock, more: refusing });
    expect(await statusOf(site, 'reader')).toBe(200);
    const before = clock.pending;
    redis.freeze();
    const together = Promise.all([statusOf(site), statusOf(site, 'reader'), statusOf(site)]);
    // All three wait for their counts.
    await expect.poll(() => clock.pending).toBe(before + 3);
    await clock.advance(999);
    expect(await together).toEqual([200, 503, 200]);
    // Later requests do not wait: the abandoned connection is not asked, and the test clock stands still.
    expect(await Promise.all([statusOf(site), statusOf(site, 'reader')])).toEqual([200, 503]);
    redis.thaw();
    const statusLater = async (): Promise<number> => {
      await clock.advance(1000);
      return statusOf(site, 'reader');
    };
    await expect.poll(statusLater).toBe(200);
    expect(told(site)).toEqual(['redis_unavailable', 'redis_recovered']);
    await site.close();
  });
});

describeWithRedis('Redis that is not there at the start', () => {
  it('lets a site start and counts as soon as it is reachable', async () => {
    const redis = await startRedis();
    await redis.kill();
    const site = await siteOn(redis, { more: refusing });
    expect(site.log).toContainEqual({ kind: 'redis_unavailable', code: 'ECONNREFUSED' });
    expect([await statusOf(site), await statusOf(site, 'reader')]).toEqual([200, 503]);
    await redis.restart();
    await expect.poll(() => statusOf(site, 'reader')).toBe(200);
    await site.close();
  });
});
