/** The registry of an open store, and the check of one file against it: what the commands use. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkDefinitionFile, describeObject, openRegistry } from '../../../src/content/objects/object-registry.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { describeEachDatabase, type TestDatabase } from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';

const makers = {
  name: 'makers',
  table: 'makers',
  primaryKey: 'id',
  fields: { id: { type: 'integer' }, label: { type: 'string' } },
  readable: true,
};

async function storeWith(kind: TestDatabase, ...statements: readonly string[]): Promise<Store> {
  const store = await openStore({ databaseUrl: await kind.url(), prefix: 'cms_' });
  onTestFinished(() => store.close());
  for (const sql of statements) await store.content.write((tx) => tx.run({ sql, params: [] }));
  return store;
}

async function folderWith(definitions: Readonly<Record<string, object>>): Promise<string> {
  const folder = join(await makeTempDir('registry'), 'objects');
  await mkdir(folder);
  for (const [name, definition] of Object.entries(definitions)) {
    await writeFile(join(folder, name), JSON.stringify(definition, null, 2));
  }
  return folder;
}

describeEachDatabase('the registry of a store', (kind) => {
  const table = 'CREATE TABLE makers (id INTEGER NOT NULL PRIMARY KEY, label VARCHAR(20) NOT NULL)';

  test('has objects in tables without the content prefix', async () => {
    const store = await storeWith(kind, table);
    const registry = await openRegistry(store, { folder: await folderWith({ 'makers.json': makers }), plugins: [] });
    expect(
      [...registry.objects.values()]
        .map(describeObject)
        .map(({ name, kind: origin, table: own }) => [name, origin, own]),
    ).toEqual([
      ['resources', 'core', 'site_content'],
      ['contexts', 'core', 'context'],
      ['chunks', 'core', 'site_htmlsnippets'],
      ['templates', 'core', 'site_templates'],
      ['snippets', 'core', 'site_snippets'],
      ['tvs', 'core', 'site_tmplvars'],
      ['categories', 'core', 'categories'],
      ['content_types', 'core', 'content_type'],
      ['makers', 'extra', 'makers'],
    ]);
    expect(registry.objects.get('makers')).toMatchObject({ prefixed: false });
  });

  test('is what one file is checked against', async () => {
    const store = await storeWith(kind, table);
    const related = {
      ...makers,
      name: 'branches',
      relations: [{ name: 'maker', target: 'makers', type: 'to_one', foreignKey: 'id' }],
    };
    const folder = await folderWith({ 'makers.json': makers, 'branches.json': related });
    const wrong = await folderWith({ 'wrong.json': { ...related, name: 'shops', table: 'branches' } });
    expect(await checkDefinitionFile(join(folder, 'branches.json'), { folder, store })).toEqual([]);
    expect(await checkDefinitionFile(join(wrong, 'wrong.json'), { folder, store })).toEqual([
      {
        source: 'objects/wrong.json',
        path: 'table',
        line: 3,
        column: 12,
        message: 'neither cms_branches nor branches exists in the content database',
      },
    ]);
    expect(await checkDefinitionFile(join(wrong, 'wrong.json'), { folder, store: null })).toEqual([]);
  });
});
