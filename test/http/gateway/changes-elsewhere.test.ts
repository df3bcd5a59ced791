/** What one machine writes, another one serves within a second, and keeps whatever the change does not concern. */
import { beforeAll, describe, expect, it } from 'vitest';
import { announceChanges } from '../../../src/content/mutations/run-mutation.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase, type TestDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

function describeTwoSites(name: string, database: TestDatabase, apart: boolean): void {
  describe(name, () => {
    let writing: TestSite;
    let reading: TestSite;
    let clock: FakeClock;
    let timers = 0;

    beforeAll(async () => {
      clock = fakeClock();
      const databases = {
        databaseUrl: await database.url(),
        ...(apart ? { ownDatabaseUrl: await database.url() } : {}),
        env: { HCD_GATEWAY_CACHE_ENABLED: '1' },
        identities: { all: key('*') },
      };
      // Its time stands, so that it looks for no other writers: these rows were never announced.
      writing = await startTestSite({ ...databases, clock: fakeClock() });
      await writing.fill({
        site_content: [
          { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
          { id: 2, pagetitle: 'About', alias: 'about', uri: 'about.html' },
          { id: 3, pagetitle: 'Team', alias: 'team', uri: 'team.html', parent: 2 },
        ],
      });
      reading = await startTestSite({ ...databases, clock });
      timers = clock.pending;
    });

    /** A reading that is due at the end of the time; one that is under way by then begins its interval too late for it. */
    const pass = async (ms: number) => {
      await expect.poll(() => clock.pending).toBe(timers);
      await clock.advance(ms);
    };

    const lists = ['/resources?fields=id&filter[parent]=2', '/resources?fields=id&filter[parent]=0'] as const;
    const pages = ['/resources/1?fields=pagetitle', '/resources/2?fields=pagetitle'] as const;

    const agesOf = (paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => Number((await reading.get(path)).headers.get('age'))));

    it('with the next reading of the log, and nothing else goes', async () => {
      const paths = [...lists, ...pages, '/pages/about.html'];
      await agesOf(paths);
      // Readings that fall due on the way find nothing.
      await pass(10_000);
      await expect.poll(() => agesOf(paths)).toEqual([10, 10, 10, 10, 10]);
      const written = await writing.get('/resources/3', { as: 'all', method: 'PATCH', body: { menuindex: 7 } });
      expect(written.status).toBe(200);
      await pass(400);
      await expect.poll(() => agesOf(paths)).toEqual([0, 10, 10, 10, 10]);
    });

    it('at once where it was written', async () => {
      const ask = async () => (await writing.get(pages[1])).body['data'];
      expect(await ask()).toEqual({ pagetitle: 'About' });
      await writing.get('/resources/2', { as: 'all', method: 'PATCH', body: { pagetitle: 'About us' } });
      expect(await ask()).toEqual({ pagetitle: 'About us' });
      const children = async () => (await writing.get(lists[0])).body['data'];
      expect(await children()).toEqual([{ id: 3 }]);
      const body = { pagetitle: 'Jobs', parent: 2, published: true };
      const { body: made } = await writing.get('/resources', { as: 'all', method: 'POST', body });
      const { id } = made['data'] as { id: number };
      expect(await children()).toEqual([{ id: 3 }, { id }]);
      await writing.get(`/resources/${id}`, { as: 'all', method: 'DELETE' });
      expect(await children()).toEqual([{ id: 3 }]);
    });

    it('everything where the log cannot say what changed', async () => {
      await reading.live.refresh();
      await agesOf(pages);
      await pass(5000);
      await expect.poll(() => agesOf(pages)).not.toContain(0);
      const rows = Array.from({ length: 501 }, (_, key) => ({ object: 'resources', key, before: null, after: null }));
      const nowhere = { context: null, uri: null, parent: null };
      const mutation = { object: 'resources', action: 'updated', key: 9, ...nowhere, rows } as const;
      await writing.store.own.write((tx) => announceChanges().announce(tx, mutation));
      await pass(400);
      await expect.poll(() => agesOf(pages)).toEqual([0, 0]);
    });
  });
}

describeEachDatabase('changes made elsewhere', (database) => {
  describeTwoSites('in one database', database, false);
  describeTwoSites('with our own tables in another one', database, true);
});
