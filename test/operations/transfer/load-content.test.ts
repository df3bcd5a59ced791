/** Records of a file become rows by stable names; what is wrong is said with its line and member, and then nothing is written. */

import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationRun } from '../../../commands/open-store.js';
import { AppError } from '../../../src/errors/app-error.js';
import { contentKinds, loadContent } from '../../../src/operations/transfer/load-content.js';
import { Problems, readRecords } from '../../../src/operations/transfer/read-records.js';
import { migrateUp } from '../../../src/store/migrations/migrate.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { patientLimits } from '../../support/patient-limits.js';

const header = '{"hcd":1,"exported":"2026-11-21T12:00:00Z"}';

type Line = string | readonly [object: string, record: Readonly<Record<string, unknown>>];

function fileOf(...lines: readonly Line[]): string {
  const texts = lines.map((line) =>
    typeof line === 'string' ? line : JSON.stringify({ object: line[0], record: line[1] }),
  );
  return [header, ...texts].join('\n');
}

async function load(store: Store, text: string): Promise<void> {
  const problems = new Problems();
  const records = readRecords(Readable.from([Buffer.from(text)]), { problems });
  await store.content.write((tx) =>
    loadContent(tx, { prefix: store.prefix, tables: store.tables, records, problems, onRecord: () => undefined }),
  );
}

/** By line. */
async function problemsOf(store: Store, text: string): Promise<Readonly<Record<string, readonly string[]>>> {
  try {
    await load(store, text);
  } catch (error) {
    if (error instanceof AppError && error.code === 'refused') return error.details.fields ?? { [error.message]: [] };
    throw error;
  }
  return {};
}

describeEachDatabase('content of a file', (database) => {
  let store: Store;

  beforeAll(async () => {
    const target = { databaseUrl: await database.url(), prefix: 'modx_', limits: patientLimits };
    const empty = await openStore(target);
    await migrateUp(migrationRun(empty));
    await empty.close();
    store = await openStore(target);
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

  it('names every problem with its line and member, and writes nothing', async () => {
    const before = await rows('SELECT COUNT(*) FROM modx_site_content');
    const problems = await problemsOf(
      store,
      fileOf(
        page('good.html'),
        '{"object": "resources", "record": {"uri": }}',
        '[1]',
        '{"object": "resources"}',
        '{"object": "resources", "record": {}, "more": 1}',
        ['plugins', { name: 'mine' }],
        ['resources', { context_key: 'web', uri: 'no-title.html' }],
        page('odd.html', { published: 'perhaps', colour: 'red', menuindex: 1.5, createdon: 'yesterday' }),
        page('lost.html', { parent: { context: 'web', uri: 'nowhere.html' }, template: 'None' }),
        page('linked.html', { content: '[[~web:nowhere.html]]', tvs: { missing: 'x' }, parent: 'good.html' }),
        page('first.html'),
        page('good.html'),
        ['templates', { templatename: 'Article', content: '' }],
        ['categories', { category: 'Packs', parent: 'Shop' }],
        ['users', { username: 'ann', password: 'secret', groups: ['Editors'], profile: { phone: 1, shoes: 43 } }],
      ),
    );
    expect(Object.keys(problems)).toEqual(
      expect.arrayContaining([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16].map((line) => `line ${line}`)),
    );
    expect(problems['line 2']).toBeUndefined();
    const told = Object.fromEntries(Object.entries(problems).map(([line, all]) => [line, all.join(' | ')]));
    expect(told).toMatchObject({
      'line 3': expect.stringMatching(/^column \d+: expected a value/),
      'line 4': 'must be a JSON object, not a list',
      'line 5': 'record must be an object, not nothing',
      'line 6': '"more" is unknown; a line has object and record',
      'line 7': expect.stringContaining('object "plugins" is unknown; known are contexts,'),
      'line 8': 'resources.pagetitle: is required',
      'line 10':
        'resources.parent: there is no resource with the URI nowhere.html in web | resources.template: there is no template "None"',
      'line 11': expect.stringContaining('resources.parent: must be {"context": "web", "uri": "about.html"}'),
      'line 12': 'resources: the name is already in use',
      'line 13': 'resources: the name is already in use',
      'line 14': 'templates: the name is already in use',
      'line 15': 'categories.parent: must be the names of categories from the top, as a list',
    });
    for (const name of ['published', 'colour', 'menuindex', 'createdon'])
      expect(told['line 9']).toContain(`resources.${name}: `);
    expect(told['line 16']).toContain('users.password: is unknown');
    expect(await rows('SELECT COUNT(*) FROM modx_site_content')).toEqual(before);
  });

  it('stops after a hundred wrong lines', async () => {
    const problems = await problemsOf(store, fileOf(...Array.from({ length: 300 }, () => 'none')));
    expect(Object.keys(problems)).toHaveLength(100);
  });

  it.each([
    ['', 'must be {"hcd": 1, "exported": "<time>"}'],
    ['{"object":"chunks","record":{"name":"a"}}', 'must be {"hcd": 1, "exported": "<time>"}'],
    ['{"hcd":1,"exported":"today"}', 'must be {"hcd": 1, "exported": "<time>"}'],
    ['{"hcd":2,"exported":"2026-11-21T12:00:00Z"}', 'a later version wrote this file'],
    ['{"hcd":1,"exported":"2026-11-21T12:00:00Z","by":"me"}', '"by" is unknown'],
  ])('refuses a file that begins with %s', async (first, problem) => {
    const problems = await problemsOf(store, `${first}\n{"object":"chunks","record":{"name":"a"}}`);
    expect(problems['line 1']?.[0]).toContain(problem);
  });

  it('takes a file in or refuses it, whatever stands in it', async () => {
    const kinds = [...contentKinds].flatMap(([object, { members, parts }]) => {
      const value = fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom('web', 'Administrator', 'HTML', 'x'.repeat(300), 'x'.repeat(70_000), '\u{1f41f}', 2 ** 40, -1),
      );
      const names = [...Object.keys(members), ...Object.keys(parts ?? {}), '__proto__', 'constructor'];
      // What is required is there mostly, so that rows are reached.
      const required = Object.keys(members).filter((name) => members[name]?.default === undefined);
      const given = fc.record(Object.fromEntries(required.map((name) => [name, value])));
      const more = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 });
      return fc.tuple(given, more).map(([all, some]) => JSON.stringify({ object, record: { ...all, ...some } }));
    });
    const noise = fc.oneof(fc.json(), fc.string({ unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(...kinds, noise), { minLength: 1, maxLength: 3 }), async (lines) => {
        const before = await rows('SELECT COUNT(*) FROM modx_site_content');
        const problems = await problemsOf(store, [header, ...lines].join('\n'));
        for (const line of Object.keys(problems)) expect(line).toMatch(/^line \d+/);
        if (Object.keys(problems).length > 0)
          expect(await rows('SELECT COUNT(*) FROM modx_site_content')).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });
});

describe('reading records', () => {
  it('gives each with its line and the time of the export, over any split of the bytes', async () => {
    const text = fileOf(['chunks', { name: 'é' }], '', ['chunks', { name: 'b' }]);
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    const problems = new Problems();
    const records = [];
    for await (const record of readRecords(Readable.from(bytes), { problems, file: 'a.ndjson' })) records.push(record);
    const exported = '2026-11-21T12:00:00Z';
    expect(records).toEqual([
      { at: 'a.ndjson line 2', object: 'chunks', record: { name: 'é' }, exported },
      { at: 'a.ndjson line 4', object: 'chunks', record: { name: 'b' }, exported },
    ]);
  });
});
