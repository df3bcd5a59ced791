/** Banners and pages of a file: names become ids, and what is wrong is said with its line and member. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { fileOf, importText, type Line, migratedStore, problemsOf as problemsByLine } from './transfer-store.js';

async function problemsOf(work: Promise<unknown>): Promise<Readonly<Record<string, string>>> {
  const problems = await problemsByLine(work);
  return Object.fromEntries(Object.entries(problems).map(([line, all]) => [line, all.join(' | ')]));
}

describeEachDatabase('banners and pages of a file', (database) => {
  let store: Store;

  beforeAll(async () => {
    store = await migratedStore(await database.url());
    await load(
      ['media_sources', { name: 'Pictures' }],
      ['resources', { context_key: 'web', uri: 'tents/', pagetitle: 'Tents' }],
    );
  });

  afterAll(() => store.close());

  function load(...lines: readonly Line[]): Promise<unknown> {
    return importText(store, fileOf(...lines));
  }

  function rows(sql: string): Promise<readonly unknown[]> {
    return store.own.primary.select({ sql, params: [] });
  }

  const tents = { context: 'web', uri: 'tents/' };

  it('get the ids that names have here, and come behind the banners of a position', async () => {
    await load(['positions', { name: 'top', context_key: 'web' }]);
    for (const name of ['first', 'second']) {
      await load([
        'banners',
        {
          name,
          url: '[[~web:tents/]]?from=banner',
          source: 'Pictures',
          image: 'a.jpg',
          start: '2026-11-01T00:00:00Z',
          target_parent: tents,
        },
      ]);
      await load(['banner_links', { banner: name, position: 'top', weight: 3 }]);
    }
    expect(await rows('SELECT url, source, target_parent_id FROM hcd_ads ORDER BY id')).toEqual([
      ['[[~1]]?from=banner', 2, 1],
      ['[[~1]]?from=banner', 2, 1],
    ]);
    expect(await rows('SELECT ad, idx, weight FROM hcd_ad_links ORDER BY ad')).toEqual([
      [1, 0, 3],
      [2, 1, 3],
    ]);
  });

  it('are refused with every problem of each line', async () => {
    const before = await rows('SELECT COUNT(*) FROM hcd_ads');
    const problems = await problemsOf(
      load(
        ['banners', { name: 'good' }],
        ['banners', { name: '', type: 'film', source: 1, url: 'x y', colour: 1 }],
        ['banners', { name: 'ids', target_resource_id: 1 }],
        ['banners', { name: 'late', start: '2026-11-02T00:00:00Z', end: '2026-11-01T00:00:00Z' }],
        ['positions', { name: 'x'.repeat(300) }],
        ['positions', { name: 'there', context_key: 1 }],
        ['banner_presets', { name: 'preset', type: 'image', defaults: { name: 'no', weight: 1 } }],
        ['banner_links', { banner: 'first', position: 'top', weight: 0 }],
      ),
    );
    expect(Object.keys(problems)).toEqual([3, 4, 5, 6, 7, 8, 9].map((line) => `line ${line}`));
    for (const member of ['name', 'type', 'source', 'url', 'colour']) {
      expect(problems['line 3']).toContain(`banners.${member}: `);
    }
    expect(problems['line 4']).toContain('banners.target_resource_id: is unknown');
    expect(problems['line 5']).toContain('banners.end: must not be before start');
    expect(problems['line 6']).toContain('positions.name: ');
    expect(problems['line 7']).toContain('positions.context_key: ');
    expect(problems['line 8']).toContain('banner_presets.defaults: name is not a value of a preset');
    expect(problems['line 9']).toContain('banner_links.weight: must be a whole number from 1 to');
    expect(await rows('SELECT COUNT(*) FROM hcd_ads')).toEqual(before);
    const lost = { context: 'web', uri: 'lost/' };
    const missing = await problemsOf(
      load(
        ['banners', { name: 'lost', target_resource: lost, source: 'None', url: '[[~web:lost/]]' }],
        ['banner_links', { banner: 'none', position: 'nowhere' }],
      ),
    );
    for (const member of ['target_resource', 'source', 'url'])
      expect(missing['line 2']).toContain(`banners.${member}: `);
    expect(missing['line 3']).toBe(
      'banner_links.banner: there is no banner "none" | banner_links.position: there is no position "nowhere"',
    );
  });

  it('are linked at the given place, and once', async () => {
    const link: Line = ['banner_links', { banner: 'second', position: 'top', idx: 0, weight: 5 }];
    await load(link);
    const after = [
      [2, 0, 5],
      [1, 1, 3],
    ];
    expect(await rows('SELECT ad, idx, weight FROM hcd_ad_links ORDER BY idx')).toEqual(after);
    expect(await importText(store, fileOf(link))).toMatchObject({ unchanged: 1 });
    expect(await rows('SELECT ad, idx, weight FROM hcd_ad_links ORDER BY idx')).toEqual(after);
  });

  it('are written as an editor would, once', async () => {
    const document = (text: string) => ({
      schemaVersion: 1,
      sections: [{ id: '0'.repeat(32), type: 'richtext', data: { content: `<p>${text}</p>` } }],
    });
    const page: Line = [
      'pages',
      { resource: tents, published: [document('one'), document('two')], draft: document('three') },
    ];
    expect(await importText(store, fileOf(page))).toMatchObject({ created: 1 });
    expect(await importText(store, fileOf(page))).toMatchObject({ unchanged: 1 });
    expect(await rows('SELECT COUNT(*) FROM hcd_page_revisions')).toEqual([[2]]);
    const withdrawn: Line = ['pages', { resource: tents, published: [document('two')], draft: null, withdrawn: true }];
    for (const outcome of ['updated', 'unchanged']) {
      expect(await importText(store, fileOf(withdrawn))).toMatchObject({ [outcome]: 1 });
    }
    const problems = await problemsOf(load(['pages', { resource: 1 }], ['pages', { resource: tents, publish: true }]));
    expect(problems).toEqual({
      'line 2': 'pages.resource: must be {"context": "web", "uri": "about.html"}',
      'line 3': 'pages.publish: is unknown; did you mean "published"?',
    });
    expect(await problemsOf(load(['pages', { resource: { context: 'web', uri: 'lost/' } }]))).toEqual({
      'line 2': 'pages.resource: there is no resource with the URI lost/ in web',
    });
    const unsound = { ...document('x'), sections: [{ type: 'none', data: {} }] };
    const wrong = await problemsOf(load(['pages', { resource: tents, draft: unsound, published: [unsound, unsound] }]));
    expect(wrong['line 2']).toMatch(/^pages\..+: /);
  });
});
