/** What an empty own store holds; no resource is made. */
import type { MigrationContext } from '../src/store/migrations/migration.js';
import { insertMissing, type Value } from './table.js';

function verbs(actions: readonly string[], things: readonly string[]): string[] {
  return things.flatMap((thing) => actions.map((action) => `${action}_${thing}`));
}

function namesIn(text: string): string[] {
  return text.trim().split(/\s+/);
}

const read = ['load', 'list', 'view'];
const write = ['new', 'edit', 'save', 'view', 'delete'];
const resourceKinds = ['weblink', 'symlink', 'static_resource'];

const editDocuments = [
  ...read,
  ...verbs(write, ['document']),
  ...verbs(['new', 'edit', 'delete'], resourceKinds),
  ...namesIn(`
    resource_duplicate resource_tree change_profile home frames language logout menu_site menu_user view_template
  `),
];

const develop = [
  ...editDocuments,
  ...verbs(write, ['category', 'chunk', 'plugin', 'propertyset', 'snippet', 'template', 'tv']),
  ...namesIn(`
    content_types create edit_locked element_tree empty_cache file_create file_list file_manager file_remove
    file_tree file_update file_upload file_view directory_create directory_list directory_remove directory_update
    menu_reports menu_tools namespaces new_document_in_root publish_document purge_deleted remove save settings
    source_view undelete_document unpublish_document view_unpublished
  `),
];

const administer = [
  ...develop,
  ...verbs(write, ['context', 'role', 'user']),
  ...['new', 'edit', 'save', 'view', 'delete'].flatMap((verb) => [
    `policy_${verb}`,
    `resourcegroup_${verb}`,
    `usergroup_${verb}`,
  ]),
  ...namesIn(`
    source_delete source_edit source_save sources access_permissions change_password copy error_log_view logs
    mgr_log_view remove_locks search steal_locks system_perform_maintenance_tasks view_offline view_sysinfo
    workspaces
  `),
];

const resourceRights = [
  ...read,
  ...namesIn(`
    add_children create copy delete move publish remove save steal_lock undelete unpublish
  `),
];

const named: readonly (readonly [name: string, description: string, rights: readonly string[]])[] = [
  ['Resource', 'Every right on the resources of a resource group.', resourceRights],
  ['Administrator', 'Every right in a context.', administer],
  ['Load Only', 'May be loaded, nothing else.', ['load']],
  ['Load, List and View', 'May be read.', read],
  ['Object', 'May be read, saved and removed.', [...read, 'save', 'remove']],
  [
    'Element',
    'Every right on the elements of a category.',
    [...read, 'add_children', 'create', 'copy', 'delete', 'remove', 'save'],
  ],
  ['Content Editor', 'Writes resources, but does not publish them.', editDocuments],
  ['Media Source Admin', 'Every right on a media source.', [...read, 'create', 'copy', 'save', 'remove']],
  ['Media Source User', 'May use a media source.', read],
  ['Developer', 'Every right in a context except on users and access.', develop],
  ['Context', 'May administer a context.', [...read, 'save', 'remove', 'copy', 'view_unpublished']],
];

/** Those that the CMS ships, by its ids and names. */
export const policies = [
  ...named.map(([name, description, rights], at) => {
    const permissions: Readonly<Record<string, boolean>> = Object.fromEntries(rights.map((right) => [right, true]));
    return { id: at + 1, name, description, permissions };
  }),
  {
    id: 12,
    name: 'Hidden Namespace',
    description: 'A namespace that may be viewed but is not listed.',
    permissions: { load: false, list: false, view: true },
  },
];

function settingsIn(area: string, values: Readonly<Record<string, string | number | boolean>>) {
  return Object.entries(values).map(([key, value]) => {
    if (typeof value === 'boolean') return { key, value: value ? '1' : '0', xtype: 'combo-boolean', area };
    return { key, value: String(value), xtype: typeof value === 'number' ? 'numberfield' : 'textfield', area };
  });
}

/** What content rules read, with the values of the installer of the CMS; friendly URLs are on, aliases ASCII. */
const settings = [
  ...settingsIn('furls', {
    automatic_alias: true,
    friendly_alias_lowercase_only: true,
    friendly_alias_strip_element_tags: true,
    friendly_urls: true,
    global_duplicate_uri_check: false,
    use_alias_path: true,
    use_frozen_parent_uris: false,
    friendly_alias_max_length: 0,
    container_suffix: '/',
    friendly_alias_restrict_chars: 'pattern',
    friendly_alias_restrict_chars_pattern: '/[\\0\\x0B\\t\\n\\r\\f\\a&=+%#<>"~:`@\\?\\[\\]\\{\\}\\|\\^\'\\\\]/',
    friendly_alias_translit: 'ascii',
    friendly_alias_translit_class: 'translit.modTransliterate',
    friendly_alias_trim_chars: '/.-_',
    friendly_alias_word_delimiter: '-',
    friendly_alias_word_delimiters: '-_/',
  }),
  ...settingsIn('language', { use_multibyte: true }),
  ...settingsIn('site', {
    auto_isfolder: true,
    auto_menuindex: true,
    hidemenu_default: false,
    publish_default: false,
    search_default: true,
    symlink_merge_fields: true,
    default_content_type: 1,
    default_template: 0,
    error_page: 1,
    site_start: 1,
    site_unavailable_page: 0,
    unauthorized_page: 1,
    default_context: 'web',
  }),
  ...settingsIn('caching', { cache_alias_map: true, cache_default: true }),
  ...settingsIn('manager', { richtext_default: true, manipulatable_url_tv_output_types: 'image,file' }),
  ...settingsIn('authentication', {
    access_resource_group_enabled: true,
    blocked_minutes: 60,
    failed_login_attempts: 5,
  }),
];

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
