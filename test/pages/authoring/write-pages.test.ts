/** Drafts and publications of pages: what is stored, what is refused, and that writers never get in each other's way. */
import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../src/errors/app-error.js';
import { planPage, publishPage, rollBackPage, withdrawPage } from '../../../src/pages/authoring/change-page.js';
import { compareDocuments, listPages, loadPage, type PageView } from '../../../src/pages/authoring/page-view.js';
import { importSectionTypes } from '../../../src/pages/authoring/section-types.js';
import type { PageAuthoring } from '../../../src/pages/authoring/write-page.js';
import type { Database } from '../../../src/store/base/database.js';
import { describeEachDatabase, freshSqliteUrl, type TestDatabase } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import {
  heroPage,
  historyOf,
  incomplete,
  openAuthoring,
  type Places,
  prepare,
  rowsOf,
  save,
  stateNumber,
} from './page-site.js';

const heroId = '0123456789abcdef0123456789abcdef';

/** Own tables in the database of the content, and in another one: on which kind they are makes no difference there. */
const layouts = (database: TestDatabase): readonly (readonly [string, () => Promise<Places>])[] => [
  ['one database', async () => prepare({ databaseUrl: await database.url() })],
  ...(database.name === 'mariadb'
    ? []
    : [
        [
          'two databases',
          async () => prepare({ databaseUrl: await database.url(), ownDatabaseUrl: await database.url() }),
        ] as const,
      ]),
];

const failure = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: AppError) => error,
  );

/** The same author; another author makes a change after each of its changes, before the change returns. */
function writtenAfter({ store, ...rest }: PageAuthoring, meanwhile: () => Promise<void>): PageAuthoring {
  const write: Database['write'] = async (work, options) => {
    const result = await store.own.write(work, options);
    await meanwhile();
    return result;
  };
  const own: Database = Object.create(store.own, { write: { value: write }, primary: { value: store.own.primary } });
  return { ...rest, store: { ...store, own } };
}

describeEachDatabase('writing pages', (database) => {
  describe.each(layouts(database))('in %s', (_name, place) => {
    it('keeps a draft from readers and counts its revisions', async () => {
      const authoring = await openAuthoring(await place());
      const { store } = authoring;
      const first = await save(authoring, { document: heroPage('Hello') });
      expect(first.page).toMatchObject({
        resource: 1,
        state: 'draft',
        revision: 1,
        publishedRevision: 0,
        editedBy: 'test',
        about: { id: 1, pagetitle: 'Home', context: 'web' },
      });
      const second = await save(authoring, { document: heroPage('Hello again'), expected: 1 });
      expect([second.page.revision, second.page.state]).toEqual([2, 'draft']);
      expect(await stateNumber(store, 'pages_revision')).toBe(0);
      expect(await historyOf(store)).toEqual([]);
    });

    it('publishes a copy under a number that only increases, also after a withdrawal', async () => {
      const authoring = await openAuthoring(await place());
      const { store } = authoring;
      const generation = await stateNumber(store, 'content_generation');
      await save(authoring, { document: heroPage('One', heroId) });
      expect(await publishPage(authoring, { resource: 1, expected: 1 })).toMatchObject({
        state: 'published',
        publishedRevision: 1,
        lastPublished: 1,
      });
      await save(authoring, { document: heroPage('Two', heroId) });
      expect(await loadPage(store, 1)).toMatchObject({ state: 'changed', publishedRevision: 1, revision: 2 });
      expect((await withdrawPage(authoring, 1)).page).toMatchObject({
        state: 'withdrawn',
        publishedRevision: 0,
        lastPublished: 1,
      });
      expect(await publishPage(authoring, { resource: 1, expected: null })).toMatchObject({ publishedRevision: 2 });
      const page = (title: string) =>
        JSON.stringify({
          schemaVersion: 1,
          sections: [{ id: heroId, type: 'hero', typeVersion: 1, enabled: true, data: { title }, settings: {} }],
          trash: [],
        });
      expect(await historyOf(store)).toEqual([
        [1, page('One'), 'test', null],
        [2, page('Two'), 'test', null],
      ]);
      // Two publications and a withdrawal, each under a number of the site and told to all processes.
      expect(await stateNumber(store, 'pages_revision')).toBe(3);
      expect(await stateNumber(store, 'content_generation')).toBe(generation + 3);
      const told = await rowsOf(store, 'SELECT payload FROM hcd_changes WHERE generation > ?', [generation]);
      expect(told).toEqual([['[]'], ['[]'], ['[]']]);
    });

    it('saves and publishes together or not at all', async () => {
      const authoring = await openAuthoring(await place());
      const { store } = authoring;
      const { page } = await save(authoring, { document: heroPage('One') });
      const refused = await failure(save(authoring, { document: incomplete, publish: true }));
      expect(refused.code).toBe('validation_failed');
      expect(await loadPage(store, 1)).toEqual(page);
      const done = await save(authoring, { document: heroPage('Two'), publish: true });
      expect(done.page).toMatchObject({ revision: 2, publishedRevision: 1, state: 'published' });
    });

    it('saves pages of unpublished and deleted resources', async () => {
      const authoring = await openAuthoring(await place());
      for (const resource of [3, 4]) {
        const { page } = await save(authoring, { resource, document: heroPage('x'), publish: true });
        expect(page.publishedRevision).toBe(1);
      }
    });

    it('restores an earlier publication as draft and under a new number', async () => {
      const authoring = await openAuthoring(await place());
      const { store } = authoring;
      await save(authoring, { document: heroPage('One', heroId), publish: true });
      await save(authoring, { document: heroPage('Two', heroId), publish: true });
      await save(authoring, { document: heroPage('Three', heroId) });
      await withdrawPage(authoring, 1);
      const { page, missing } = await rollBackPage(authoring, { resource: 1, revision: 1 });
      expect([page.revision, page.publishedRevision, page.state, missing]).toEqual([4, 3, 'published', []]);
      const history = await historyOf(store);
      expect(history.map(([revision, , by, from]) => [revision, by, from])).toEqual([
        [1, 'test', null],
        [2, 'test', null],
        [3, 'test', 1],
      ]);
      expect(history[2]?.[1]).toBe(history[0]?.[1]);
      const toDraft = await compareDocuments(store, { resource: 1 });
      expect(toDraft).toEqual({ from: 'published 3', to: 'draft', changes: [] });
    });

    it('restores what was complete once, although its type requires more today', async () => {
      const authoring = await openAuthoring(await place());
      const { store } = authoring;
      const type = { key: 'note', version: 1, label: 'Note', category: 'content', template: '{{ data.text }}' };
      const fields = [{ name: 'text', type: 'text', label: 'Text' }];
      await importSectionTypes(store, { given: { ...type, fields }, by: 'test', dryRun: false });
      const document = { schemaVersion: 1, sections: [{ type: 'note', data: {} }] };
      await save(authoring, { document, publish: true });
      const strict = [{ ...fields[0], required: true }];
      await importSectionTypes(store, { given: { ...type, version: 2, fields: strict }, by: 'test', dryRun: false });
      expect((await failure(publishPage(authoring, { resource: 1, expected: null }))).code).toBe('validation_failed');
      const { page, missing } = await rollBackPage(authoring, { resource: 1, revision: 1 });
      expect([page.publishedRevision, missing.map(({ path }) => path)]).toEqual([2, ['sections[0].data.text']]);
    });

    it('reports a conflict to the second of two writers', async () => {
      const places = await place();
      const [left, right] = [await openAuthoring(places, 'left'), await openAuthoring(places, 'right')];
      await save(left, { document: heroPage('Base') });
      for (let round = 1; round <= 5; round += 1) {
        const results = await Promise.allSettled(
          [left, right].map((one) => save(one, { document: heroPage(`${one.by} ${round}`), expected: round })),
        );
        const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as AppError] : []));
        expect(refused.map(({ code, message }) => [code, message])).toEqual([
          ['conflict', `revision_conflict: the draft is at revision ${round + 1}`],
        ]);
        expect((await loadPage(left.store, 1)).revision).toBe(round + 1);
      }
    });

    it('answers with the numbers of its own change when another author writes right after it', async () => {
      const places = await place();
      const other = await openAuthoring(places, 'other');
      const again = async () => {
        await save(other, { document: heroPage('theirs'), publish: true });
      };
      const author = writtenAfter(await openAuthoring(places, 'author'), again);
      const numbers = ({ revision, lastPublished }: PageView) => [revision, lastPublished];
      expect(numbers((await save(author, { document: heroPage('mine') })).page)).toEqual([1, 0]);
      expect(numbers((await save(author, { document: heroPage('mine'), publish: true })).page)).toEqual([3, 2]);
      expect(numbers(await publishPage(author, { resource: 1, expected: null }))).toEqual([4, 4]);
      expect(numbers((await rollBackPage(author, { resource: 1, revision: 1 })).page)).toEqual([6, 6]);
      const plan = { resource: 1, step: 'publish', at: null, expected: null } as const;
      expect(numbers(await planPage(author, plan))).toEqual([7, 7]);
      const { page } = await withdrawPage(author, 1);
      expect([...numbers(page), page.state]).toEqual([8, 8, 'withdrawn']);
      expect(numbers(await loadPage(other.store, 1))).toEqual([9, 9]);
    });

    it('lets one of two writers make the first draft', async () => {
      const places = await place();
      const authors = [await openAuthoring(places, 'left'), await openAuthoring(places, 'right')];
      const results = await Promise.allSettled(
        authors.map((one) => save(one, { document: heroPage(one.by), expected: 0 })),
      );
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await loadPage((authors[0] as (typeof authors)[0]).store, 1)).revision).toBe(1);
    });

    it('gives each of twenty simultaneous publications a different number', async () => {
      const places = await place();
      const authors = [await openAuthoring(places, 'left'), await openAuthoring(places, 'right')];
      const [{ store }] = authors as [(typeof authors)[0]];
      for (const resource of [1, 2])
        await save(authors[0] as (typeof authors)[0], { resource, document: heroPage('x') });
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          publishPage(authors[at % 2] as (typeof authors)[0], { resource: 1 + (at % 4 < 2 ? 0 : 1), expected: null }),
        ),
      );
      const ten = Array.from({ length: 10 }, (_, at) => at + 1);
      expect((await historyOf(store, 1)).map(([revision]) => revision)).toEqual(ten);
      expect((await historyOf(store, 2)).map(([revision]) => revision)).toEqual(ten);
      expect(await stateNumber(store, 'pages_revision')).toBe(20);
      const sites = (await rowsOf(store, 'SELECT site_revision FROM hcd_pages')).map(([number]) => Number(number));
      expect(new Set(sites).size).toBe(2);
      expect(Math.max(...sites)).toBe(20);
    });

    it('lists pages by state, in parts, also those without a resource', async () => {
      const authoring = await openAuthoring(await place());
      const { store } = authoring;
      await save(authoring, { resource: 1, document: heroPage('a') });
      await save(authoring, { resource: 2, document: heroPage('b'), publish: true });
      await save(authoring, { resource: 3, document: heroPage('c'), publish: true });
      await save(authoring, { resource: 3, document: heroPage('d') });
      await save(authoring, { resource: 4, document: heroPage('e'), publish: true });
      await withdrawPage(authoring, 4);
      await store.content.write((tx) => tx.run({ sql: 'DELETE FROM modx_site_content WHERE id = 4', params: [] }));
      const list = async (state: Parameters<typeof listPages>[1]['filter']['state'], limit = 10, offset = 0) => {
        const { pages, total } = await listPages(store, { filter: { state, isPlanned: false }, limit, offset });
        return [pages.map((page) => [page.resource, page.state, page.about?.pagetitle ?? null]), total];
      };
      expect(await list(null)).toEqual([
        [
          [1, 'draft', 'Home'],
          [2, 'published', 'About'],
          [3, 'changed', 'Draft'],
          [4, 'withdrawn', null],
        ],
        4,
      ]);
      expect(await list(null, 2, 1)).toEqual([
        [
          [2, 'published', 'About'],
          [3, 'changed', 'Draft'],
        ],
        4,
      ]);
      for (const [state, id] of [
        ['draft', 1],
        ['published', 2],
        ['changed', 3],
        ['withdrawn', 4],
      ] as const) {
        const [pages, total] = await list(state);
        expect([(pages as unknown[][]).map(([resource]) => resource), total]).toEqual([[id], 1]);
      }
    });
  });

  it('compares any two documents of a page', async () => {
    const authoring = await openAuthoring(await prepare({ databaseUrl: await database.url() }));
    const { store } = authoring;
    await save(authoring, { document: heroPage('One', heroId), publish: true });
    await save(authoring, { document: heroPage('Two', heroId), publish: true });
    await save(authoring, { document: heroPage('Three', heroId) });
    const titles = async (asked: Omit<Parameters<typeof compareDocuments>[1], 'resource'>) => {
      const { from, to, changes } = await compareDocuments(store, { resource: 1, ...asked });
      return [from, to, changes.flatMap(({ values }) => values.map(({ before, after }) => [before, after]))];
    };
    expect(await titles({})).toEqual(['published 2', 'draft', [['Two', 'Three']]]);
    expect(await titles({ from: 1, to: 2 })).toEqual(['published 1', 'published 2', [['One', 'Two']]]);
    expect(await titles({ from: 'draft', to: 1 })).toEqual(['draft', 'published 1', [['Three', 'One']]]);
    await withdrawPage(authoring, 1);
    expect(await titles({})).toEqual(['published 2', 'draft', [['Two', 'Three']]]);
    expect(await failure(titles({ from: 'published' }))).toMatchObject({
      code: 'not_found',
      message: 'The page of resource 1 is not published',
    });
  });

  it('stores and returns a page of a thousand deep sections', async () => {
    const authoring = await openAuthoring(await prepare({ databaseUrl: await database.url() }));
    const { store } = authoring;
    const level = (name: string, inner: readonly unknown[]) => ({ name, type: 'repeater', label: name, fields: inner });
    const text = { name: 'text', type: 'text', label: 'Text' };
    const fields = [level('a', [level('b', [level('c', [text])])])];
    const type = { key: 'deep', version: 1, label: 'Deep', category: 'content', template: '', fields };
    await importSectionTypes(store, { given: type, by: 'test', dryRun: false });
    const sections = Array.from({ length: 1000 }, (_, at) => ({
      type: 'deep',
      data: { a: [{ b: [{ c: [{ text: `Größe ${at} 🙂` }] }] }] },
    }));
    const { page } = await save(authoring, { document: { schemaVersion: 1, sections }, publish: true });
    expect(page.publishedRevision).toBe(1);
    const [row] = await historyOf(store);
    const stored = JSON.parse(String(row?.[1])) as {
      sections: { data: { a: { b: { c: { text: string }[] }[] }[] } }[];
    };
    expect(stored.sections.map(({ data }) => data.a[0]?.b[0]?.c[0]?.text)).toEqual(
      sections.map(({ data }) => data.a[0]?.b[0]?.c[0]?.text),
    );
    expect((await compareDocuments(store, { resource: 1 })).changes).toEqual([]);
  });

  it('keeps a section where new ones of its type are not allowed', async () => {
    const authoring = await openAuthoring(await prepare({ databaseUrl: await database.url() }));
    const { store } = authoring;
    const type = { key: 'note', version: 1, label: 'Note', category: 'content', template: '', fields: [] };
    await importSectionTypes(store, { given: type, by: 'test', dryRun: false });
    const page = (...sections: unknown[]) => ({ schemaVersion: 1, sections });
    const old = { id: heroId, type: 'note', data: {} };
    await save(authoring, { document: page(old) });
    const elsewhere = { ...type, availability: { resources: [2] } };
    await importSectionTypes(store, { given: elsewhere, by: 'test', dryRun: false });
    expect((await save(authoring, { document: page(old) })).page.revision).toBe(2);
    const refused = await failure(save(authoring, { document: page(old, { type: 'note', data: {} }) }));
    expect(Object.keys(refused.details.fields ?? {})).toEqual(['sections[1].type']);
  });

  it('replaces a damaged draft, and reports it elsewhere', async () => {
    const authoring = await openAuthoring(await prepare({ databaseUrl: await database.url() }));
    const { store } = authoring;
    await save(authoring, { document: heroPage('One'), publish: true });
    await store.own.write((tx) => tx.run({ sql: 'UPDATE hcd_pages SET draft = ?, revision = 2', params: ['{"a'] }));
    expect(await failure(publishPage(authoring, { resource: 1, expected: null }))).toMatchObject({
      code: 'refused',
      message: 'The draft of resource 1 is damaged: it is not JSON',
    });
    expect((await save(authoring, { document: heroPage('Two'), publish: true })).page.publishedRevision).toBe(2);
  });
});

describeWithFixture('writing pages on an attached CMS', () => {
  it('works next to the tables of the CMS and leaves them unchanged', async () => {
    const places = { databaseUrl: await loadFixture(), ownDatabaseUrl: await freshSqliteUrl() };
    const authoring = await openAuthoring(places);
    const { migrateUp } = await import('../../../src/store/migrations/migrate.js');
    const { migrationRun } = await import('../../../commands/open-store.js');
    await migrateUp(migrationRun(authoring.store));
    const sums = async () =>
      authoring.store.content.primary.select({
        sql: 'CHECKSUM TABLE modx_site_content, modx_system_settings',
        params: [],
      });
    const before = await sums();
    const { page } = await save(authoring, { resource: 1, document: heroPage('Hello'), publish: true });
    expect(page).toMatchObject({ publishedRevision: 1, about: { id: 1, context: 'web' } });
    await withdrawPage(authoring, 1);
    expect((await rollBackPage(authoring, { resource: 1, revision: 1 })).page.publishedRevision).toBe(2);
    expect(await sums()).toEqual(before);
  });
});
