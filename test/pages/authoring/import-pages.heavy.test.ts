/** Imports of pages: each line by itself, batch by batch, the same result however often it is done. */
import { expect, it } from 'vitest';
import { publishPage, withdrawPage } from '../../../src/pages/authoring/change-page.js';
import { loadPage } from '../../../src/pages/authoring/page-view.js';
import { describeEachDatabase } from '../../support/databases.js';
import {
  heroPage,
  historyOf,
  importLines,
  incomplete,
  openAuthoring,
  prepare,
  rowsOf,
  save,
  stateNumber,
} from './page-site.js';

const none = { saved: 0, published: 0, unchanged: 0, refused: [], isCutShort: false };

describeEachDatabase('an import of pages', (database) => {
  const open = async () => openAuthoring(await prepare({ databaseUrl: await database.url() }));

  it('finds a place exactly, and of several resources there the published one, then the first', async () => {
    const places = await prepare({ databaseUrl: await database.url() }, [
      { id: 10, uri: 'twice.html', published: 0 },
      { id: 11, uri: 'twice.html', menuindex: 2 },
      { id: 12, uri: 'twice.html', menuindex: 1 },
      { id: 13, uri: 'Twice.html' },
      { id: 14, uri: 'twice.html', context_key: 'shop' },
    ]);
    const authoring = await openAuthoring(places);
    const report = await importLines(authoring, [
      { resource: { context: 'web', uri: 'twice.html' }, document: heroPage('a') },
      { resource: { context: 'web', uri: 'TWICE.html' }, document: heroPage('b') },
      { resource: { context: 'shop', uri: 'twice.html' }, document: heroPage('c') },
      { resource: { context: 'web', uri: 'gone.html' }, document: heroPage('d') },
    ]);
    expect(report.refused).toEqual([
      { line: 2, problems: ['there is no resource with the URI "TWICE.html" in web'] },
      { line: 4, problems: ['there is no resource with the URI "gone.html" in web'] },
    ]);
    const ids = await rowsOf(authoring.store, 'SELECT resource_id FROM hcd_pages ORDER BY resource_id');
    expect(ids.map(([id]) => Number(id))).toEqual([12, 14]);
  });

  it('predicts its result for pages with several lines, in one batch and in the next, with refused lines in between', async () => {
    const authoring = await open();
    await importLines(authoring, [{ resource: 2, document: heroPage('a'), publish: true }]);
    const far = Array.from({ length: 120 }, () => ({ resource: 3, document: heroPage('same') }));
    const lines = [
      { resource: 2, document: heroPage('a'), publish: true },
      { resource: 2, document: heroPage('b') },
      { resource: 2, document: incomplete, publish: true },
      { resource: 2, document: heroPage('a'), publish: true },
      { resource: 1, document: heroPage('x'), publish: true },
      { resource: 1, document: heroPage('x'), publish: true },
      { resource: 1, document: heroPage('x') },
      ...far,
      { resource: 1, document: heroPage('y') },
      { resource: 1, document: heroPage('y'), publish: true },
    ];
    const predicted = await importLines(authoring, lines, { dryRun: true });
    expect(predicted).toMatchObject({ lines: 129, saved: 5, published: 3, unchanged: 122, isCutShort: false });
    expect(predicted.refused.map(({ line }) => line)).toEqual([3]);
    expect(await importLines(authoring, lines)).toEqual(predicted);
  });

  it('refuses bad lines by number, keeps their pages unchanged, and imports the others', async () => {
    const authoring = await open();
    const { store } = authoring;
    await save(authoring, { resource: 2, document: heroPage('before'), publish: true });
    const before = await loadPage(store, 2);
    const report = await importLines(authoring, [
      { resource: 1, document: heroPage('a'), publish: true },
      { resource: 2, document: incomplete, publish: true },
      '{"resource": 2,',
      '[1]',
      { resource: 0, document: heroPage('x'), publish: 'yes', note: 1 },
      { resource: 2 },
      { resource: 99, document: heroPage('x') },
      { resource: 2, document: { schemaVersion: 1, sections: [{ type: 'nothing', data: {} }] } },
      { resource: 3, document: incomplete },
    ]);
    expect(report).toMatchObject({ lines: 9, saved: 2, published: 1, unchanged: 0, isCutShort: false });
    expect(report.refused.map(({ line, problems }) => [line, ...problems])).toEqual([
      [2, expect.stringMatching(/^sections\[0\]\.data\.title \(hero, [0-9a-f]{32}\): is required to publish$/)],
      [3, 'must be a JSON object with resource and document, not text in another form'],
      [4, 'must be a JSON object with resource and document, not a list'],
      [
        5,
        '"note" is unknown; known are resource, document, publish',
        'resource must be an id, or {"context": "web", "uri": "about.html"}',
        'publish must be true or false, not a text',
      ],
      [6, 'document is missing'],
      [7, 'there is no resource 99'],
      [8, expect.stringMatching(/^sections\[0\]\.type \(nothing\): "nothing" is not a section type; known are hero, /)],
    ]);
    expect(await loadPage(store, 2)).toEqual(before);
    expect((await loadPage(store, 3)).state).toBe('draft');
  });

  it('stops after a hundred refused lines and keeps what it wrote before', async () => {
    const authoring = await open();
    const good = { resource: 1, document: heroPage('a') };
    const report = await importLines(authoring, [good, ...Array.from({ length: 500 }, () => 'nonsense'), good]);
    expect([report.refused.length, report.isCutShort, report.saved]).toEqual([100, true, 1]);
    expect(report.lines).toBeLessThan(500);
    expect((await loadPage(authoring.store, 1)).revision).toBe(1);
  });

  it('changes nothing when repeated, and only the differences after a manual change', async () => {
    const authoring = await open();
    const { store } = authoring;
    const lines = [1, 2, 3].map((resource) => ({ resource, document: heroPage(`p${resource}`), publish: true }));
    expect(await importLines(authoring, lines)).toEqual({ ...none, lines: 3, saved: 3, published: 3 });
    expect(await importLines(authoring, lines)).toEqual({ ...none, lines: 3, unchanged: 3 });
    expect(await stateNumber(store, 'pages_revision')).toBe(3);
    await save(authoring, { resource: 1, document: heroPage('by hand') });
    await withdrawPage(authoring, 2);
    expect(await importLines(authoring, lines)).toEqual({ ...none, lines: 3, saved: 1, published: 2, unchanged: 1 });
    expect(await historyOf(store, 1)).toHaveLength(2);
    const ids = (await historyOf(store, 1)).map(([, document]) => JSON.parse(String(document)).sections[0].id);
    expect(new Set(ids).size).toBe(1);
  });

  it('publishes a page once when several processes import the same new pages at once, in any order', async () => {
    const ids = Array.from({ length: 60 }, (_none, at) => at + 10);
    const places = await prepare(
      { databaseUrl: await database.url() },
      ids.map((id) => ({ id, uri: `${id}.html` })),
    );
    const lines = ids.map((resource) => ({ resource, document: heroPage(`p${resource}`), publish: true }));
    const orders = [lines, lines.toReversed(), lines, lines.toReversed()];
    const reports = await Promise.all(orders.map(async (order) => importLines(await openAuthoring(places), order)));
    const sum = (name: 'saved' | 'published' | 'unchanged') => reports.reduce((total, one) => total + one[name], 0);
    expect([sum('saved'), sum('published'), sum('unchanged')]).toEqual([60, 60, 180]);
    const { store } = await openAuthoring(places);
    expect(
      await rowsOf(store, 'SELECT COUNT(*), MAX(revision), MAX(last_published), MIN(last_published) FROM hcd_pages'),
    ).toEqual([[60, 1, 1, 1]]);
  });

  it('keeps the ids of a page that was imported, edited and imported again with one more section', async () => {
    const authoring = await open();
    const { store } = authoring;
    const page = (...titles: readonly string[]) => ({
      schemaVersion: 1,
      sections: titles.map((title) => ({ type: 'hero', data: { title } })),
    });
    const draft = async () => {
      const [row] = await rowsOf(store, 'SELECT draft FROM hcd_pages WHERE resource_id = 1');
      const { sections } = JSON.parse(String(row?.[0])) as { sections: { id: string; data: { title: string } }[] };
      return new Map(sections.map(({ id, data }) => [data.title, id]));
    };
    await importLines(authoring, [{ resource: 1, document: page('a', 'b', 'c') }]);
    const first = await draft();
    await save(authoring, { resource: 1, document: page('a', 'by hand', 'c') });
    expect((await draft()).get('by hand')).toBe(first.get('b'));
    await importLines(authoring, [{ resource: 1, document: page('new', 'a', 'b', 'c') }]);
    const last = await draft();
    expect(['a', 'b', 'c'].map((title) => last.get(title))).toEqual([...first.values()]);
    expect([...first.values()]).not.toContain(last.get('new'));
    const again = await importLines(authoring, [{ resource: 1, document: page('new', 'a', 'b', 'c') }]);
    expect(again).toEqual({ ...none, lines: 1, unchanged: 1 });
  });

  it('gives sections without an id one that no other section of the document has', async () => {
    const authoring = await open();
    const { store } = authoring;
    const hero = (title: string) => ({ type: 'hero', data: { title } });
    await importLines(authoring, [{ resource: 1, document: { schemaVersion: 1, sections: [hero('old')] } }]);
    const draft = async () => {
      const [row] = await rowsOf(store, 'SELECT draft FROM hcd_pages WHERE resource_id = 1');
      return (JSON.parse(String(row?.[0])) as { sections: { id: string }[] }).sections;
    };
    const [old] = await draft();
    const document = { schemaVersion: 1, sections: [hero('new'), old] };
    expect((await importLines(authoring, [{ resource: 1, document }])).refused).toEqual([]);
    const sections = await draft();
    expect(sections[1]).toEqual(old);
    expect(new Set(sections.map(({ id }) => id)).size).toBe(2);
  });

  it('reads only as far as the next batch of a file of any length', async () => {
    const authoring = await open();
    let given = 0;
    const ahead: number[] = [];
    let written = 0;
    function* file(): Generator<unknown> {
      for (; given < 1050; given += 1) yield { resource: 1 + (given % 2), document: heroPage(`p${given}`) };
    }
    const onBatch = () => {
      written += 100;
      ahead.push(given - written);
    };
    expect(await importLines(authoring, file(), { onBatch })).toEqual({ ...none, lines: 1050, saved: 1050 });
    expect(ahead.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => -1));
    expect(ahead).toHaveLength(11);
  });

  it('loses nothing when the same pages are published at the same time', async () => {
    const count = 120;
    const places = await prepare(
      { databaseUrl: await database.url() },
      Array.from({ length: count }, (_, at) => ({ id: 100 + at, uri: `p${at}.html` })),
    );
    const [left, right] = [await openAuthoring(places, 'left'), await openAuthoring(places, 'right')];
    const lines = (title: string) =>
      Array.from({ length: count }, (_, at) => ({ resource: 100 + at, document: heroPage(title), publish: true }));
    await importLines(left, lines('first'));
    const byHand = async () => {
      for (let at = 0; at < 20; at += 1) await publishPage(right, { resource: 219 - at, expected: null });
    };
    const [one, other] = await Promise.all([
      importLines(left, lines('second')),
      importLines(right, lines('third').reverse()),
      byHand(),
    ]);
    expect([one.published, other.published]).toEqual([count, count]);
    expect(await stateNumber(left.store, 'pages_revision')).toBe(3 * count + 20);
    const sites = await rowsOf(left.store, 'SELECT COUNT(DISTINCT site_revision) FROM hcd_pages');
    expect(Number(sites[0]?.[0])).toBe(count);
  });
});
