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
    expect(await db.run('import - --strict --atomic', { stdin: file })).toMatchObject({
      ...{
        code: 1,
        stderr: expect.stringContaining(`line 4: resources.tvs.price: "abc" ${problem}; 2 lines are wrong`),
      },
    });
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

  test('names pictures that the site lacks, and later edits that the import replaces', async () => {
    const [cwd, files] = [await makeTempDir('warnings'), await makeTempDir('files')];
    await mkdir(join(files, 'photos'));
    await writeFile(join(files, 'photos/a b.jpg'), 'x');
    const db = await prepareCliDatabase(await database.url());
    const run = (line: string) => db.json(line, { cwd, env: { HCD_FILES_DIR: files } });
    const write = (name: string, picture: string) =>
      writeFile(
        join(cwd, `_data/content/${name}.html`),
        `pagetitle: ${name}\nuri: ${name}\ntemplate: Product\neditedon: 1700000000\ntvs: {photo: '${picture}'}\n`,
      );
    await mkdir(join(cwd, '_data/content'), { recursive: true });
    const kinds = ['templates: {class: modTemplate}', 'tvs: {class: modTemplateVar}', 'content: {type: content}'];
    await writeFile(join(cwd, '.gitify'), `data:\n  ${kinds.join('\n  ')}\n`);
    for (const kind of ['templates', 'tvs']) await mkdir(join(cwd, '_data', kind));
    await writeFile(join(cwd, '_data/templates/a.yaml'), 'templatename: Product\n');
    await writeFile(join(cwd, '_data/tvs/a.yaml'), 'name: photo\ntype: image\n');
    const there = ['photos/a b.jpg', 'a b.jpg', '/files/photos/a%20b.jpg?v=1', 'https://x.example/b.jpg', '[[+p]]', ''];
    for (const [at, picture] of [...there, 'photos/b.jpg'].entries()) await write(`page-${at}`, picture);
    const lacking = 'names photos/b.jpg, which is not among the files of the site';
    const missing = { file: '_data/content/page-6.html', line: 5, field: 'tvs.photo', message: lacking };
    for (const line of ['import ./ --dry-run', 'import ./'])
      expect(await run(line)).toMatchObject({ data: { created: 9, warned: 1, warnings: [missing] } });
    await db.change(({ content }) =>
      content.write(async (tx) => {
        const sql = "UPDATE modx_site_content SET pagetitle = 'Edited', editedon = ? WHERE uri = ?";
        await tx.run({ sql, params: [1_700_000_001, 'page-0'] });
        await tx.run({ sql, params: [1_700_000_000, 'page-1'] });
      }),
    );
    const message = 'is 2023-11-14T22:13:21Z in the site: the import replaces pagetitle of a later edit';
    const edit = { file: '_data/content/page-0.html', line: 4, object: 'resources', field: 'editedon', message };
    const { stderr } = await db.run('diff ./', { cwd });
    expect(stderr).toContain('1 record has edits in the site that the files lack. To get them first: hcd export');
    expect(await run('import ./')).toMatchObject({ data: { updated: 2, warned: 1, warnings: [edit] } });
    expect(await run('import ./')).toMatchObject({ data: { updated: 0, unchanged: 9 } });
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
