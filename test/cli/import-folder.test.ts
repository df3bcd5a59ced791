/** `hcd import DIR` with --prune and --watch: what goes, what follows, and what an error does. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCli, startCli } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { makeTempDir } from '../support/temp-dir.js';

const config = `data:
  categories: {class: modCategory, primary: category}
  templates: {class: modTemplate, primary: templatename, where: [{'templatename:!=': Base}]}
  template_variables: {class: modTemplateVar, primary: name}
  joins: {class: modTemplateVarTemplate, primary: [tmplvarid, templateid]}
  chunks: {class: modChunk, primary: name}
  content: {type: content}
`;

describeEachDatabase('a folder', (database) => {
  let db: CliDatabase;
  let root: string;
  const run = (sql: string): Promise<void> =>
    db.change(async ({ content }) => void (await content.write((tx) => tx.run({ sql, params: [] }))));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const remove = (name: string): void => rmSync(join(root, name));
  const page = (name: string, text = ''): void =>
    write(`_data/content/web/${name}.html`, `pagetitle: ${name}\nuri: ${name}.html\nalias: ${name}\n${text}`);

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url());
    root = await makeTempDir('site');
    await run(`DELETE FROM modx_system_settings WHERE \`key\` IN ('error_page', 'unauthorized_page', 'site_start')`);
    write('.gitify', config);
  });

  const rowsOf = async (sql: string): Promise<number> => Number((await db.rows(sql))[0]?.[0]);

  test('is pruned after what goes was shown', async () => {
    write('_data/categories/Shop.yaml', 'category: Shop\n');
    write('_data/templates/Product.html', 'templatename: Product\ncategory: Shop\n');
    write('_data/templates/Base.html', 'templatename: Base\n');
    write('_data/template_variables/price.yaml', 'name: price\n');
    write('_data/joins/1.1.yaml', 'tmplvarid: price\ntemplateid: Product\n');
    page('a', 'template: Product\ntvs: {price: 3}\n');
    page('b');
    await db.json(['import', root]);
    await db.json(['resource', 'create', '--data', '{"pagetitle": "By hand", "alias": "by-hand"}']);
    for (const name of ['content/web/a.html', 'templates/Base.html', 'templates/Product.html', 'joins/1.1.yaml'])
      remove(`_data/${name}`);
    remove('_data/template_variables/price.yaml');
    expect((await db.run(['diff', root])).stdout).toMatch(
      /^- resources web:by-hand.*\n- resources web:a.html\n- templates Product\n- tvs price\n$|^- resources web:a.html\n- resources web:by-hand.*\n- templates Product\n- tvs price\n$/,
    );
    expect((await db.run(['import', root, '--prune'])).stderr).toContain('--yes is required');
    expect(await rowsOf('SELECT COUNT(*) FROM modx_site_content')).toBe(3);
    expect(await db.json(['import', root, '--prune', '--dry-run'])).toMatchObject({ data: { updated: 0, removed: 4 } });
    expect((await db.run(['import', root, '--prune', '--dry-run'])).stderr).toContain(
      'Would be removed: templates Product.',
    );
    expect(await rowsOf('SELECT COUNT(*) FROM modx_site_content')).toBe(3);
    const pruned = await db.json(['import', root, '--prune', '--yes']);
    expect(pruned).toMatchObject({ data: { created: 0, updated: 0, removed: 4 } });
    expect(await rowsOf('SELECT COUNT(*) FROM modx_site_content')).toBe(1);
    expect(await rowsOf('SELECT COUNT(*) FROM modx_site_templates')).toBe(1);
    expect(await rowsOf('SELECT COUNT(*) FROM modx_site_tmplvar_contentvalues')).toBe(0);
    expect(await rowsOf('SELECT COUNT(*) FROM modx_site_tmplvar_templates')).toBe(0);
    expect((await db.run(['db', 'check'])).code).toBe(0);
    expect(await db.json(['import', root, '--prune', '--yes'])).toMatchObject({ data: { removed: 0 } });
  });

  test('keeps the old address of a page whose file has another one', async () => {
    const file = (uri: string) =>
      write('_data/content/web/old.html', `id: 70\npagetitle: old\nuri: ${uri}\npublished: 1\ncreatedon: 1442687098\n`);
    file('old.html');
    await db.json(['import', root]);
    await db.json(['redirect', 'add', 'older.html', 'old.html']);
    file('new.html');
    expect(await db.json(['import', root, '--prune', '--yes'])).toMatchObject({ data: { created: 1, removed: 1 } });
    const resource = await rowsOf("SELECT id FROM modx_site_content WHERE uri = 'new.html'");
    const kept = ['old.html', 'older.html'].map((from) => expect.objectContaining({ from, resource }));
    expect(await db.json(['redirect', 'list'])).toMatchObject({ data: expect.arrayContaining(kept) });
    write(
      '_data/content/web/other.html',
      `id: ${resource}\npagetitle: other\nuri: other.html\ncreatedon: 1442687099\n`,
    );
    remove('_data/content/web/old.html');
    await db.json(['import', root, '--prune', '--yes']);
    expect(await db.json(['redirect', 'list'])).toMatchObject({ data: [] });
  });

  test('is pruned of what is in use only by force', async () => {
    write('_data/templates/Used.html', 'templatename: Used\n');
    page('start', 'template: Used\n');
    await db.json(['import', root]);
    const id = await rowsOf("SELECT id FROM modx_site_content WHERE uri = 'start.html'");
    await run(`INSERT INTO modx_context_setting (context_key, \`key\`, value) VALUES ('web', 'site_start', '${id}')`);
    write('.gitify', 'data: {templates: {class: modTemplate, primary: templatename}}\n');
    remove('_data/templates/Used.html');
    const template = await db.run(['import', root, '--prune', '--dry-run']);
    expect(template.stderr).toMatch(/templates Used is used by resource \d+ "start"\. Put the files back.*--force/);
    write('.gitify', config);
    remove('_data/content/web/start.html');
    const used = await db.run(['import', root, '--prune', '--dry-run']);
    expect(used).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is used by setting web.site_start "web.site_start"'),
    });
    expect(await rowsOf("SELECT COUNT(*) FROM modx_site_content WHERE uri = 'start.html'")).toBe(1);
    expect(await db.json(['import', root, '--prune', '--force', '--yes'])).toMatchObject({ data: { removed: 2 } });
    await run('DELETE FROM modx_context_setting');
  });

  test('is pruned only of the class of its partition', async () => {
    page('link', 'class_key: modWebLink\n');
    await db.json(['import', root]);
    const pages = await rowsOf('SELECT COUNT(*) FROM modx_site_content');
    write('.gitify', 'data: {links: {class: modWebLink, extension: .html}}\n');
    expect((await db.run(['diff', root])).stdout).toBe('- resources web:link.html\n');
    expect(await db.json(['import', root, '--prune', '--yes'])).toMatchObject({ data: { removed: 1 } });
    expect(await rowsOf('SELECT COUNT(*) FROM modx_site_content')).toBe(pages - 1);
    remove('_data/content/web/link.html');
    write('.gitify', config);
  });

  test('is followed while it changes, also after an error', async () => {
    write('.gitify', config);
    page('c');
    const env = { HCD_DATABASE_URL: db.url, NO_COLOR: '1' };
    const watching = startCli(['import', root, '--watch'], { env });
    try {
      await watching.waitForStderr('Waiting for changes');
      write('_data/content/web/d.html', '- a\n');
      await watching.waitForStderr('_data/content/web/d.html line 1: must begin with members');
      page('d');
      await eventually(async () =>
        expect(await rowsOf("SELECT COUNT(*) FROM modx_site_content WHERE uri = 'd.html'")).toBe(1),
      );
      await watching.waitForStderr('The error is gone.\n1 record created');
      remove('_data/content/web/d.html');
      await watching.waitForStderr('_data/content/web/d.html is gone; a record that no file has stays in the site');
    } finally {
      watching.kill('SIGINT');
    }
    expect((await watching.outcome).code).toBe(130);
  });
});

test.each([
  ['import site.ndjson --prune --yes', '--prune needs a folder'],
  ['import site.ndjson --force', '--force needs --prune'],
  ['export site.ndjson --prune --yes', '--prune needs a folder'],
  ['export site/ --prune --yes --since 2026-01-01', '--prune needs all records'],
  ['import - --watch', '--watch needs a folder'],
  ['import ./ --watch --dry-run', '--watch imports: leave --dry-run out'],
])('%s is refused', async (line, problem) => {
  expect(await runCli(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
});
