/**
 * Two servers on one database that share a Redis server. The clock stands still, so neither reads the log of changes by
 * itself.
 */
import { expect, it } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { systemClock } from '../../../src/clock/clock.js';
import { parseRedisUrl } from '../../../src/config/address-values.js';
import { publishNews } from '../../../src/identity/limits/redis-news.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { describeWithRedis } from '../../support/describe-with-redis.js';
import { eventually } from '../../support/eventually.js';
import { startRedis } from '../../support/redis-server.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const writer: Identity = { kind: 'api_key', id: 'writer', scopes: new Set(['*']), userId: null };

describeWithRedis('a change of another server', () => {
  describeEachDatabase('is served at once', (database) => {
    it('where Redis carries the news', async () => {
      const redis = await startRedis();
      const address = parseRedisUrl(redis.url);
      if (address === undefined) throw new Error(redis.url);
      const news = { address, prefix: 'hcd:' };
      const databaseUrl = await database.url();
      const start = async (): Promise<TestSite> =>
        startTestSite({
          ...{ databaseUrl, news, clock: fakeClock(), identities: { writer } },
          env: { HCD_GATEWAY_CACHE_ENABLED: '1' },
        });
      const here = await start();
      const there = await start();
      const end = publishNews(here.store, { ...news, clock: systemClock });
      const made = await here.get('/resources', {
        ...{ as: 'writer', method: 'POST' },
        body: { pagetitle: 'First', alias: 'shared', published: true },
      });
      const path = `/resources/${String((made.body['data'] as { id: number }).id)}`;
      const titleThere = async () =>
        ((await there.get(path)).body['data'] as { pagetitle?: string } | undefined)?.pagetitle;
      await eventually(async () => expect(await titleThere()).toBe('First'));

      await here.get(path, { as: 'writer', method: 'PATCH', body: { pagetitle: 'Second' } });
      await eventually(async () => expect(await titleThere()).toBe('Second'));
      end();
      await here.close();
      await there.close();
    });
  });
});
