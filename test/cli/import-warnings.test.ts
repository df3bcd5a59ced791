/** Imports and comparisons report values that break rules of their template variable, and keep links of translations. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { makeTempDir } from '../support/temp-dir.js';

const lines = (records: readonly object[]) =>
  [{ hcd: 1, exported: '2026-11-28T12:00:00Z' }, ...records].map((one) => `${JSON.stringify(one)}\n`).join('');
const variable = { name: 'price', type: 'number', input_properties: { maxValue: '10' } };
const page = (uri: string, price: string) => ({
  object: 'resources',
  record: { context_key: 'web', uri, pagetitle: uri, template: 'Product', tvs: { price } },
});
const problem = 'is not accepted: must be a number of at most 10';

describeEachDatabase('an import of values that break a rule', (database) => {
  test('names them by line and takes them, from a file', async () => {
    const db = await prepareCliDatabase(await database.url());
    const file = lines([
      { object: 'tvs', record: variable },
      { object: 'templates', record: { templatename: 'Product', content: '', tvs: ['price'] } },
      page('a.html', 'abc'),
      page('b.html', '9'),
      page('c.html', '11'),
    ]);
    const warning = (line: number, value: string) => ({
      ...{ file: null, line, object: 'resources', field: 'tvs.price' },
      message: `"${value}" ${problem}`,
    });
    const warnings = [warning(4, 'abc'), warning(6, '11')];
    expect(await db.json('import - --dry-run', { stdin: file })).toMatchObject({ data: { warned: 2, warnings } });
    const { code, stderr } = await db.run('diff -', { stdin: file });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        `line 4: tvs.price "abc" ${problem}\nline 6: tvs.price "11" ${problem}\n2 values break rules of template variables; an import takes them.`,
      ),
    ]);
    expect(await db.json('import -', { stdin: file })).toEqual({
      data: { created: 5, updated: 0, unchanged: 0, skipped: 0, warned: 2, warnings },
    });
    expect(await db.json('import -', { stdin: lines([page('b.html', '8')]) })).toEqual({
      data: { created: 0, updated: 1, unchanged: 0, skipped: 0 },
    });
  });

  test('names their files in a folder', async () => {
    const cwd = await makeTempDir('warnings');
    const db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, {
        site_templates: [{ id: 1, templatename: 'Product' }],
        site_tmplvars: [{ id: 1, name: 'color', type: 'option', elements: 'red||blue' }],
        site_tmplvar_templates: [{ tmplvarid: 1, templateid: 1 }],
      }),
    );
    await mkdir(join(cwd, '_data/content'), { recursive: true });
    await writeFile(join(cwd, '.gitify'), 'data_directory: _data/\ndata:\n    content:\n        type: content\n');
    const text = 'pagetitle: A\nalias: a\nuri: a.html\ntemplate: Product\ntvs:\n  color: green\n\n-----\n\nText';
    await writeFile(join(cwd, '_data/content/a.html'), text);
    expect(await db.json('import ./', { cwd })).toMatchObject({
      data: {
        ...{ created: 1, warned: 1 },
        warnings: [{ file: '_data/content/a.html', field: 'tvs.color', message: expect.stringContaining('red, blue') }],
      },
    });
  });

  test('keeps links of translations, whatever ids the pages get', async () => {
    const source = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, {
        context: [{ key: 'de', name: 'de' }],
        site_content: [
          { id: 11, uri: 'tents/' },
          { id: 12, uri: 'zelte/', context_key: 'de' },
        ],
      }),
    );
    await source.run('resource link-translation 11 12');
    const exported = (await source.run('export -')).stdout;
    expect(exported).toContain(
      '"babelLanguageLinks":[{"context":"web","uri":"tents/"},{"context":"de","uri":"zelte/"}]',
    );
    const target = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, { site_content: [{ id: 30, uri: 'first/' }] }),
    );
    expect((await target.run('import -', { stdin: exported })).code).toBe(0);
    const { data } = (await target.json('resource list --fields id,uri')) as { data: { id: number; uri: string }[] };
    const [web, de] = ['tents/', 'zelte/'].map((uri) => data.find((one) => one.uri === uri)?.id);
    expect([web, de]).not.toEqual([11, 12]);
    await target.change(async ({ content }) => {
      const sql = 'SELECT contentid, value FROM modx_site_tmplvar_contentvalues ORDER BY contentid DESC';
      const value = `web:${web};de:${de}`;
      expect(await content.select({ sql, params: [] })).toEqual([
        [web, value],
        [de, value],
      ]);
    });
  });
});
