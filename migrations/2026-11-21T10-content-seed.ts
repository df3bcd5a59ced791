/** What an empty own store holds; no resource is made. */
import type { MigrationContext } from '../src/store/migrations/migration.js';
import { policies } from './2026-11-21T10-content-seed/policies.js';
import { settings } from './2026-11-21T10-content-seed/settings.js';
import { insertMissing, type Value } from './sql.js';

interface Seed {
  readonly table: string;
  readonly key: string;
  readonly rows: readonly Readonly<Record<string, Value>>[];
}

const userGroup = 'MODX\\Revolution\\modUserGroup';

const seeds: readonly Seed[] = [
  {
    table: 'context',
    key: 'key',
    rows: [
      { key: 'web', name: 'Website', description: 'The default front-end context.', rank: 0 },
      { key: 'mgr', name: 'Manager', description: 'The context of the administration.', rank: 0 },
    ],
  },
  {
    table: 'namespaces',
    key: 'name',
    rows: [
      { name: 'core', path: '{core_path}', assets_path: '{assets_path}' },
      { name: 'hcd_gateway', path: '', assets_path: '' },
      { name: 'hcd_pages', path: '', assets_path: '' },
      { name: 'hcd_banners', path: '', assets_path: '' },
    ],
  },
  {
    table: 'content_type',
    key: 'id',
    rows: [
      contentType(1, 'HTML', { mime: 'text/html', extension: '.html' }),
      contentType(2, 'XML', { mime: 'text/xml', extension: '.xml' }),
      contentType(3, 'Text', { mime: 'text/plain', extension: '.txt' }),
      contentType(4, 'CSS', { mime: 'text/css', extension: '.css' }),
      contentType(5, 'JavaScript', { mime: 'text/javascript', extension: '.js' }),
      contentType(6, 'RSS', { mime: 'application/rss+xml', extension: '.rss' }),
      contentType(7, 'JSON', { mime: 'application/json', extension: '.json' }),
      { ...contentType(8, 'PDF', { mime: 'application/pdf', extension: '.pdf' }), binary: 1 },
    ],
  },
  {
    table: 'access_policies',
    key: 'id',
    rows: policies.map((policy) => ({
      id: policy.id,
      name: policy.name,
      description: policy.description,
      data: JSON.stringify(policy.permissions),
    })),
  },
  {
    table: 'user_group_roles',
    key: 'id',
    rows: [
      { id: 1, name: 'Member', authority: 9999 },
      { id: 2, name: 'Super User', authority: 0 },
    ],
  },
  { table: 'membergroup_names', key: 'id', rows: [{ id: 1, name: 'Administrator' }] },
  {
    table: 'access_context',
    key: 'id',
    rows: [
      { id: 1, target: 'web', principal_class: userGroup, principal: 0, authority: 9999, policy: 4 },
      { id: 2, target: 'mgr', principal_class: userGroup, principal: 1, authority: 0, policy: 2 },
      { id: 3, target: 'web', principal_class: userGroup, principal: 1, authority: 0, policy: 2 },
    ],
  },
  { table: 'media_sources', key: 'id', rows: [{ id: 1, name: 'Filesystem', description: '', properties: 'a:0:{}' }] },
  { table: 'system_settings', key: 'key', rows: settings.map((setting) => ({ ...setting, namespace: 'core' })) },
];

function contentType(id: number, label: string, type: { mime: string; extension: string }): Record<string, Value> {
  return { id, name: label, description: `${label} content`, mime_type: type.mime, file_extensions: type.extension };
}

/** Existing rows stay as they are, also changed ones. */
export async function up(context: MigrationContext): Promise<void> {
  for (const { table, rows } of seeds) await insertMissing(context, table, rows);
}

export async function down({ change, prefix }: MigrationContext): Promise<void> {
  for (const { table, key, rows } of seeds.toReversed()) {
    const where = { [key]: rows.map((row) => row[key] ?? null) };
    await change((queryInterface, transaction) => queryInterface.bulkDelete(prefix + table, where, { transaction }));
  }
}
