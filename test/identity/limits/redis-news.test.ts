/** Servers that share a Redis server notify each other of changes, and never wait long for it. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { parseRedisUrl, type RedisAddress } from '../../../src/config/address-values.js';
import { followNews, publishNews } from '../../../src/identity/limits/redis-news.js';
import type { Observation } from '../../../src/log/observation.js';
import { forgetSeen, rememberVerified, tellRevocation, type Verified } from '../../../src/memory/seen-memory.js';
import { type Topic, touch } from '../../../src/store/base/transaction.js';
import { openStore } from '../../../src/store/open/open.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { describeWithRedis } from '../../support/describe-with-redis.js';
import { eventually } from '../../support/eventually.js';
import { type RedisServer, redisCommand, startRedis } from '../../support/redis-server.js';

const long = { value: 'good', endsOn: Number.POSITIVE_INFINITY };

function addressOf({ url }: RedisServer): RedisAddress {
  const address = parseRedisUrl(url);
  if (address === undefined) throw new Error(`no address: ${url}`);
  return address;
}

/** Two servers: one that changes credentials, and one elsewhere that is notified. */
async function twoServers(redis: RedisServer, address = addressOf(redis)) {
  const log: Observation[] = [];
  const place = { address, prefix: 'hcd:', clock: systemClock };
  const stores = await Promise.all(
    [1, 2].map(async () => openStore({ databaseUrl: await freshSqliteUrl(), prefix: 'modx_' })),
  );
  const [here, there] = stores.map(({ own }) => own);
  if (here === undefined || there === undefined) throw new Error('two stores were opened');
  const endPublishing = publishNews({ own: here, content: here }, place);
  const looked: string[] = [];
  const look = (what: string) => async () => void looked.push(what);
  const listeners = { live: look('live'), content: look('content'), banners: look('banners') };
  const following = await followNews(
    there,
    { ...listeners, credentials: async () => forgetSeen(there) },
    { ...place, log: (one) => void log.push(one) },
  );
  const verifiedBy = rememberVerified<string>({ own: there, mark: () => 0, clock: { now: () => 1, elapsed: () => 1 } });
  const lookFor = (found: Verified<string> | null) => verifiedBy('a', async () => found);
  return {
    log,
    looked,
    change: (topic: Topic) => here.write(async (tx) => touch(tx, topic)),
    revoke: () => tellRevocation(here),
    see: () => lookFor(long),
    isSeen: async () => (await lookFor(null)) !== null,
    async close() {
      following.close();
      endPublishing();
      await Promise.all(stores.map((store) => store.close()));
    },
  };
}

const forgotten = (servers: { isSeen(): Promise<boolean> }) =>
  eventually(async () => expect(await servers.isSeen()).toBe(false));

describeWithRedis('revocations through Redis', () => {
  it('reach a server on another machine, one by one and many at once', async () => {
    const redis = await startRedis();
    const servers = await twoServers(redis);
    for (const count of [1, 1, 50]) {
      await servers.see();
      expect(await servers.isSeen()).toBe(true);
      await Promise.all(Array.from({ length: count }, servers.revoke));
      await forgotten(servers);
    }
    expect(servers.log).toEqual([]);
    await servers.close();
    // Nothing is left open for the one that publishes, nor for the one that followed.
    await eventually(async () => expect(await redisCommand(redis, ['client', 'list', 'type', 'pubsub'])).toEqual([]));
  });

  it('do not delay requests while Redis hangs or is down, and arrive again afterwards', async () => {
    const redis = await startRedis();
    const servers = await twoServers(redis);
    redis.freeze();
    await servers.see();
    await servers.revoke();
    redis.thaw();
    await forgotten(servers);
    await redis.kill();
    await servers.revoke();
    await servers.see();
    await eventually(() => expect(servers.log.map(({ kind }) => kind)).toEqual(['revocations_unheard']));
    await redis.restart();
    // What was missed meanwhile may have been about any credential.
    await forgotten(servers);
    await servers.see();
    await servers.revoke();
    await forgotten(servers);
    expect(servers.log).toHaveLength(1);
    await servers.close();
  });

  it('do not arrive if the Redis user may only count, and the log says so once', async () => {
    const redis = await startRedis();
    await redisCommand(redis, [
      'acl',
      'setuser',
      'limits',
      'on',
      '>secret',
      '~hcd:rate:*',
      '-@all',
      '+select',
      '+eval',
    ]);
    const servers = await twoServers(redis, { ...addressOf(redis), username: 'limits', password: 'secret' });
    await servers.see();
    await servers.revoke();
    expect(await servers.isSeen()).toBe(true);
    expect(servers.log).toEqual([{ kind: 'revocations_unheard', code: 'NOPERM' }]);
    await servers.close();
  });
});

describeWithRedis('changes through Redis', () => {
  it('make a server on another machine look at what was changed, once for many changes', async () => {
    const redis = await startRedis();
    const servers = await twoServers(redis);
    for (const topic of ['content', 'live', 'banners'] as const) {
      await servers.change(topic);
      await eventually(() => expect(servers.looked).toEqual([topic]));
      servers.looked.length = 0;
    }
    await Promise.all(Array.from({ length: 50 }, () => servers.change('content')));
    await eventually(() => expect(servers.looked).toContain('content'));
    expect(servers.looked.length).toBeLessThan(50);
    await servers.close();
  });

  it('do not wait for Redis while it hangs or is down', async () => {
    const redis = await startRedis();
    const servers = await twoServers(redis);
    redis.freeze();
    await servers.change('content');
    await servers.change('content');
    redis.thaw();
    await redis.kill();
    await servers.change('content');
    await redis.restart();
    servers.looked.length = 0;
    await eventually(async () => {
      await servers.change('content');
      expect(servers.looked).toContain('content');
    });
    await servers.close();
  });
});
