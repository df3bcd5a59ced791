/** Section types of a site: what is in force, what replaces and hides what, and what pages make of it. */
import { expect, it } from 'vitest';
import type { AppError } from '../../../src/errors/app-error.js';
import { withdrawPage } from '../../../src/pages/authoring/change-page.js';
import {
  findTypeUses,
  importSectionTypes,
  listSectionTypes,
  loadSectionTypes,
  removeSectionType,
} from '../../../src/pages/authoring/section-types.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { basicSections } from '../rules/section-types.js';
import { heroPage, importLines, openAuthoring, prepare, rowsOf, save, stateNumber } from './page-site.js';

const shippedKeys = basicSections.map(({ definition }) => String(definition['key']));
const note = {
  key: 'note',
  version: 1,
  label: 'Note',
  category: 'content',
  template: '<p>{{ data.text }}</p>',
  fields: [],
};
const ownHero = { ...note, key: 'hero', version: 7, label: 'Our hero' };

describeEachDatabase('section types', (database) => {
  const open = async () => openAuthoring(await prepare({ databaseUrl: await database.url() }));
  const take = (store: Store, given: unknown, dryRun = false) =>
    importSectionTypes(store, { given, by: 'test', dryRun });
  const drop = (store: Store, key: string, force = false) => removeSectionType(store, { key, force, by: 'test' });
  const marks = async (store: Store) => [
    await stateNumber(store, 'section_types_generation'),
    await stateNumber(store, 'content_generation'),
  ];

  it('are the shipped ones before any change', async () => {
    const { store } = await open();
    const types = await loadSectionTypes(store.own.primary);
    expect([...types.keys()]).toEqual(shippedKeys);
    expect((await listSectionTypes(store.own.primary)).map(({ key, state }) => [key, state])).toEqual(
      shippedKeys.map((key) => [key, 'shipped']),
    );
  });

  it('are added and replaced together, and each change is announced', async () => {
    const { store } = await open();
    const [, before = 0] = await marks(store);
    expect(await take(store, [note, ownHero])).toEqual([
      { key: 'note', version: 1, outcome: 'added', replaced: null },
      { key: 'hero', version: 7, outcome: 'replaced', replaced: 1 },
    ]);
    expect(await marks(store)).toEqual([1, before + 1]);
    const types = await loadSectionTypes(store.own.primary);
    expect([...types.keys()]).toEqual([...shippedKeys, 'note']);
    expect(types.get('hero')?.label).toBe('Our hero');
    const views = await listSectionTypes(store.own.primary);
    expect(
      views.filter(({ state }) => state !== 'shipped').map(({ key, state, changedBy }) => [key, state, changedBy]),
    ).toEqual([
      ['hero', 'changed', 'test'],
      ['note', 'own', 'test'],
    ]);
    expect(await take(store, [note, ownHero])).toEqual([
      { key: 'note', version: 1, outcome: 'unchanged', replaced: 1 },
      { key: 'hero', version: 7, outcome: 'unchanged', replaced: 7 },
    ]);
    expect(await marks(store)).toEqual([1, before + 1]);
  });

  it('are all refused when one is wrong, with all problems and their paths', async () => {
    const { store } = await open();
    const wrong = [note, { ...note, key: 'Bad Key', template: '{% if %}' }, { ...note, colour: 'red' }];
    const refused = await take(store, wrong).catch((error: AppError) => error);
    expect(refused).toMatchObject({
      code: 'validation_failed',
      message: 'The section types cannot be imported: 4 problems',
    });
    expect(Object.keys((refused as AppError).details.fields ?? {}).sort()).toEqual([
      '[1]',
      '[1].key',
      '[1].template',
      '[2].colour',
    ]);
    expect(await rowsOf(store, 'SELECT `key` FROM hcd_section_types')).toEqual([]);
  });

  it('are not changed by a dry run', async () => {
    const { store } = await open();
    const before = await marks(store);
    expect(await take(store, note, true)).toEqual([{ key: 'note', version: 1, outcome: 'added', replaced: null }]);
    expect((await loadSectionTypes(store.own.primary)).has('note')).toBe(false);
    expect(await marks(store)).toEqual(before);
  });

  it('are deleted, restored to the shipped ones or hidden', async () => {
    const { store } = await open();
    await take(store, [note, ownHero]);
    expect(await drop(store, 'note')).toEqual({ key: 'note', outcome: 'deleted', uses: [] });
    expect(await drop(store, 'hero')).toEqual({ key: 'hero', outcome: 'shipped again', uses: [] });
    expect((await loadSectionTypes(store.own.primary)).get('hero')?.label).toBe('Hero');
    expect(await drop(store, 'hero')).toEqual({ key: 'hero', outcome: 'hidden', uses: [] });
    expect((await loadSectionTypes(store.own.primary)).has('hero')).toBe(false);
    const told = await marks(store);
    expect(await drop(store, 'hero')).toEqual({ key: 'hero', outcome: 'was hidden', uses: [] });
    expect(await marks(store)).toEqual(told);
    const [view] = await listSectionTypes(store.own.primary);
    expect([view?.key, view?.state]).toEqual(['hero', 'hidden']);
    expect(await take(store, view?.definition)).toEqual([
      { key: 'hero', version: 1, outcome: 'restored', replaced: null },
    ]);
    expect(await rowsOf(store, 'SELECT `key` FROM hcd_section_types')).toEqual([]);
    await expect(drop(store, 'hera')).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no section type "hera"; did you mean "hero"?',
    });
  });

  it('are kept while drafts or published pages use them, unless removal is forced', async () => {
    const authoring = await open();
    const { store } = authoring;
    const spacer = { schemaVersion: 1, sections: [{ type: 'spacer', data: { size: 'md' } }] };
    // Text of other members that looks like a type is none.
    const picture = { url: '/a.png', type: 'stats' };
    const image = { type: 'image', data: { image: picture } };
    await save(authoring, { resource: 1, document: heroPage('published'), publish: true });
    await save(authoring, { resource: 1, document: spacer });
    await save(authoring, { resource: 2, document: { schemaVersion: 1, sections: [image] } });
    await save(authoring, { resource: 3, document: heroPage('draft') });
    const uses = (key: string) => findTypeUses(store.own.primary, key);
    expect([await uses('hero'), await uses('spacer'), await uses('stats'), await uses('cards')]).toEqual([
      [1, 3],
      [1],
      [],
      [],
    ]);
    await expect(drop(store, 'hero')).rejects.toMatchObject({
      code: 'refused',
      message:
        'Section type hero is on 2 pages (1, 3): their sections could no longer be rendered. --force removes it nevertheless',
    });
    await withdrawPage(authoring, 1);
    expect(await uses('hero')).toEqual([3]);
    expect(await drop(store, 'hero', true)).toEqual({ key: 'hero', outcome: 'hidden', uses: [3] });
    expect((await importLines(authoring, [{ resource: 3, document: heroPage('again') }])).refused).toHaveLength(1);
  });

  it('finds the uses of a type on more pages than it reads at once', async () => {
    const places = await prepare(
      { databaseUrl: await database.url() },
      Array.from({ length: 130 }, (_, at) => ({ id: 100 + at, uri: `p${at}.html` })),
    );
    const authoring = await openAuthoring(places);
    await importLines(
      authoring,
      Array.from({ length: 130 }, (_, at) => ({ resource: 100 + at, document: heroPage('x') })),
    );
    expect(await findTypeUses(authoring.store.own.primary, 'hero')).toEqual(
      Array.from({ length: 130 }, (_, at) => 100 + at),
    );
  });

  it('are left out and reported when they are unreadable', async () => {
    const { store } = await open();
    await take(store, [note, ownHero]);
    await store.own.write((tx) =>
      tx.run({ sql: 'UPDATE hcd_section_types SET definition = ?', params: ['{"key": "note", "future": 1}'] }),
    );
    const types = await loadSectionTypes(store.own.primary);
    expect([types.has('note'), types.has('hero'), types.has('faq')]).toEqual([false, false, true]);
    const views = (await listSectionTypes(store.own.primary)).filter(({ state }) => state === 'unreadable');
    expect(views.map(({ key, type }) => [key, type])).toEqual([
      ['hero', null],
      ['note', null],
    ]);
    expect(views[1]?.problem).toContain('future');
    expect(await drop(store, 'hero')).toMatchObject({ outcome: 'shipped again' });
  });
});
