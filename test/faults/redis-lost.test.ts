/** Redis is killed, started again, frozen and absent at the start, under load: what callers get, and what is logged. */
import { expect, it } from 'vitest';
import type { Identity } from '../../src/access/identity.js';
import { freshSqliteUrl } from '../support/databases.js';
import { describeWithRedis } from '../support/describe-with-redis.js';
import { type RedisServer, startRedis } from '../support/redis-server.js';
import { startTestSite, type TestSite } from '../support/site.js';

const reader: Identity = { kind: 'api_key', id: 'reader', scopes: new Set(['resources.read']), userId: null };
const env = { HCD_GATEWAY_RATE_LIMIT_ENABLED: '1', HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '1000000' };

async function siteOn({ url }: RedisServer, more: Readonly<Record<string, string>> = {}): Promise<TestSite> {
  return startTestSite({
    databaseUrl: await freshSqliteUrl(),
    identities: { reader },
    env: { ...env, ...more },
    rateCounters: { redisUrl: url, prefix: 'hcd:' },
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
  it('costs public reads nothing and callers with credentials a 503, and is told once each time', async () => {
    const redis = await startRedis();
    const site = await siteOn(redis);
    const running = load(site);
    for (const outage of [1, 2]) {
      await redis.kill();
      await expect.poll(() => statusOf(site, 'reader'), { timeout: 5000 }).toBe(503);
      expect(await statusOf(site)).toBe(200);
      await redis.restart();
      await expect.poll(() => statusOf(site, 'reader'), { timeout: 5000 }).toBe(200);
      expect(told(site)).toEqual(Array.from({ length: outage }, () => ['redis_unavailable', 'redis_recovered']).flat());
    }
    const { anonymous, keyed } = await running.stop();
    expect([[...anonymous], [...keyed].sort()]).toEqual([[200], [200, 503]]);
    expect(site.log.filter(({ kind }) => kind === 'unexpected_error')).toEqual([]);
    const recovered = site.log.flatMap((fact) => (fact.kind === 'redis_recovered' ? [fact.uncounted] : []));
    expect(recovered.every((requests) => requests > 0)).toBe(true);
    await site.close();
  }, 60_000);

  it('still limits: each process by itself', async () => {
    const redis = await startRedis();
    const site = await siteOn(redis, { HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '3' });
    await redis.kill();
    const statuses: number[] = [];
    for (let asked = 0; asked < 5; asked += 1) statuses.push(await statusOf(site));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await site.get('/schema', { as: 'reader' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    await site.close();
  });
});

describeWithRedis('Redis that hangs', () => {
  it('holds up nobody for a second, and counts again once it goes on', async () => {
    const redis = await startRedis();
    const site = await siteOn(redis);
    expect(await statusOf(site, 'reader')).toBe(200);
    redis.freeze();
    const began = performance.now();
    const together = await Promise.all([statusOf(site), statusOf(site, 'reader'), statusOf(site)]);
    expect(together).toEqual([200, 503, 200]);
    expect(performance.now() - began).toBeLessThan(1000);
    // Those who come later do not wait at all: nobody asks a connection that was given up.
    const later = performance.now();
    expect(await Promise.all([statusOf(site), statusOf(site, 'reader')])).toEqual([200, 503]);
    expect(performance.now() - later).toBeLessThan(400);
    redis.thaw();
    await expect.poll(() => statusOf(site, 'reader'), { timeout: 10_000 }).toBe(200);
    expect(told(site)).toEqual(['redis_unavailable', 'redis_recovered']);
    await site.close();
  }, 30_000);
});

describeWithRedis('Redis that is not there at the start', () => {
  it('keeps no site from starting, and counts as soon as it is there', async () => {
    const redis = await startRedis();
    await redis.kill();
    const site = await siteOn(redis);
    expect(site.log).toContainEqual({ kind: 'redis_unavailable', code: 'ECONNREFUSED' });
    expect([await statusOf(site), await statusOf(site, 'reader')]).toEqual([200, 503]);
    await redis.restart();
    await expect.poll(() => statusOf(site, 'reader'), { timeout: 5000 }).toBe(200);
    await site.close();
  }, 30_000);
});
