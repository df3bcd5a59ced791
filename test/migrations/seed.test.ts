/** What an empty own store holds after its migrations. */
import { expect, test } from 'vitest';
import { policies } from '../../migrations/2026-11-28T06-content-seed.js';
import { isFlag, readSystemSettings } from '../../src/content/models/settings.js';
import { migrateDown } from '../../src/store/migrations/migrate.js';
import { describeEachDatabase } from '../support/databases.js';
import { expectGolden } from '../support/golden.js';
import { migratedStore, prefix, rowsOf } from './store.js';

describeEachDatabase('an empty own store', (database) => {
  test('holds contexts, content types, roles, a group, rights and a media source, but no resource', async () => {
    const { own } = await migratedStore(await database.url());
    const tables = {
      context: ['key', 'name', 'rank'],
      content_type: ['id', 'name', 'mime_type', 'file_extensions', 'binary'],
      user_group_roles: ['id', 'name', 'authority'],
      membergroup_names: ['id', 'name', 'parent'],
      access_context: ['id', 'target', 'principal_class', 'principal', 'authority', 'policy'],
      media_sources: ['id', 'name', 'class_key', 'properties', 'is_stream'],
    };
    const found: string[] = [];
    for (const [table, columns] of Object.entries(tables)) {
      const rows = await rowsOf(own, prefix + table, columns);
      found.push(`${table}\n`, ...rows.map((row) => `  ${JSON.stringify(row)}\n`));
    }
    expectGolden('migrations/golden/seed.txt', found.join(''));
    for (const table of ['site_content', 'users', 'access_resource_groups', 'context_setting']) {
      expect(await rowsOf(own, prefix + table, table === 'context_setting' ? ['key'] : ['id'])).toEqual([]);
    }
  });

  test('holds the shipped policies by id, with the rights that the rules ask for', async () => {
    const run = await migratedStore(await database.url());
    const rows = await rowsOf(run.own, `${prefix}access_policies`, ['id', 'name', 'data']);
    const stored = rows.map((row) => {
      const data: unknown = JSON.parse(String(row['data']));
      return { id: row['id'], name: row['name'], data };
    });
    expect(stored).toEqual(policies.map(({ id, name, permissions }) => ({ id, name, data: permissions })));
    expect(stored.map(({ name }) => name)).toEqual([
      'Resource',
      'Administrator',
      'Load Only',
      'Load, List and View',
      'Object',
      'Element',
      'Content Editor',
      'Media Source Admin',
      'Media Source User',
      'Developer',
      'Context',
      'Hidden Namespace',
    ]);
    expect(stored[2]?.data).toEqual({ load: true });
    expect(stored[3]?.data).toEqual({ load: true, list: true, view: true });
    const needed = ['load', 'list', 'view', 'view_unpublished', 'save_document', 'new_document', 'publish_document'];
    const more = ['delete_document', 'undelete_document', 'purge_deleted', 'new_document_in_root', 'settings'];
    expect(stored[1]?.data).toMatchObject(Object.fromEntries([...needed, ...more].map((name) => [name, true])));
    expect(stored[6]?.data).not.toHaveProperty('publish_document');
  });

  test('holds the settings that alias, address and create rules read', async () => {
    const run = await migratedStore(await database.url());
    const rows = await readSystemSettings(run.own, prefix);
    expect(new Set(rows.map((row) => row.namespace))).toEqual(new Set(['core']));
    const lines = rows.map((row) => `${row.key} = ${isFlag(row) ? row.value === '1' : JSON.stringify(row.value)}\n`);
    expectGolden('migrations/golden/seed-settings.txt', lines.join(''));
  });

  test('loses the seed and nothing else when that step is reverted', async () => {
    const run = await migratedStore(await database.url());
    await run.own.write(async (tx) => {
      await tx.run({ sql: `INSERT INTO ${prefix}context (\`key\`) VALUES ('shop')`, params: [] });
      await tx.run({ sql: `INSERT INTO ${prefix}system_settings (\`key\`, value) VALUES ('mine', '1')`, params: [] });
    });
    await migrateDown(run, '2026-11-28T06-content-seed');
    expect(await rowsOf(run.own, `${prefix}context`, ['key'])).toEqual([{ key: 'shop' }]);
    expect(await rowsOf(run.own, `${prefix}system_settings`, ['key'])).toEqual([{ key: 'mine' }]);
    expect(await rowsOf(run.own, `${prefix}access_context`, ['id'])).toEqual([]);
  });
});
