/** Records of a file become rows by stable names; what is wrong is said with its line and member, and then nothing is written. */

import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNdjson } from '../../../src/operations/transfer/ndjson.js';
import { LineProblems } from '../../../src/operations/transfer/transfer-record.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import {
  fileOf,
  header,
  importAtOnce,
  importText,
  kinds,
  type Line,
  migratedStore,
  problemsOf,
} from './transfer-store.js';

const load = importAtOnce;

describeEachDatabase('content of a file', (database) => {
  let store: Store;

  beforeAll(async () => {
    store = await migratedStore(await database.url());
  });

  afterAll(() => store.close());

  async function rows(sql: string): Promise<readonly unknown[]> {
    return store.content.primary.select({ sql, params: [] });
  }

  const page = (uri: string, more: Readonly<Record<string, unknown>> = {}): Line => [
    'resources',
    { context_key: 'web', uri, pagetitle: uri, ...more },
  ];

  it('refers by names to what stands before, further down, and in the store', async () => {
    const inWeb = (uri: string) => ({ context: 'web', uri });
    await load(
      store,
      fileOf(
        ['categories', { category: 'Shop' }],
        ['categories', { category: 'Tents', parent: ['Shop'] }],
        ['tvs', { name: 'next', type: 'resourcelist', category: ['Shop', 'Tents'] }],
        ['templates', { templatename: 'Article', content: '[[*content]]', tvs: ['next'] }],
        page('first.html', {
          template: 'Article',
          content: '<a href="[[~web:caf%C3%A9.html?a=`1`]]">Next</a> [[~[[*id]]]] [[~7]]',
          tvs: { next: inWeb('below/') },
        }),
        page('below/', {
          parent: inWeb('café.html'),
          class_key: 'MODX\\Revolution\\modWebLink',
          content: inWeb('first.html'),
        }),
        page('café.html'),
        ['settings', { key: 'site_start', value: inWeb('first.html') }],
      ),
    );
    await load(store, fileOf(page('later.html', { parent: inWeb('first.html'), template: 'Article' })));
    expect(await rows('SELECT id, uri, parent, template, content FROM modx_site_content ORDER BY id')).toEqual([
      [1, 'first.html', 0, 1, '<a href="[[~3?a=`1`]]">Next</a> [[~[[*id]]]] [[~7]]'],
      [2, 'below/', 3, 0, '1'],
      [3, 'café.html', 0, 0, null],
      [4, 'later.html', 1, 1, null],
    ]);
    expect(await rows('SELECT contentid, value FROM modx_site_tmplvar_contentvalues')).toEqual([[1, '2']]);
    expect(
      await rows('SELECT ancestor, descendant, depth FROM modx_categories_closure WHERE descendant = 2'),
    ).toHaveLength(3);
    expect(await rows("SELECT value FROM modx_system_settings WHERE `key` = 'site_start'")).toEqual([['1']]);
  });

  it('dates pages without dates by the import, as the CMS would', async () => {
    await load(
      store,
      fileOf(page('fresh.html', { published: 1 }), page('draft.html'), page('old.html', { createdon: null })),
    );
    const dates = await rows(
      "SELECT createdon > 1700000000, publishedon > 1700000000 FROM modx_site_content WHERE uri IN ('fresh.html', 'draft.html', 'old.html') ORDER BY id",
    );
    expect(String(dates)).toBe('1,1,1,0,0,0');
  });

  it('names every problem with its line and member, and writes nothing', async () => {
    const before = await rows('SELECT COUNT(*) FROM modx_site_content');
    const text = fileOf(
      page('good.html'),
      '{"object": "resources", "record": {"uri": }}',
      '[1]',
      '{"object": "resources"}',
      '{"object": "resources", "record": {}, "more": 1}',
      ['plugins', { name: 'mine' }],
      ['resources', { context_key: 'web', uri: 'no-title.html' }],
      page('odd.html', { published: 'perhaps', colour: 'red', menuindex: 1.5, createdon: 'yesterday' }),
      page('linked.html', { parent: 'good.html' }),
      page('good.html'),
      ['categories', { category: 'Packs', parent: 'Shop' }],
      ['users', { username: 'ann', password: 'secret', groups: ['Editors'], profile: { phone: 1, shoes: 43 } }],
      ['resourses', {}],
      '{"object": "resources", "record": {"uri": "a", "uri": "b"}}',
      page('named.html', { pagetitel: 'x' }),
      ['roles', { description: 'x' }],
    );
    const problems = await problemsOf(load(store, text));
    const told = Object.fromEntries(Object.entries(problems).map(([line, all]) => [line, all.join(' | ')]));
    expect(told).toMatchObject({
      'line 3': expect.stringMatching(/^column 43: expected a value/),
      'line 4': 'must be a JSON object, not a list',
      'line 5': 'resources: record must be an object, not nothing',
      'line 6': '"more" is unknown; a line has object and record',
      'line 7': expect.stringContaining('plugins: is an unknown object; known are roles,'),
      'line 8': 'resources.pagetitle: is required',
      'line 10': expect.stringContaining('resources.parent: must be {"context": "web", "uri": "about.html"}'),
      'line 11': 'resources: an earlier line has web:good.html too',
      'line 12': 'categories.parent: must be the names of categories from the top, as a list',
      'line 14': 'resourses: is an unknown object; did you mean "resources"?',
      'line 15': 'column 48: "uri" is given twice',
      'line 16': 'resources.pagetitel: is unknown; did you mean "pagetitle"?',
      'line 17': 'roles.name: is required',
    });
    expect(problems['line 2']).toBeUndefined();
    for (const name of ['published', 'colour', 'menuindex', 'createdon'])
      expect(told['line 9']).toContain(`resources.${name}: `);
    expect(told['line 13']).toContain('users.password: is unknown');
    expect(await rows('SELECT COUNT(*) FROM modx_site_content')).toEqual(before);
  });

  it('names what no line of the file has, after the last line', async () => {
    const before = await rows('SELECT COUNT(*) FROM modx_site_content');
    const text = fileOf(
      page('lost.html', { parent: { context: 'web', uri: 'nowhere.html' }, template: 'None' }),
      page('linked.html', { content: '[[~web:nowhere.html]]', tvs: { missing: 'x' } }),
    );
    expect(await problemsOf(load(store, text))).toEqual({
      'line 2': [
        'resources.parent: there is no resource with the URI nowhere.html in web',
        'resources.template: there is no template "None"',
      ],
      'line 3': [
        'resources.content: there is no resource with the URI nowhere.html in web',
        'resources.tvs: there is no template variable "missing"',
      ],
    });
    expect(await rows('SELECT COUNT(*) FROM modx_site_content')).toEqual(before);
  });

  it('stops after a hundred wrong lines', async () => {
    const problems = await problemsOf(load(store, fileOf(...Array.from({ length: 300 }, () => 'none'))));
    expect(Object.keys(problems)).toHaveLength(100);
  });

  it.each([
    ['', 'must be {"hcd": 1, "exported": "<time>"}'],
    ['{"object":"chunks","record":{"name":"a"}}', 'must be {"hcd": 1, "exported": "<time>"}'],
    ['{"hcd":1,"exported":"today"}', 'must be {"hcd": 1, "exported": "<time>"}'],
    ['{"hcd":2,"exported":"2026-11-21T12:00:00Z"}', 'a later version wrote this file'],
    ['{"hcd":1,"exported":"2026-11-21T12:00:00Z","by":"me","of":1}', '"by" is unknown; "of" is unknown'],
  ])('refuses a file that begins with %s', async (first, problem) => {
    const problems = await problemsOf(load(store, `${first}\n{"object":"chunks","record":{"name":"a"}}`));
    expect(problems['line 1']?.join('; ')).toContain(problem);
  });

  it('takes a file in or refuses it, whatever stands in it', async () => {
    const ofKinds = [...kinds.values()].map(({ object, members }) => {
      const value = fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom('web', 'Administrator', 'HTML', 'x'.repeat(300), 'x'.repeat(70_000), '\u{1f41f}', 2 ** 40, -1),
      );
      const names = fc.constantFrom(...members, '__proto__', 'constructor');
      return fc.dictionary(names, value, { maxKeys: 6 }).map((record) => JSON.stringify({ object, record }));
    });
    const noise = fc.oneof(fc.json(), fc.string({ unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(...ofKinds, noise), { minLength: 1, maxLength: 3 }), async (lines) => {
        const before = await rows('SELECT COUNT(*) FROM modx_site_content');
        const problems = await problemsOf(load(store, [header, ...lines].join('\n')));
        for (const line of Object.keys(problems)) expect(line).toMatch(/^line \d+/);
        if (Object.keys(problems).length > 0)
          expect(await rows('SELECT COUNT(*) FROM modx_site_content')).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });

  it('updates what differs, keeps what a record leaves out, and changes nothing the second time', async () => {
    const first = fileOf(page('kept.html', { longtitle: 'Long', menuindex: 3 }), [
      'chunks',
      { name: 'kept', snippet: 'a' },
    ]);
    expect(await importText(store, first)).toEqual({ created: 2, updated: 0, unchanged: 0, skipped: 0 });
    const second = fileOf(page('kept.html', { menuindex: 4 }), ['chunks', { name: 'kept', snippet: 'a' }]);
    expect(await importText(store, second, { isDry: true })).toEqual({
      created: 0,
      updated: 1,
      unchanged: 1,
      skipped: 0,
    });
    expect(await importText(store, second, { onConflict: 'skip' })).toEqual({
      created: 0,
      updated: 0,
      unchanged: 1,
      skipped: 1,
    });
    expect(await problemsOf(importText(store, second, { onConflict: 'fail' }))).toEqual({
      'line 2': ['resources.menuindex: the store has web:kept.html with another value'],
    });
    expect(await importText(store, second)).toEqual({ created: 0, updated: 1, unchanged: 1, skipped: 0 });
    expect(await importText(store, second)).toEqual({ created: 0, updated: 0, unchanged: 2, skipped: 0 });
    expect(await rows("SELECT longtitle, menuindex FROM modx_site_content WHERE uri = 'kept.html'")).toEqual([
      ['Long', 4],
    ]);
  });

  it('tells servers that the content changed', async () => {
    const generation = () => rows("SELECT value FROM hcd_state WHERE `key` = 'content_generation'");
    const before = await generation();
    await importText(store, fileOf(['chunks', { name: 'told' }]));
    const after = await generation();
    expect(after).not.toEqual(before);
    await importText(store, fileOf(['chunks', { name: 'told' }]));
    await importText(store, fileOf(['chunks', { name: 'planned' }]), { isDry: true });
    expect(await generation()).toEqual(after);
  });

  it('completes links in circles, and keeps a page unpublished until they are there', async () => {
    const circle = [
      page('one.html', { content: '[[~web:two.html]]', published: true, parent: { context: 'web', uri: 'two.html' } }),
      page('two.html', { content: '[[~web:one.html]] [[~web:two.html]] [[~:web:gone.html]]', published: true }),
    ];
    expect(await importText(store, fileOf(...circle))).toEqual({ created: 2, updated: 0, unchanged: 0, skipped: 0 });
    expect(await importText(store, fileOf(...circle))).toEqual({ created: 0, updated: 0, unchanged: 2, skipped: 0 });
    const [[one, two] = []] = (await rows(
      "SELECT MIN(id), MAX(id) FROM modx_site_content WHERE uri IN ('one.html', 'two.html')",
    )) as number[][];
    expect(
      await rows(
        "SELECT content, published, parent FROM modx_site_content WHERE uri IN ('one.html', 'two.html') ORDER BY id",
      ),
    ).toEqual([
      [`[[~${two}]]`, 1, two],
      [`[[~${one}]] [[~${two}]] [[~web:gone.html]]`, 1, 0],
    ]);
  });
});

describe('reading records', () => {
  it('gives each with its line and the time of the export, over any split of the bytes', async () => {
    const text = fileOf(['chunks', { name: 'é' }], '', ['chunks', { name: 'b' }]);
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    const problems = new LineProblems();
    const records = [];
    for await (const record of readNdjson(Readable.from(bytes), { problems, file: 'a.ndjson' })) records.push(record);
    const exported = '2026-11-21T12:00:00Z';
    expect(records).toMatchObject([
      { line: 2, at: 'a.ndjson line 2', object: 'chunks', record: { name: 'é' }, exported },
      { line: 4, at: 'a.ndjson line 4', object: 'chunks', record: { name: 'b' }, exported },
    ]);
  });
});
