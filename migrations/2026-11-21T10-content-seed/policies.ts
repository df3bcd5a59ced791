/** The policies that the CMS ships, by its ids and names. */

interface SeedPolicy {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly permissions: Readonly<Record<string, boolean>>;
}

function grant(...names: readonly string[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(names.map((name) => [name, true]));
}

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

export const policies: readonly SeedPolicy[] = [
  {
    id: 1,
    name: 'Resource',
    description: 'Every right on the resources of a resource group.',
    permissions: grant(...resourceRights),
  },
  { id: 2, name: 'Administrator', description: 'Every right in a context.', permissions: grant(...administer) },
  { id: 3, name: 'Load Only', description: 'May be loaded, nothing else.', permissions: grant('load') },
  { id: 4, name: 'Load, List and View', description: 'May be read.', permissions: grant(...read) },
  {
    id: 5,
    name: 'Object',
    description: 'May be read, saved and removed.',
    permissions: grant(...read, 'save', 'remove'),
  },
  {
    id: 6,
    name: 'Element',
    description: 'Every right on the elements of a category.',
    permissions: grant(...read, 'add_children', 'create', 'copy', 'delete', 'remove', 'save'),
  },
  {
    id: 7,
    name: 'Content Editor',
    description: 'Writes resources, but does not publish them.',
    permissions: grant(...editDocuments),
  },
  {
    id: 8,
    name: 'Media Source Admin',
    description: 'Every right on a media source.',
    permissions: grant(...read, 'create', 'copy', 'save', 'remove'),
  },
  { id: 9, name: 'Media Source User', description: 'May use a media source.', permissions: grant(...read) },
  {
    id: 10,
    name: 'Developer',
    description: 'Every right in a context except on users and access.',
    permissions: grant(...develop),
  },
  {
    id: 11,
    name: 'Context',
    description: 'May administer a context.',
    permissions: grant(...read, 'save', 'remove', 'copy', 'view_unpublished'),
  },
  {
    id: 12,
    name: 'Hidden Namespace',
    description: 'A namespace that may be viewed but is not listed.',
    permissions: { load: false, list: false, view: true },
  },
];
