/** `hcd element list|show`: the kinds of element, by id and by name. */
import { beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { seed } from '../support/seed.js';
import { refused } from './outcomes.js';

const kinds = 'contexts, chunks, templates, snippets, tvs, categories, content_types, media_sources';

describeEachDatabase('hcd element', (kind) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await kind.url(), (store) =>
      seed(store, {
        categories: [
          { id: 1, category: 'Layout' },
          { id: 2, category: 'Parts', parent: 1 },
          { id: 3, category: 'Parts' },
        ],
        site_templates: [
          { id: 1, templatename: 'Home', category: 1, content: '<html>\n</html>' },
          { id: 2, templatename: 'Article', description: 'Of the journal' },
        ],
        site_htmlsnippets: [
          { id: 1, name: 'head', snippet: '<head>' },
          { id: 2, name: '1', snippet: 'named like an id' },
          { id: 3, name: '404', snippet: 'missing' },
        ],
        site_snippets: [{ id: 5, name: 'menu', snippet: 'return 1;' }],
        site_tmplvars: [{ id: 9, name: 'color', type: 'text', caption: 'Colour' }],
      }),
    );
  });

  test('list takes the query flags, and has whole records with --json', async () => {
    expect(await db.json('element list templates --filter templatename[like]=%o% --sort -id --limit 1')).toEqual({
      data: [
        {
          id: 1,
          templatename: 'Home',
          description: '',
          category: 1,
          icon: '',
          template_type: 0,
          content: '<html>\n</html>',
          locked: false,
        },
      ],
      meta: { total: 1 },
    });
    expect(await db.json('element list chunks --q id --fields name --offset 0')).toEqual({
      data: [{ name: '1' }],
      meta: { total: 1 },
    });
  });

  test.each([
    ['the singular', 'chunk head', 'chunk'],
    ['a hyphen', 'content-type HTML', 'content_type'],
    ['the plural', 'categories Layout', 'category'],
  ])('takes %s as the kind', async (_name, words) => {
    expect((await db.run(`element show ${words}`)).code).toBe(0);
  });

  test.each([
    ['an id', 'template 2', { id: 2, templatename: 'Article' }],
    ['a name', 'template Article', { id: 2, templatename: 'Article' }],
    ['an id before a name that looks like one', 'chunk 1', { id: 1, name: 'head' }],
    ['a name that looks like an id where there is no such id', 'chunk 404', { id: 3, name: '404' }],
    ['the key of a context', 'context web', { key: 'web', name: 'Website' }],
    ['a name that several kinds could have', 'tv color', { id: 9, type: 'text' }],
  ])('show finds by %s', async (_name, words, record) => {
    expect(await db.json(`element show ${words}`)).toMatchObject({ data: record });
  });

  test.each([
    [
      'a name with one letter off',
      'template Hone',
      'There is no template with the id or name "Hone"; did you mean "Home"? hcd element list templates shows every template',
    ],
    [
      'a name in another case',
      'template home',
      'There is no template with the id or name "home"; did you mean "Home"? hcd element list templates shows every template',
    ],
    ['an unknown id', 'tv 77', 'There is no tv with the id or name "77"; hcd element list tvs shows every tv'],
    [
      'a context that does not exist',
      'context nowhere',
      'There is no context with the id or name "nowhere"; hcd element list contexts shows every context',
    ],
  ])('show refuses %s', async (_name, words, message) => {
    expect(await db.json(`element show ${words}`)).toEqual({ error: { code: 'not_found', message, details: {} } });
    expect((await db.run(`element show ${words}`)).code).toBe(1);
  });

  test('show refuses a name that several elements have', async () => {
    expect(await db.run('element show category Parts')).toEqual(
      refused('hcd: Several categories are named "Parts": give one of the ids 2, 3 of hcd element list categories\n'),
    );
  });

  test.each([
    [
      'a field',
      'list chunks --filter snippet=1',
      '--filter snippet=1: cannot be filtered; filterable: name, category\n',
    ],
    ['a field to show', 'show chunk head --fields nothing', '--fields nothing: nothing is not available'],
  ])('refuses an unknown name of %s', async (_name, line, message) => {
    const { code, stderr } = await db.run(`element ${line}`);
    expect(code).toBe(1);
    expect(stderr).toContain(`hcd: ${message}`);
  });
});

describe('hcd element without a usable database', () => {
  test.each([
    ['list', 'KIND is required'],
    ['list plugins', `KIND must be one of ${kinds}, not "plugins"`],
    ['list chunks --context web', 'unknown flag "--context"'],
    ['show chunk', 'ID_OR_NAME is required'],
  ])('%s is wrong usage', async (line, message) => {
    const { code, stderr } = await runCli(`element ${line}`);
    expect(code).toBe(2);
    expect(stderr).toContain(`hcd: ${message}`);
  });
});

describeWithFixture('hcd element on the database of an existing site', () => {
  test('lists its templates and shows one by name', async () => {
    const db = await prepareCliDatabase(await loadFixture());
    const { stdout, stderr, code } = await db.run('element list templates --fields id,templatename');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect([code, stderr, rows.length]).toEqual([0, '', 23]);
    const [id = '', name = ''] = rows[3] ?? [];
    expect(await db.json(['element', 'show', 'template', name, '--fields', 'id'])).toEqual({
      data: { id: Number(id) },
    });
  });
});
