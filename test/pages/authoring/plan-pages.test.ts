/** Planned publications and withdrawals: what may be planned, and that each happens once, in whichever process. */
import { expect, it } from 'vitest';
import { planPage, publishPage, withdrawPage } from '../../../src/pages/authoring/change-page.js';
import { loadPage } from '../../../src/pages/authoring/page-view.js';
import { publishPagesOnTime } from '../../../src/pages/authoring/publish-pages-on-time.js';
import { importSectionTypes } from '../../../src/pages/authoring/section-types.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { heroPage, historyOf, incomplete, openAuthoring, prepare, save, stateNumber } from './page-site.js';

/** Far beyond the clock of any database that runs these tests. */
const later = Date.UTC(2200, 0, 1);
const never = new AbortController().signal;

/** Brings planned times of a page into the past: these tests do not wait. */
const due = (store: Store, resource: number, times: Readonly<Record<string, number>>) =>
  store.own.write(async (tx) => {
    for (const [column, at] of Object.entries(times)) {
      await tx.run({ sql: `UPDATE hcd_pages SET ${column} = ? WHERE resource_id = ?`, params: [at, resource] });
    }
  });

describeEachDatabase('planned pages', (database) => {
  const open = async () => openAuthoring(await prepare({ databaseUrl: await database.url() }));
  const plan = { resource: 1, step: 'publish', at: later, expected: null } as const;

  it('are published at their time, with the draft of that moment', async () => {
    const authoring = await open();
    const { store } = authoring;
    await save(authoring, { document: heroPage('Then') });
    expect(await planPage(authoring, plan)).toMatchObject({ publishOn: later, state: 'draft' });
    expect(await publishPagesOnTime(authoring, never)).toEqual({ published: 0, withdrawn: 0, refused: [] });
    await save(authoring, { document: heroPage('Now') });
    await due(store, 1, { publish_on: 1000 });
    expect(await publishPagesOnTime({ ...authoring, by: 'worker' }, never)).toEqual({
      published: 1,
      withdrawn: 0,
      refused: [],
    });
    expect(await publishPagesOnTime(authoring, never)).toEqual({ published: 0, withdrawn: 0, refused: [] });
    expect(await loadPage(store, 1)).toMatchObject({ state: 'published', publishOn: null });
    const [row] = await historyOf(store);
    expect([row?.[2], JSON.parse(String(row?.[1])).sections[0].data.title]).toEqual(['worker', 'Now']);
  });

  it('are withdrawn at their time, and both happen in the order of their times', async () => {
    const authoring = await open();
    const { store } = authoring;
    for (const resource of [1, 2, 3]) await save(authoring, { resource, document: heroPage('x'), publish: true });
    await due(store, 1, { unpublish_on: 1000 });
    await due(store, 2, { publish_on: 1000, unpublish_on: 2000 });
    await due(store, 3, { publish_on: 2000, unpublish_on: 1000 });
    expect(await publishPagesOnTime(authoring, never)).toEqual({ published: 2, withdrawn: 3, refused: [] });
    const states = await Promise.all([1, 2, 3].map(async (id) => (await loadPage(store, id)).state));
    expect(states).toEqual(['withdrawn', 'withdrawn', 'published']);
    expect((await loadPage(store, 3)).publishedRevision).toBe(2);
    expect(await stateNumber(store, 'pages_revision')).toBe(3 + 5);
  });

  it('are published once by any number of workers', async () => {
    const places = await prepare(
      { databaseUrl: await database.url() },
      Array.from({ length: 30 }, (_, at) => ({ id: 100 + at, uri: `p${at}.html` })),
    );
    const workers = [await openAuthoring(places, 'left'), await openAuthoring(places, 'right')] as const;
    const [{ store }] = workers;
    for (let at = 0; at < 30; at += 1) {
      await save(workers[0], { resource: 100 + at, document: heroPage('x') });
      await due(store, 100 + at, { publish_on: 1000 + at });
    }
    const done = await Promise.all([...workers, ...workers].map((one) => publishPagesOnTime(one, never)));
    expect(done.reduce((sum, { published }) => sum + published, 0)).toBe(30);
    expect(await stateNumber(store, 'pages_revision')).toBe(30);
    for (let at = 0; at < 30; at += 1) expect(await historyOf(store, 100 + at)).toHaveLength(1);
  });

  it('wait while the draft is incomplete, are reported once, and continue when something changes', async () => {
    const authoring = await open();
    const { store } = authoring;
    await save(authoring, { document: heroPage('x') });
    await planPage(authoring, plan);
    await save(authoring, { document: incomplete });
    await due(store, 1, { publish_on: 1000 });
    const { refused } = await publishPagesOnTime(authoring, never);
    expect(refused).toEqual([
      {
        resource: 1,
        problem: expect.stringMatching(/^sections\[0\]\.data\.title \(hero, .*\): is required to publish$/),
      },
    ]);
    expect(await publishPagesOnTime(authoring, never)).toEqual({ published: 0, withdrawn: 0, refused: [] });
    expect(await loadPage(store, 1)).toMatchObject({ publishOn: 1000, failedDraft: 2, state: 'draft' });
    // Another section type may be what was missing.
    const type = { key: 'note', version: 1, label: 'Note', category: 'content', template: '', fields: [] };
    await importSectionTypes(store, { given: type, by: 'test', dryRun: false });
    expect((await publishPagesOnTime(authoring, never)).refused).toHaveLength(1);
    await save(authoring, { document: heroPage('Complete') });
    expect(await publishPagesOnTime(authoring, never)).toEqual({ published: 1, withdrawn: 0, refused: [] });
  });

  it('are cancelled one by one, and by publishing or unpublishing now', async () => {
    const authoring = await open();
    await save(authoring, { document: heroPage('x') });
    const both = async () => {
      await planPage(authoring, plan);
      await planPage(authoring, { ...plan, step: 'withdraw' });
    };
    const times = async () => {
      const { publishOn, unpublishOn } = await loadPage(authoring.store, 1);
      return [publishOn, unpublishOn];
    };
    await both();
    await planPage(authoring, { ...plan, at: null });
    expect(await times()).toEqual([null, later]);
    await both();
    await publishPage(authoring, { resource: 1, expected: null });
    expect(await times()).toEqual([null, later]);
    await both();
    expect(await withdrawPage(authoring, 1)).toMatchObject({ wasPublished: true, wasPlanned: true });
    expect(await times()).toEqual([null, null]);
    expect(await withdrawPage(authoring, 1)).toMatchObject({ wasPublished: false, wasPlanned: false });
    // Withdrawing an unpublished page changes nothing and raises no event.
    expect(await stateNumber(authoring.store, 'pages_revision')).toBe(2);
  });

  it('do not undo a manual publication with a past withdrawal', async () => {
    const authoring = await open();
    await save(authoring, { document: heroPage('x'), publish: true });
    await due(authoring.store, 1, { unpublish_on: 1000 });
    await publishPage(authoring, { resource: 1, expected: null });
    expect(await publishPagesOnTime(authoring, never)).toEqual({ published: 0, withdrawn: 0, refused: [] });
    expect(await loadPage(authoring.store, 1)).toMatchObject({ state: 'published', publishedRevision: 2 });
  });

  it('stop between two pages when the worker ends', async () => {
    const authoring = await open();
    await save(authoring, { document: heroPage('x') });
    await due(authoring.store, 1, { publish_on: 1000 });
    const stop = new AbortController();
    stop.abort();
    expect(await publishPagesOnTime(authoring, stop.signal)).toEqual({ published: 0, withdrawn: 0, refused: [] });
  });
});
