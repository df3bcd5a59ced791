/** Section types of a site: what is in force, what replaces and hides what, and what pages make of it. */
import { expect, it } from 'vitest';
import {
  findTypeUses,
  importSectionTypes,
  listSectionTypes,
  loadSectionTypes,
} from '../../../src/pages/authoring/section-types.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { basicSections } from '../rules/section-types.js';
import { heroPage, importLines, openAuthoring, prepare, stateNumber } from './page-site.js';

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
});
