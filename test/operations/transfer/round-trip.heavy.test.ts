/** An export of an import of an export is the export itself, whatever the content, the database and the ids. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadSample } from '../../../src/operations/sample/load-sample.js';
import { loadSampleBanners } from '../../../src/operations/sample/load-sample-banners.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { exportText, fileOf, importText, type Line, migratedStore } from './transfer-store.js';

async function shift(store: Store, by: number): Promise<void> {
  // Rows that are removed again leave counters behind; a row that stays moves the highest id.
  const lines: Line[] = Array.from({ length: by }, (_, at) => ['chunks', { name: `shift ${at}` }]);
  const pages: Line[] = Array.from({ length: by }, (_, at) => [
    'resources',
    { context_key: 'web', uri: `shift-${at}`, pagetitle: 'Shift' },
  ]);
  await importText(
    store,
    fileOf(...lines, ...pages, ['templates', { templatename: 'Shift', content: '' }], ['tvs', { name: 'shift' }]),
  );
}

async function withoutShift(store: Store): Promise<void> {
  await store.content.write(async (tx) => {
    for (const sql of [
      "DELETE FROM `modx_site_content` WHERE `uri` LIKE 'shift-%'",
      "DELETE FROM `modx_site_htmlsnippets` WHERE `name` LIKE 'shift %'",
      "DELETE FROM `modx_site_templates` WHERE `templatename` = 'Shift'",
      "DELETE FROM `modx_site_tmplvars` WHERE `name` = 'shift'",
    ])
      await tx.run({ sql, params: [] });
  });
}

describeEachDatabase('the export of an imported export', (database) => {
  const stores: Store[] = [];
  const fresh = async (url: Promise<string>): Promise<Store> => {
    const store = await migratedStore(await url);
    stores.push(store);
    return store;
  };
  let sample: Store;

  beforeAll(async () => {
    sample = await fresh(database.url());
    await loadSample(sample, { env: {}, apis: [], onProgress: () => undefined });
    await loadSampleBanners(sample, { env: {}, now: Date.UTC(2026, 10, 21, 12) });
  });

  afterAll(() => Promise.all(stores.map((store) => store.close())));

  it('is the same file for the sample site, in another database with other ids, and changes nothing when repeated', async () => {
    const text = await exportText(sample);
    expect(text.split('\n').length).toBeGreaterThan(500);
    for (const other of [await fresh(freshSqliteUrl()), await fresh(database.url())]) {
      await shift(other, 7);
      const planned = await importText(other, text, { isDry: true });
      const counts = await importText(other, text);
      expect(planned).toEqual(counts);
      expect(counts.created).toBeGreaterThan(480);
      await withoutShift(other);
      expect(await exportText(other)).toBe(text);
      const again = await importText(other, text);
      expect(again).toEqual({ created: 0, updated: 0, unchanged: text.split('\n').length - 2, skipped: 0 });
    }
  });
});
