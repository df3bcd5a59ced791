/** Sites whose rows refer to what does not exist: an export says what it leaves out, and every file of it can be imported. */
import { afterAll, expect, it } from 'vitest';
import { exportSite } from '../../../src/operations/transfer/transfer-site.js';
import { Losses } from '../../../src/operations/transfer/warnings.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { type Row, seed } from '../../support/seed.js';
import { exportText, importText, migratedStore } from './transfer-store.js';

const page = (id: number, more: Row = {}): Row => ({
  id,
  pagetitle: `P${id}`,
  alias: `p${id}`,
  uri: `p${id}`,
  ...more,
});

/** Rows, the records that no file has, and the members that records come without. */
const cases: readonly (readonly [
  name: string,
  rows: Readonly<Record<string, readonly Row[]>>,
  notes: readonly string[],
])[] = [
  [
    'a context',
    {
      site_content: [page(5, { context_key: 'gone' }), page(6, { parent: 5 }), page(7, { content: '[[~5]] [[~99]]' })],
      context_setting: [{ context_key: 'gone', key: 'site_start', value: '5', area: '', namespace: 'core', xtype: '' }],
      context_resource: [{ context_key: 'gone', resource: 6 }],
    },
    [
      'Left out: resources 5: there is no context gone.',
      'Left out: parent of resources 6: there is no resource 5.',
      'Left out: contexts of resources 6: there is no context gone.',
      'Left out: content of resources 7: there is no resource 5.',
      'Left out: content of resources 7: there is no resource 99.',
      'Left out: context_settings ["gone","site_start"]: there is no context gone.',
    ],
  ],
  [
    'a parent, a template and a content type',
    { site_content: [page(5, { parent: 99, template: 98, content_type: 97 }), page(6, { parent: 99 })] },
    [
      'Left out: parent of resources 5, 6: there is no resource 99.',
      'Left out: template of resources 5: there is no template 98.',
      'Left out: content_type of resources 5: there is no content type 97.',
    ],
  ],
  [
    'template variables, groups, categories and templates of them',
    {
      site_content: [page(5)],
      site_tmplvar_contentvalues: [{ contentid: 5, tmplvarid: 77, value: 'x' }],
      document_groups: [{ document: 5, document_group: 66 }],
      site_htmlsnippets: [{ name: 'c', category: 55, source: 54, snippet: '' }],
      categories: [{ id: 8, category: 'A', parent: 44 }],
    },
    [
      'Left out: parent of categories 8: there is no category 44.',
      'Left out: source of chunks 1: there is no media source 54.',
      'Left out: category of chunks 1: there is no category 55.',
      'Left out: tvs of resources 5: there is no template variable 77.',
      'Left out: groups of resources 5: there is no resource group 66.',
    ],
  ],
  [
    'parents outside a circle',
    {
      site_content: [page(5, { parent: 6 }), page(6, { parent: 5 })],
      categories: [
        { id: 8, category: 'A', parent: 9 },
        { id: 9, category: 'B', parent: 8 },
      ],
    },
    [
      'Left out: categories 8, 9: it is in a circle, or another one has the same name and parent.',
      'Left out: parent of resources 6: its parent is below it.',
    ],
  ],
  [
    'positions, banners and resources of page documents',
    {
      hcd_ad_positions: [
        { id: 1, name: 'Top', context_key: 'gone', created_on: 0, edited_on: 0 },
        { id: 2, name: 'Bottom', context_key: '', created_on: 0, edited_on: 0 },
      ],
      hcd_ads: [{ id: 3, name: 'Ad', target_resource_id: 99, created_on: 0, edited_on: 0 }],
      hcd_ad_links: [
        { id: 1, position: 1, ad: 3, idx: 0 },
        { id: 2, position: 2, ad: 33, idx: 1 },
        { id: 3, position: 2, ad: 3, idx: 0 },
      ],
      hcd_pages: [
        {
          ...{ resource_id: 99, revision: 1, last_published: 0, is_published: 0 },
          ...{ edited_on: 0, created_on: 0, edited_by: 'x' },
        },
      ],
    },
    [
      'Left out: pages 99: there is no resource 99.',
      'Left out: positions 1: there is no context gone.',
      'Left out: target_resource of banners 3: there is no resource 99.',
      'Left out: banner_links 1: there is no position 1.',
      'Left out: banner_links 2: there is no banner 33.',
    ],
  ],
];

describeEachDatabase('the export of a site that lacks', (database) => {
  const stores: Store[] = [];
  const fresh = async (): Promise<Store> => {
    const store = await migratedStore(await database.url());
    stores.push(store);
    return store;
  };
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  it.each(cases)('%s says so, and can be imported twice', async (_name, rows, notes) => {
    const [site, other] = [await fresh(), await fresh()];
    for (const [table, of] of Object.entries(rows)) {
      await seed(table.startsWith('hcd_') ? { ...site, prefix: '' } : site, { [table]: of });
    }
    const losses = new Losses();
    const choice = { objects: undefined, filter: {}, exported: '2026-11-21T12:00:00Z', onRecords: () => undefined };
    const lines: string[] = [];
    const parts = await exportSite({ store: site, registry: null }, { ...choice, onLost: (loss) => losses.add(loss) });
    for await (const part of parts) lines.push(part);
    const text = lines.join('');
    expect([...losses.notes].sort()).toEqual([...notes].sort());

    const unchanged = { created: 0, updated: 0, unchanged: text.split('\n').length - 2, skipped: 0 };
    expect(await importText(site, text)).toEqual(unchanged);
    await importText(other, text);
    expect(await importText(other, text)).toEqual(unchanged);
    expect(await importText(other, await exportText(other))).toMatchObject({ created: 0, updated: 0 });
  });
});
