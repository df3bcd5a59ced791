/** What an empty own store holds after its migrations. */
import { expect, test } from 'vitest';
import { policies } from '../../migrations/2026-11-28T06-content-seed.js';
import { isFlag, readSystemSettings } from '../../src/content/models/settings.js';
import { migrateDown, migrateUp } from '../../src/store/migrations/migrate.js';
import { describeEachDatabase } from '../support/databases.js';
import { ownStore, prefix, rowsOf } from './store.js';

describeEachDatabase('an empty own store', (database) => {
  test('holds contexts, content types, roles, a group, rights and a media source, but no resource', async () => {
    const { own, ...run } = await ownStore(await database.url());
    await migrateUp({ own, ...run });
    expect(await rowsOf(own, `${prefix}context`, ['key', 'name', 'rank'])).toEqual([
      { key: 'mgr', name: 'Manager', rank: 0 },
      { key: 'web', name: 'Website', rank: 0 },
    ]);
    expect(
      await rowsOf(own, `${prefix}content_type`, ['id', 'name', 'mime_type', 'file_extensions', 'binary']),
    ).toEqual([
      { id: 1, name: 'HTML', mime_type: 'text/html', file_extensions: '.html', binary: 0 },
      { id: 2, name: 'XML', mime_type: 'text/xml', file_extensions: '.xml', binary: 0 },
      { id: 3, name: 'Text', mime_type: 'text/plain', file_extensions: '.txt', binary: 0 },
      { id: 4, name: 'CSS', mime_type: 'text/css', file_extensions: '.css', binary: 0 },
      { id: 5, name: 'JavaScript', mime_type: 'text/javascript', file_extensions: '.js', binary: 0 },
      { id: 6, name: 'RSS', mime_type: 'application/rss+xml', file_extensions: '.rss', binary: 0 },
      { id: 7, name: 'JSON', mime_type: 'application/json', file_extensions: '.json', binary: 0 },
      { id: 8, name: 'PDF', mime_type: 'application/pdf', file_extensions: '.pdf', binary: 1 },
    ]);
    expect(await rowsOf(own, `${prefix}user_group_roles`, ['id', 'name', 'authority'])).toEqual([
      { id: 1, name: 'Member', authority: 9999 },
      { id: 2, name: 'Super User', authority: 0 },
    ]);
    expect(await rowsOf(own, `${prefix}membergroup_names`, ['id', 'name', 'parent'])).toEqual([
      { id: 1, name: 'Administrator', parent: 0 },
    ]);
    const principal_class = 'MODX\\Revolution\\modUserGroup';
    expect(
      await rowsOf(own, `${prefix}access_context`, [
        'id',
        'target',
        'principal_class',
        'principal',
        'authority',
        'policy',
      ]),
    ).toEqual([
      { id: 1, target: 'web', principal_class, principal: 0, authority: 9999, policy: 4 },
      { id: 2, target: 'mgr', principal_class, principal: 1, authority: 0, policy: 2 },
      { id: 3, target: 'web', principal_class, principal: 1, authority: 0, policy: 2 },
    ]);
    expect(await rowsOf(own, `${prefix}media_sources`, ['id', 'name', 'class_key', 'properties', 'is_stream'])).toEqual(
      [
        {
          id: 1,
          name: 'Filesystem',
          class_key: 'MODX\\Revolution\\Sources\\modFileMediaSource',
          properties: 'a:0:{}',
          is_stream: 1,
        },
      ],
    );
    for (const table of ['site_content', 'users', 'access_resource_groups', 'context_setting']) {
      expect(await rowsOf(own, prefix + table, table === 'context_setting' ? ['key'] : ['id'])).toEqual([]);
    }
  });

  test('holds the shipped policies by id, with the rights that the rules ask for', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
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
    const run = await ownStore(await database.url());
    await migrateUp(run);
    const rows = await readSystemSettings(run.own, prefix);
    expect(new Set(rows.map((row) => row.namespace))).toEqual(new Set(['core']));
    expect(Object.fromEntries(rows.map((row) => [row.key, isFlag(row) ? row.value === '1' : row.value]))).toEqual({
      access_resource_group_enabled: true,
      auto_isfolder: true,
      auto_menuindex: true,
      automatic_alias: true,
      blocked_minutes: '60',
      cache_alias_map: true,
      cache_default: true,
      container_suffix: '/',
      default_content_type: '1',
      default_context: 'web',
      default_template: '0',
      error_page: '1',
      failed_login_attempts: '5',
      friendly_alias_lowercase_only: true,
      friendly_alias_max_length: '0',
      friendly_alias_restrict_chars: 'pattern',
      friendly_alias_restrict_chars_pattern: '/[\\0\\x0B\\t\\n\\r\\f\\a&=+%#<>"~:`@\\?\\[\\]\\{\\}\\|\\^\'\\\\]/',
      friendly_alias_strip_element_tags: true,
      friendly_alias_translit: 'ascii',
      friendly_alias_translit_class: 'translit.modTransliterate',
      friendly_alias_trim_chars: '/.-_',
      friendly_alias_word_delimiter: '-',
      friendly_alias_word_delimiters: '-_/',
      friendly_urls: true,
      global_duplicate_uri_check: false,
      hidemenu_default: false,
      manipulatable_url_tv_output_types: 'image,file',
      publish_default: false,
      richtext_default: true,
      search_default: true,
      site_start: '1',
      site_unavailable_page: '0',
      symlink_merge_fields: true,
      unauthorized_page: '1',
      use_alias_path: true,
      use_frozen_parent_uris: false,
      use_multibyte: true,
    });
  });

  test('loses the seed and nothing else when that step is reverted', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
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
