/** An unchanged folder is imported by reading its files and rows, without a comparison; any change is found. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { FolderFound } from '../../../src/operations/transfer/folder-entry.js';
import type { ImportCounts } from '../../../src/operations/transfer/import-records.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { importFolder, migratedStore, runSql, writeFiles } from './transfer-store.js';

const files: Readonly<Record<string, string>> = {
  '.gitify': `data_directory: _data/
data:
    templates: {class: modTemplate, primary: templatename, extension: .html}
    template_variables: {class: modTemplateVar, primary: name}
    template_variables_access: {class: modTemplateVarTemplate, primary: [tmplvarid, templateid]}
    plugins: {class: modPlugin, primary: name}
    content: {type: content}
`,
  '_data/templates/Product.html': 'id: 1\ntemplatename: Product\n\n-----\n\n<h1></h1>',
  '_data/template_variables/price.yaml': 'id: 1\ntype: number\nname: price\n',
  '_data/template_variables_access/1.1.yaml': 'tmplvarid: 1\ntemplateid: 1\n',
  '_data/plugins/one.php': 'x',
  '_data/content/web/lamp.html':
    "id: 2\npagetitle: Lamp\nalias: lamp\nparent: 99\ntemplate: 1\nuri: lamp\ntvs:\n    price: '5'\n\n-----\n\n<p>Old</p>",
};

describeEachDatabase('a folder that was imported', (kind) => {
  let store: Store;
  let root: string;
  let seen: { read: number; lost: number; ignored: Record<string, number> };

  beforeEach(async () => {
    store = await migratedStore(await kind.url());
    root = await makeTempDir('unchanged');
    writeFiles(root, files);
    expect(await importRoot()).toMatchObject({ unchanged: 0 });
    expect(seen).toEqual(before);
    return () => store.close();
  });

  const before = { read: 4, lost: 1, ignored: { modPlugin: 1 } };
  const nothing = { created: 0, updated: 0, unchanged: 3, skipped: 0 };

  const write = (path: string, text: string) => writeFiles(root, { [path]: text });

  async function importRoot({ isDry = false, version = '1', hasOpenGroups = false } = {}): Promise<ImportCounts> {
    const found = new FolderFound();
    let read = 0;
    const onFile = () => {
      read += 1;
    };
    const counts = await importFolder(store, root, { found, hasOpenGroups, version, onFile }, isDry);
    seen = { read, lost: found.losses.list.length, ignored: found.ignored };
    return counts;
  }

  test('is not compared again, and says the same', async () => {
    expect(await importRoot()).toEqual(nothing);
    expect(seen).toEqual({ ...before, read: 0 });
    expect(await importRoot({ isDry: true })).toEqual(nothing);
    expect(seen.read).toBe(0);
  });

  test.each<readonly [what: string, change: () => void]>([
    ['a text', () => write('_data/content/web/lamp.html', `${files['_data/content/web/lamp.html']}!`)],
    ['a new file', () => write('_data/templates/Other.html', 'templatename: Other\n')],
    ['.gitify', () => write('.gitify', `${files['.gitify']}# more\n`)],
    ['a removed file', () => rmSync(join(root, '_data/template_variables_access/1.1.yaml'))],
    ['a name', () => renameSync(join(root, '_data/plugins/one.php'), join(root, '_data/plugins/two.php'))],
  ])('is compared when %s differs', async (_what, change) => {
    change();
    await importRoot();
    expect(seen.read).toBeGreaterThan(0);
  });

  test.each([
    ['a field', "UPDATE modx_site_content SET content = 'x' WHERE id = 2", { updated: 1, unchanged: 2 }],
    ['a template', "UPDATE modx_site_templates SET templatename = 'Other'", { created: 1 }],
    ['a value', "UPDATE modx_site_tmplvar_contentvalues SET value = '6'", { updated: 1, unchanged: 2 }],
    ['a variable of a template', 'DELETE FROM modx_site_tmplvar_templates', { updated: 1, unchanged: 2 }],
    ['a setting', "UPDATE modx_system_settings SET value = 'x' WHERE `key` = 'use_alias_path'", { unchanged: 3 }],
  ])('is compared when another program has changed %s', async (_what, sql, counts) => {
    await runSql(store, sql);
    expect(await importRoot()).toMatchObject(counts);
    expect(seen.read).toBe(4);
    expect(await importRoot()).toEqual(nothing);
    expect(seen.read).toBe(0);
  });

  test('is compared by another release, and with other rights for groups', async () => {
    await importRoot({ version: '2' });
    expect(seen.read).toBe(4);
    await importRoot({ version: '2', hasOpenGroups: true });
    expect(seen.read).toBe(4);
  });

  test('is compared again where values were warned of', async () => {
    write('_data/content/web/lamp.html', (files['_data/content/web/lamp.html'] ?? '').replace("'5'", 'many'));
    await importRoot();
    await importRoot();
    expect(seen.read).toBe(4);
  });
});
