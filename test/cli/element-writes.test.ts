/** `hcd element create|update|remove`: elements by hand, with the rows that the CMS gives them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertSubscription } from '../../src/webhooks/models/subscriptions.js';
import { runCli } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase, executeOnMariadb, freshSqliteUrl } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { seed } from '../support/seed.js';
import { startTestSite } from '../support/site.js';
import { makeTempDir } from '../support/temp-dir.js';
import { expectTranscript } from './transcript.js';

type Json = Record<string, unknown>;

interface Answer {
  readonly data: Json;
  readonly error: { readonly code: string; readonly message: string; readonly details: Json };
}

type Line = string | readonly string[];
const answerOf = async (db: CliDatabase, line: Line) => (await db.json(line)) as Answer;
const json = async (db: CliDatabase, line: Line) => (await answerOf(db, line)).data;

/** A template with a variable and two pages, one of which has a value. */
async function prepare(url: string): Promise<CliDatabase> {
  return prepareCliDatabase(url, (store) =>
    seed(store, {
      site_templates: [{ id: 1, templatename: 'Page', content: '[[$head]] [[!Menu? &depth=`2`]] [[$header]]' }],
      site_tmplvars: [{ id: 1, name: 'color', type: 'text', default_text: 'blue' }],
      site_tmplvar_templates: [{ tmplvarid: 1, templateid: 1, rank: 4 }],
      site_htmlsnippets: [{ id: 1, name: 'head', snippet: '[[$logo]]' }],
      site_snippets: [{ id: 1, name: 'Menu', snippet: 'return 1;' }],
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', template: 1 },
        { id: 2, pagetitle: 'News', alias: 'news', uri: 'news.html', content: '[[$logo]] Menu' },
      ],
      site_tmplvar_contentvalues: [{ tmplvarid: 1, contentid: 1, value: 'red' }],
    }),
  );
}

describeEachDatabase('hcd element, creating', (database) => {
  let db: CliDatabase;
  beforeAll(async () => {
    db = await prepare(await database.url());
  });

  test.each<[kind: string, line: Line, record: Json]>([
    ['a context', 'context de --name Deutsch', { key: 'de', name: 'Deutsch', description: null, rank: 0 }],
    ['a category', 'categories Shop --rank 3', { category: 'Shop', parent: 0, rank: 3 }],
    ['a chunk', ['chunk', 'foot', '--snippet', '<p>\n</p>'], { name: 'foot', snippet: '<p>\n</p>', locked: false }],
    ['a snippet', ['snippet', 'Sum', '--locked', '1'], { name: 'Sum', snippet: '', locked: true, properties: null }],
    ['a template', 'template Product --tvs color', { templatename: 'Product', content: '', tvs: ['color'] }],
    [
      'a template variable',
      ['tv', 'price', '--type', 'number', '--templates', 'Page,1', '--input-properties', '{"minValue": 0}'],
      {
        ...{ name: 'price', type: 'number', display: 'default', templates: ['Page'], elements: '', default_text: '' },
        ...{ input_properties: { minValue: 0 }, output_properties: [], properties: null },
      },
    ],
    [
      'a content type',
      'content-type Feed --mime-type application/feed+json --file-extensions .json',
      { name: 'Feed', mime_type: 'application/feed+json', file_extensions: '.json', binary: false },
    ],
    [
      'a media source',
      ['media_source', 'Pictures', '--properties', '{"baseUrl": {"name": "baseUrl", "value": "/p/"}}'],
      {
        ...{ name: 'Pictures', class_key: 'MODX\\Revolution\\Sources\\modFileMediaSource', is_stream: true },
        properties: { baseUrl: { name: 'baseUrl', value: '/p/' } },
      },
    ],
  ])('create makes %s', async (_name, line, record) => {
    const words = typeof line === 'string' ? line.split(' ') : line;
    expect(await json(db, ['element', 'create', ...words])).toMatchObject(record);
    const [kind = '', name = ''] = words;
    expect(await json(db, ['element', 'show', kind, name])).toMatchObject(record);
  });

  test('create takes a whole record from a file, and flags over it', async () => {
    const path = join(await makeTempDir('element'), 'tv.json');
    await writeFile(
      path,
      JSON.stringify({ name: 'size', caption: 'Size', templates: [1], input_properties: { a: ['ü'] } }),
    );
    expect(await json(db, ['element', 'create', 'tv', '--file', path, '--caption', 'Grösse'])).toMatchObject({
      ...{ name: 'size', caption: 'Grösse', templates: ['Page'], input_properties: { a: ['ü'] } },
    });
    expect(
      await db.rows("SELECT `input_properties`, `output_properties` FROM `modx_site_tmplvars` WHERE `name` = 'size'"),
    ).toEqual([['a:1:{s:1:"a";a:1:{i:0;s:2:"ü";}}', 'a:0:{}']]);
  });

  test('a context gets the two access rows of the CMS', async () => {
    await db.run('element create context de');
    const rules = await db.rows(
      "SELECT `principal_class`, `principal`, `authority`, p.`name` FROM `modx_access_context` a JOIN `modx_access_policies` p ON p.`id` = a.`policy` WHERE `target` = 'de' ORDER BY a.`id`",
    );
    expect(rules).toEqual([
      ['MODX\\Revolution\\modUserGroup', 1, 9999, 'Context'],
      ['MODX\\Revolution\\modUserGroup', 0, 9999, 'Load Only'],
    ]);
  });

  test('refuses what the CMS could not use, names each field, and writes nothing', async () => {
    const tables = ['site_htmlsnippets', 'site_tmplvars', 'site_templates', 'content_type', 'context'];
    const all = async () => {
      const found: unknown[] = [];
      for (const table of tables) found.push(await db.rows(`SELECT * FROM modx_${table}`));
      return found;
    };
    const before = await all();
    await expectTranscript(db, 'refused/element', [
      'element create chunk HEAD',
      'element create template x --category None',
      'element create tv x --type colour',
      'element create tv Alias',
      ['element', 'create', 'chunk', 'a]]'],
      ['element', 'create', 'context', 'a b'],
      `element create chunk ${'x'.repeat(51)}`,
      'element create template x --tvs nothing',
      ['element', 'create', 'tv', 'x', '--data', '{"templates": "Page"}'],
      ['element', 'create', 'tv', 'x', '--data', '{"nam": 1}'],
      ['element', 'create', 'tv', 'x', '--data', '{"input_properties": "a"}'],
      'element create content_type x --mime-type html',
      'element create content_type x --file-extensions html',
      ['element', 'update', 'context', 'web', '--data', '{"key": "de"}'],
      ['element', 'update', 'chunk', 'head', '--data', '{"id": 9}'],
      ['element', 'create', 'tv', 'x', '--elements', '@SELECT 1'],
    ]);
    // The range is that of the column, which is another one on each database.
    const tooLarge = await db.run('element create chunk x --category 0 --cache-type 99999999999');
    expect(tooLarge).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--cache-type 99999999999: must be an'),
    });
    expect(await all()).toEqual(before);
  });

  describe('holds a default to the rules of its variable', () => {
    const rule = ['--type', 'number', '--input-properties', '{"maxValue": 5}'];
    beforeAll(() => db.run(['element', 'create', 'tv', 'limited', ...rule, '--default-text', '3']));
    afterEach(() => db.run('setting unset gateway_tv_validation'));

    test.each<[name: string, line: Line, field: string, problem: string]>([
      ['of its type', ['create', 'tv', 'x', '--type', 'number', '--default-text', 'abc'], '--default-text', '"abc"'],
      ['of its properties', ['create', 'tv', 'x', ...rule, '--default-text', '9'], '--default-text', '"9"'],
      [
        'of its choices',
        ['create', 'tv', 'x', '--data', '{"type": "option", "elements": "red||blue", "default_text": "green"}'],
        '--data default_text',
        'must be one of: red, blue',
      ],
      ['that it has', 'update tv limited --default-text 6', '--default-text', 'a number of at most 5'],
      ['that it gets', ['update', 'tv', 'limited', '--input-properties', '{"maxValue": 2}'], 'default_text', '"3"'],
      ['of another type', 'update tv limited --type date', 'default_text', '"3" is not accepted: must be a date'],
    ])('and refuses one that breaks a rule %s', async (_name, line, field, problem) => {
      await db.run('setting set gateway_tv_validation strict');
      const before = await db.rows('SELECT * FROM modx_site_tmplvars');
      const { error } = await answerOf(db, ['element', ...(typeof line === 'string' ? line.split(' ') : line)]);
      expect([error.code, error.details['fields']]).toEqual([
        'validation_failed',
        { [field]: [expect.stringContaining(problem)] },
      ]);
      expect(await db.rows('SELECT * FROM modx_site_tmplvars')).toEqual(before);
    });

    test('and writes others, and one that it had before', async () => {
      await db.run('setting set gateway_tv_validation strict');
      for (const given of ['', '5', '@INHERIT', '@INHERIT 9'])
        expect((await db.run(['element', 'update', 'tv', 'limited', '--default-text', given])).code).toBe(0);
      await db.run('setting set gateway_tv_validation off');
      expect(await db.run('element update tv limited --default-text 9')).toMatchObject({ code: 0, stderr: '' });
      await db.run('setting set gateway_tv_validation strict');
      const looser = ['--input-properties', '{"maxValue": 8}'];
      for (const same of [['--caption', 'Limited'], ['--default-text', '9'], rule, looser])
        expect((await db.run(['element', 'update', 'tv', 'limited', ...same])).code).toBe(0);
    });

    test('and only warns with gateway_tv_validation warn', async () => {
      const said = 'Written, but default_text: "abc" is not accepted: must be a number of at most 5\n';
      const created = await db.run(['element', 'create', 'tv', 'warned', ...rule, '--default-text', 'abc']);
      expect([created.code, created.stderr]).toEqual([0, expect.stringContaining(said)]);
      const updated = await db.run('element update tv warned --default-text 6');
      expect([updated.code, updated.stderr]).toEqual([0, said.replace('abc', '6')]);
      expect(await json(db, 'element show tv warned')).toMatchObject({ default_text: '6' });
    });
  });

  test('--trust writes a text that the CMS evaluates', async () => {
    const words = ['element', 'create', 'tv', 'x', '--elements', '@SELECT 1', '--trust'];
    expect(await json(db, words)).toMatchObject({ elements: '@SELECT 1' });
  });

  test.each([
    ['context mgr', 'every site has'],
    ['content_type HTML', 'default_content_type'],
    ['media_source Filesystem', 'default_media_source'],
  ])('remove never removes %s', async (element, why) => {
    const { code, stderr } = await db.run(`element remove ${element} --yes --force`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  });
});

describeEachDatabase('hcd element, changing', (database) => {
  let db: CliDatabase;
  beforeEach(async () => {
    db = await prepare(await database.url());
  });

  test('a category has every category above it with its depth, and takes its branch along', async () => {
    for (const line of ['A', 'B --parent A', 'C --parent B', 'D']) await db.run(`element create category ${line}`);
    const sql =
      'SELECT `descendant`, `ancestor`, `depth` FROM `modx_categories_closure` WHERE `descendant` <> 4 ORDER BY 1, 3';
    const closure = async () => (await db.rows(sql)).map((row) => row.join(''));
    expect(await closure()).toEqual(['110', '101', '220', '211', '202', '330', '321', '312', '303']);
    await db.run('element update category B --parent D');
    expect(await closure()).toEqual(['110', '101', '220', '241', '202', '330', '321', '342', '303']);
    expect((await db.run('db check')).code).toBe(0);
  });

  test('template and variable are joined from either side, and keep the rank of the other side', async () => {
    await db.run('element create tv size --templates Page');
    const sql = 'SELECT `tmplvarid`, `templateid`, `rank` FROM `modx_site_tmplvar_templates` ORDER BY 1, 2';
    const joins = async () => (await db.rows(sql)).map((row) => row.join(''));
    expect(await joins()).toEqual(['114', '210']);
    await db.run('element create template Other');
    await db.run('element update tv color --templates Other,Page');
    expect(await joins()).toEqual(['114', '120', '210']);
    await db.run('element update template Page --tvs size,color');
    expect(await joins()).toEqual(['111', '120', '210']);
    expect(await json(db, ['element', 'update', 'template', 'Page', '--tvs', ''])).toMatchObject({ tvs: [] });
    expect(await json(db, 'element show tv color')).toMatchObject({ templates: ['Other'] });
  });

  test('update changes what is given and keeps the rest', async () => {
    expect(
      await json(db, ['element', 'update', 'tv', 'color', '--name', 'colour', '--output-properties', '{"a":1}']),
    ).toMatchObject({
      ...{ id: 1, name: 'colour', rank: 0, default_text: 'blue', type: 'text', templates: ['Page'] },
      output_properties: { a: 1 },
    });
    expect(await json(db, 'element update context web --name Site')).toMatchObject({ key: 'web', name: 'Site' });
  });

  test.each<[name: string, element: string, users: readonly unknown[]]>([
    ['a template', 'template Page', [['resources', 1, 'Home']]],
    [
      'a template variable',
      'tv color',
      [
        ['templates', 1, 'Page'],
        ['resources', 1, 'Home'],
      ],
    ],
    ['a chunk', 'chunk head', [['templates', 1, 'Page']]],
    ['a snippet', 'snippet Menu', [['templates', 1, 'Page']]],
    ['a context', 'context de', [['resources', 3, 'Start']]],
    ['a content type', 'content_type XML', [['resources', 4, 'Feed']]],
    [
      'a category',
      'category Shop',
      [
        ['chunks', 2, 'logo'],
        ['categories', 2, 'Parts'],
      ],
    ],
    ['a media source', 'media_source Pictures', [['tvs', 1, 'color']]],
  ])(
    'remove refuses %s that is in use, names its users, and removes it with --force',
    async (_name, element, users) => {
      await db.change((store) =>
        seed(store, {
          context: [{ key: 'de' }],
          site_content: [
            { id: 3, pagetitle: 'Start', alias: 'start', uri: 'start.html', context_key: 'de' },
            { id: 4, pagetitle: 'Feed', alias: 'feed', uri: 'feed.xml', content_type: 2 },
          ],
          categories: [
            { id: 1, category: 'Shop' },
            { id: 2, category: 'Parts', parent: 1 },
          ],
          categories_closure: [
            [1, 1, 0],
            [0, 1, 1],
            [2, 2, 0],
            [1, 2, 1],
            [0, 2, 2],
          ].map(([ancestor, descendant, depth]) => ({
            ...{ ancestor: ancestor ?? 0, descendant: descendant ?? 0, depth: depth ?? 0 },
          })),
          site_htmlsnippets: [{ id: 2, name: 'logo', snippet: '', category: 1 }],
          media_sources: [{ id: 2, name: 'Pictures' }],
          media_sources_elements: [{ source: 2, object: 1, context_key: 'web' }],
        }),
      );
      const refused = await db.run(`element remove ${element} --yes --json`);
      const { error } = JSON.parse(refused.stdout) as Answer;
      expect([refused.code, error.code, error.details['used_by']]).toEqual([
        ...[1, 'conflict'],
        users.map((user) =>
          Object.fromEntries(['object', 'id', 'name'].map((key, at) => [key, (user as unknown[])[at]])),
        ),
      ]);
      expect(await json(db, `element remove ${element} --yes --force`)).toMatchObject({ removed: true });
      expect((await db.run(`element show ${element}`)).code).toBe(1);
      // Nothing refers to what is gone.
      expect(await db.run('db check')).toMatchObject({ code: 0 });
    },
  );

  test('remove moves what is in a category into the one above, unless a name is there already', async () => {
    for (const line of ['A', 'B --parent A', 'C --parent B', 'C --parent A'])
      await db.run(`element create category ${line}`);
    const refused = await db.run('element remove category B --force --yes');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('cannot move up')]);
    expect(await json(db, 'element remove category A --force --yes')).toMatchObject({ removed: true });
    expect(await json(db, 'element show category B')).toMatchObject({ parent: 0 });
  });

  test('a running server shows the change at once, and events are raised only when asked for', async () => {
    const site = await startTestSite({ databaseUrl: db.url, env: { HCD_GATEWAY_CACHE_ENABLED: '1' } });
    await db.change(async ({ own }) => {
      const subscription = { name: null, url: 'https://example.com/', events: ['*'], active: true };
      await own.write((tx) => insertSubscription(tx, { ...subscription, secret: 'x', createdBy: 'test' }));
    });
    const get = async () => (await site.get('/resources/2?include_tv=1')).body;
    await get();
    await db.run('resource update 2 --template 1');
    await db.run('element update tv color --default-text green');
    await expect.poll(get).toMatchObject({ data: { tvs: { color: 'green' } } });
    const events = () => db.rows('SELECT `event` FROM `hcd_webhook_deliveries` ORDER BY `id`');
    expect(await events()).toEqual([]);
    await db.run('element create chunk foot --events');
    await db.run('element update chunk foot --rank 1 --events');
    await db.run('element remove chunk foot --yes --events');
    expect(await events()).toEqual([['chunks.created'], ['chunks.deleted']]);
  });
});

describe('hcd element on a terminal', () => {
  test('names what is no rule of a variable', async () => {
    const db = await prepare(await freshSqliteUrl());
    const { code, stderr } = await db.run([
      ...['element', 'create', 'tv', 'size', '--type', 'number', '--templates', 'Page'],
      ...['--input-properties', '{"min": 1, "maxValue": 9}'],
    ]);
    const rules = 'allowBlank, minValue, maxValue, allowDecimals, allowNegative, decimalPrecision, regex, regexText';
    expect([code, stderr]).toEqual([0, `Warning: no rule for values: min. The rules of type number are ${rules}.\n`]);
    const update = ['element', 'update', 'tv', 'size', '--input-properties', '{"minValue": 1}'];
    expect(await db.run(update)).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['its name', 'tv --type text --templates Page', 'size\r', 'Name'],
    ['its type', 'tv size --templates Page', '\r', 'Type'],
    ['its templates', 'tv size --type text', ' \r', 'Templates that have it'],
  ])('create asks for %s', async (_name, line, stdin, question) => {
    const db = await prepare(await freshSqliteUrl());
    const made = await db.run(`element create ${line}`, { terminal: { columns: 100 }, stdin });
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(question)]);
    expect(await json(db, 'element show tv size')).toMatchObject({ type: 'text', templates: ['Page'] });
  });

  test.each([
    ['create', 'KIND is required: one of contexts, chunks, templates'],
    ['create chunk', 'NAME is required: not a terminal, cannot prompt'],
    ['create chunk x --templates 1', '--templates is not a field of chunks: they have name, description, snippet'],
    ['create tv x --properties {', '--properties must be JSON'],
    ['create chunk x --name y', '--name cannot be combined with NAME'],
    ['create template x --templatename y', '--templatename cannot be combined with NAME'],
    ['update chunk head', '--data is required when no field is given'],
    ['remove chunk head', '--yes is required'],
  ])('%s is wrong usage elsewhere', async (line, message) => {
    const { code, stderr } = await runCli(`element ${line}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describeWithFixture('hcd element on the database of an existing site', () => {
  test.each([
    ['3.1', 'MODX\\Revolution\\modUserGroup', 'MODX\\Revolution\\Sources\\modFileMediaSource'],
    ['2.8', 'modUserGroup', 'sources.modFileMediaSource'],
  ])('writes the rows of MODX %s', async (version, group, source) => {
    const url = await loadFixture();
    await executeOnMariadb(url, [
      `UPDATE modx_system_settings SET value = '${version}.0-pl' WHERE \`key\` = 'settings_version'`,
    ]);
    const db = await prepareCliDatabase(url);
    await db.run('element create context de');
    await db.run('element create media_source Bilder');
    await db.run('element create category Neu');
    await db.run('element create category Unten --parent Neu');
    expect(await json(db, ['element', 'create', 'template', 'Новый', '--category', 'Unten'])).toMatchObject({
      tvs: [],
    });
    expect(
      await json(db, ['element', 'create', 'tv', 'цена', '--type', 'number', '--templates', 'Новый']),
    ).toMatchObject({
      ...{ name: 'цена', templates: ['Новый'], input_properties: [] },
    });
    expect(
      await db.rows(
        "SELECT principal_class, principal, authority FROM modx_access_context WHERE target = 'de' ORDER BY id",
      ),
    ).toEqual([
      [group, 1, 9999],
      [group, 0, 9999],
    ]);
    expect(await db.rows("SELECT class_key FROM modx_media_sources WHERE name = 'Bilder'")).toEqual([[source]]);
    const removed = await json(db, ['element', 'remove', 'template', 'Новый', '--force', '--yes']);
    expect(removed['used_by']).toEqual([]);
    expect((await answerOf(db, 'element remove template 1 --yes')).error.code).toBe('conflict');
  });
});
