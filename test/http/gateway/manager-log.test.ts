/** What an editor does in the manager of the CMS shows with the next look at its log, and other answers stay kept. */
import { beforeAll, expect, it } from 'vitest';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

describeEachDatabase('an editor in the manager of an attached site', (database) => {
  let site: TestSite;
  let clock: FakeClock;
  let timers = 0;

  beforeAll(async () => {
    const databaseUrl = await database.url();
    // Content tables that no step of the program made, as it sees them.
    const store = await openMigrated({ databaseUrl, prefix: 'modx_', limits: patientLimits });
    await seed(store, {
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
        { id: 2, pagetitle: 'About', alias: 'about', uri: 'about.html' },
        { id: 3, pagetitle: 'Team', alias: 'team', uri: 'team.html', parent: 2 },
        { id: 4, pagetitle: 'Past', alias: 'past', uri: 'past.html' },
      ],
    });
    await store.close();
    clock = fakeClock();
    site = await startTestSite({
      databaseUrl,
      ownDatabaseUrl: await freshSqliteUrl(),
      clock,
      env: { HCD_GATEWAY_CACHE_ENABLED: '1' },
    });
    expect(site.store.kind).toBe('attached');
    timers = clock.pending;
  });

  /** What the processors of the CMS do: the change, then the row of the log. */
  const edit = async (change: string, row: number | readonly string[]) => {
    await site.store.content.write(async (tx) => {
      await tx.run({ sql: change, params: [] });
      const sql = 'INSERT INTO modx_manager_log (action, classKey, item) VALUES (?, ?, ?)';
      await tx.run({ sql, params: typeof row === 'number' ? ['resource_update', 'modDocument', `${row}`] : row });
    });
    // A reading that is under way begins its interval too late.
    await expect.poll(() => clock.pending).toBe(timers);
    await clock.advance(500);
  };
  const titleOf = async (path: string) => {
    const { status, body } = await site.get(path);
    return status === 200 ? (body['data'] as { pagetitle: string }).pagetitle : status;
  };
  const idsOf = async (path: string) => ((await site.get(path)).body['data'] as { id: number }[]).map(({ id }) => id);

  it('changes a title', async () => {
    expect([await titleOf('/resources/2'), await titleOf('/pages/about.html')]).toEqual(['About', 'About']);
    await edit("UPDATE modx_site_content SET pagetitle = 'About us' WHERE id = 2", 2);
    await expect.poll(() => titleOf('/resources/2')).toBe('About us');
    await expect.poll(() => titleOf('/pages/about.html')).toBe('About us');
  });

  it('is found by the words of the new title', async () => {
    // The index follows the log in an interval of its own, which may begin while the log is read.
    const foundBy = async (words: string) => {
      await clock.advance(500);
      return idsOf(`/resources?search=${words}`);
    };
    await expect.poll(() => idsOf('/resources?search=ABOUT')).toEqual([2]);
    await edit("UPDATE modx_site_content SET pagetitle = 'Câble car' WHERE id = 1", 1);
    await expect.poll(() => foundBy('cable%20c&sort=id')).toEqual([1]);
    await edit("UPDATE modx_site_content SET pagetitle = 'Home' WHERE id = 1", 1);
    await expect.poll(() => foundBy('cable%20c&sort=-id')).toEqual([]);
  });

  it('unpublishes a page, which leaves its lists', async () => {
    expect([await titleOf('/resources/3'), await idsOf('/resources?filter[parent]=2')]).toEqual(['Team', [3]]);
    await edit('UPDATE modx_site_content SET published = 0 WHERE id = 3', ['unpublish_resource', 'modDocument', '3']);
    await expect.poll(() => titleOf('/resources/3')).toBe(404);
    await expect.poll(() => idsOf('/resources?filter[parent]=2')).toEqual([]);
  });

  it('leaves what it does not concern in memory', async () => {
    await titleOf('/resources/1');
    await edit("UPDATE modx_site_content SET pagetitle = 'Us' WHERE id = 2", 2);
    await expect.poll(() => titleOf('/resources/2')).toBe('Us');
    await clock.advance(1000);
    expect(Number((await site.get('/resources/1')).headers.get('age'))).toBeGreaterThan(0);
  });

  it.each([
    ['sorts pages', 'UPDATE modx_site_content SET menuindex = 9 WHERE id = 4', 'resource_sort'],
    ['empties the trash', 'DELETE FROM modx_site_content WHERE id = 4', 'empty_trash'],
  ])('says that the manager %s, without a reset', async (_, change, action) => {
    const { next } = (await site.get('/changes')).body['meta'] as { next: string };
    await edit(change, [action, 'modResource', '4']);
    const told = async () => {
      await clock.advance(500);
      const { data } = (await site.get(`/changes?after=${next}`)).body as { data: { id: string; event: string }[] };
      return data.flatMap(({ id, event }) => (id === next ? [] : event));
    };
    await expect.poll(told).toEqual(['change']);
    for (let look = 0; look < 4; look += 1) expect(await told()).toEqual(['change']);
  });

  it('is heard of by listeners, who are not told where a hidden page is', async () => {
    const after = async (id: string) => {
      const { body } = await site.get(`/changes?after=${id}`);
      const { data, meta } = body as { data: { tags: string[]; meta: object }[]; meta: { next: string } };
      expect(data.every((one) => JSON.stringify(one.meta) === '{"source":"cms"}')).toBe(true);
      return { tags: [...new Set(data.flatMap(({ tags }) => tags))].sort(), next: meta.next };
    };
    const { next } = (await site.get('/changes')).body['meta'] as { next: string };
    await edit("UPDATE modx_site_content SET pagetitle = 'Firm' WHERE id = 2", 2);
    const changed = await after(next);
    expect(changed.tags).toEqual(expect.arrayContaining(['gateway:resources:2', 'gateway:uri:about.html']));
    await edit('UPDATE modx_site_content SET published = 0 WHERE id = 2', 2);
    const hidden = await after(changed.next);
    expect(hidden.tags).toContain('gateway:resources:2');
    expect(hidden.tags.join()).not.toContain('about');
    await edit('UPDATE modx_site_content SET published = 1 WHERE id = 2', 2);
    expect((await after(hidden.next)).tags).toContain('gateway:uri:about.html');
    // The whole way again, as after a restart.
    expect((await after(next)).tags).toContain('gateway:resources:2');
  });

  it('tells of a page that a resource group closes, also later', async () => {
    const told = async (id: string) =>
      (await site.get(`/changes?after=${id}`)).body as {
        data: { event: string; tags: string[] }[];
        meta: { next: string };
      };
    const rule = ['7', 'modUserGroup', '1', '9999', '1', ''];
    await site.store.content.write(async (tx) => {
      const sql =
        'INSERT INTO modx_access_resource_groups (target, principal_class, principal, authority, policy, context_key) VALUES (?, ?, ?, ?, ?, ?)';
      await tx.run({ sql, params: rule });
    });
    await edit('SELECT 1', ['login', 'modContext', '1']);
    let { next } = (await site.get('/changes')).body['meta'] as { next: string };
    for (const change of [
      'INSERT INTO modx_document_groups (document_group, document) VALUES (7, 3)',
      'UPDATE modx_document_groups SET document_group = 8 WHERE document = 3',
      'DELETE FROM modx_document_groups WHERE document = 3',
    ]) {
      await edit(change, 3);
      const from = next;
      const isTold = async (): Promise<boolean> => {
        const { data, meta } = await told(from);
        next = meta.next;
        return data.some(({ event, tags }) => event === 'reset' || tags.includes('gateway:resources:3'));
      };
      await expect.poll(isTold).toBe(true);
    }
    await edit(`DELETE FROM modx_access_resource_groups`, ['login', 'modContext', '1']);
  });

  it('protects a page by a resource group', async () => {
    expect(await titleOf('/resources/1')).toBe('Home');
    await site.store.content.write(async (tx) => {
      const sql =
        "INSERT INTO modx_access_resource_groups (target, principal_class, principal, authority, policy, context_key) VALUES ('7', 'modUserGroup', 1, 0, 1, 'web')";
      await tx.run({ sql, params: [] });
    });
    await edit('INSERT INTO modx_document_groups (document_group, document) VALUES (7, 1)', 1);
    await expect.poll(() => titleOf('/resources/1')).not.toBe('Home');
  });

  it('edits a page in a tree that is a circle', async () => {
    await edit('UPDATE modx_site_content SET parent = 3 WHERE id = 2', 2);
    await expect.poll(() => idsOf('/resources?filter[parent]=3')).toEqual([2]);
    await edit('UPDATE modx_site_content SET parent = 0 WHERE id = 2', 2);
  });

  it('does something that is unknown here: no answer outlives it', async () => {
    await titleOf('/resources/2');
    await edit("UPDATE modx_site_content SET pagetitle = 'Otherwise' WHERE id = 2", ['mass_edit', 'extra', '']);
    await expect.poll(() => titleOf('/resources/2')).toBe('Otherwise');
  });
});
