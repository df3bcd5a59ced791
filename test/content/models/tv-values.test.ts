/** The index of template variables where several processes write it. */
import { expect, it, onTestFinished } from 'vitest';
import { readTvIndex, replaceTvIndex } from '../../../src/content/indexing/tv-values.js';
import type { TvIndexRow } from '../../../src/content/models/tv-values.js';
import { describeEachDatabase } from '../../support/databases.js';
import { openMigrated } from '../../support/migrate.js';

describeEachDatabase('rows of template variables', (database) => {
  it('take the place of those that another process has written since the former ones were removed', async () => {
    const store = await openMigrated({ databaseUrl: await database.url(), prefix: 'modx_' });
    onTestFinished(() => store.close());
    const rowOf = (resource: number, text: string): TvIndexRow => {
      return { resource, tv: 1, part: 0, place: 0, number: null, text, whole: null };
    };
    const many = Array.from({ length: 60 }, (_, at) => rowOf(at + 1, 'of the other'));
    await store.own.write((tx) => replaceTvIndex(tx, [], { rows: many }));
    await store.own.write((tx) => replaceTvIndex(tx, [], { rows: [...many.slice(0, 55), rowOf(56, 'own')] }));
    const stored = await readTvIndex(store.own.primary, [55, 56, 57]);
    expect(stored).toEqual([rowOf(55, 'of the other'), rowOf(56, 'own'), rowOf(57, 'of the other')]);
    await store.own.write((tx) => replaceTvIndex(tx, [55, 56], { rows: [rowOf(56, 'new')] }));
    expect(await readTvIndex(store.own.primary, [55, 56])).toEqual([rowOf(56, 'new')]);
  });
});
