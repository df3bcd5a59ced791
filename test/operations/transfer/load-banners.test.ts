/** Banners and pages of a file: names become ids, and what is wrong is said with its line and member. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrationRun } from '../../../commands/open-store.js';
import { AppError } from '../../../src/errors/app-error.js';
import { loadBanners } from '../../../src/operations/transfer/load-banners.js';
import { loadContent } from '../../../src/operations/transfer/load-content.js';
import { loadPages } from '../../../src/operations/transfer/load-pages.js';
import { Names } from '../../../src/operations/transfer/names.js';
import { Problems, readRecords, type TransferRecord } from '../../../src/operations/transfer/read-records.js';
import { migrateUp } from '../../../src/store/migrations/migrate.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { patientLimits } from '../../support/patient-limits.js';

type Line = readonly [object: string, record: Readonly<Record<string, unknown>>];

interface Given {
  readonly records: AsyncIterable<TransferRecord>;
  readonly problems: Problems;
}

function given(lines: readonly Line[]): Given {
  const texts = lines.map(([object, record]) => JSON.stringify({ object, record }));
  const text = ['{"hcd":1,"exported":"2026-11-21T12:00:00Z"}', ...texts].join('\n');
  const problems = new Problems();
  return { records: readRecords(Readable.from([Buffer.from(text)]), { problems }), problems };
}

async function problemsOf(work: Promise<unknown>): Promise<Readonly<Record<string, string>>> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError) || error.code !== 'refused') throw error;
  return Object.fromEntries(Object.entries(error.details.fields ?? {}).map(([line, all]) => [line, all.join(' | ')]));
}

describeEachDatabase('banners and pages of a file', (database) => {
  let store: Store;

  beforeAll(async () => {
    const target = { databaseUrl: await database.url(), prefix: 'modx_', limits: patientLimits };
    const empty = await openStore(target);
    await migrateUp(migrationRun(empty));
    await empty.close();
    store = await openStore(target);
    const { prefix, tables } = store;
    const content = given([
      ['media_sources', { name: 'Pictures' }],
      ['resources', { context_key: 'web', uri: 'tents/', pagetitle: 'Tents' }],
    ]);
    await store.content.write((tx) => loadContent(tx, { prefix, tables, ...content, onRecord: () => undefined }));
  });

  afterAll(() => store.close());

  function load(...lines: readonly Line[]): Promise<unknown> {
    const names = new Names(store.content.primary, store.prefix);
    return store.own.write((tx) => loadBanners(tx, { names, ...given(lines) }));
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
          positions: [{ position: 'top', weight: 3 }],
        },
      ]);
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
    const lost = { context: 'web', uri: 'lost/' };
    const problems = await problemsOf(
      load(
        ['banners', { name: 'good' }],
        [
          'banners',
          { name: '', type: 'film', target_resource: lost, source: 'None', url: '[[~web:lost/]]', colour: 1 },
        ],
        ['banners', { name: 'ids', target_resource_id: 1, source: 2, positions: [{ position: 'nowhere' }] }],
        ['banners', { name: 'late', start: '2026-11-02T00:00:00Z', end: '2026-11-01T00:00:00Z' }],
        ['positions', { name: 'x'.repeat(300) }],
        ['positions', { name: 'there', context_key: 'none' }],
        ['presets', { name: 'preset', type: 'image', defaults: { name: 'no', weight: 1 } }],
        ['chunks', { name: 'chunk' }],
      ),
    );
    expect(Object.keys(problems)).toEqual([3, 4, 5, 6, 7, 8, 9].map((line) => `line ${line}`));
    for (const member of ['name', 'type', 'target_resource', 'source', 'url', 'colour']) {
      expect(problems['line 3']).toContain(`banners.${member}: `);
    }
    expect(problems['line 4']).toContain('banners.target_resource_id: is unknown');
    expect(problems['line 4']).toContain('banners.source: must be a name');
    expect(problems['line 4']).toContain('banners.positions: there is no position "nowhere"');
    expect(problems['line 5']).toContain('banners.end: must not be before start');
    expect(problems['line 6']).toContain('positions.name: ');
    expect(problems['line 7']).toBe('positions.context_key: there is no context "none"');
    expect(problems['line 8']).toContain('presets.name: is not a value of a preset');
    expect(problems['line 9']).toContain('object "chunks" is unknown; known are positions, banners, presets');
    expect(await rows('SELECT COUNT(*) FROM hcd_ads')).toEqual(before);
  });

  it('are written as an editor would, once', async () => {
    const authoring = { store, by: 'test', tellReaders: async () => undefined };
    const document = (text: string) => ({
      schemaVersion: 1,
      sections: [{ id: '0'.repeat(32), type: 'richtext', data: { content: `<p>${text}</p>` } }],
    });
    const page: Line = [
      'pages',
      { resource: tents, published: [document('one'), document('two')], draft: document('three') },
    ];
    expect(await loadPages(authoring, given([page]))).toBe(1);
    expect(await loadPages(authoring, given([page]))).toBe(1);
    expect(await rows('SELECT COUNT(*) FROM hcd_page_revisions')).toEqual([[2]]);
    const problems = await problemsOf(
      loadPages(
        authoring,
        given([
          ['pages', { resource: 1 }],
          ['pages', { resource: { context: 'web', uri: 'lost/' } }],
          ['pages', { resource: tents, publish: true }],
          ['chunks', {}],
        ]),
      ),
    );
    expect(problems).toEqual({
      'line 2': 'pages.resource: must be {"context": "web", "uri": "about.html"}',
      'line 3': 'pages.resource: there is no resource with the URI lost/ in web',
      'line 4': 'pages.publish: is unknown; known are resource, published, draft, withdrawn',
      'line 5': 'object "chunks" is unknown; known are pages',
    });
    const unsound = { ...document('x'), sections: [{ type: 'none', data: {} }] };
    const wrong = await problemsOf(
      loadPages(
        authoring,
        given([['pages', { resource: tents, draft: unsound, published: [unsound, unsound, unsound] }]]),
      ),
    );
    expect(wrong['line 2']).toMatch(/^pages\..+: /);
  });
});
