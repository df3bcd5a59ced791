/** The content tables that this program reads, and whether their engine has transactions. */
import { coreObjects } from '../../content/objects/core-objects.js';
import type { Table } from '../../store/base/columns.js';
import type { StoreFacts } from './check.js';

/** Tables that are read beside those of the objects: relations, access rules, settings, media sources, people. */
const otherTables = [
  'context_resource',
  'context_setting',
  'system_settings',
  'site_tmplvar_templates',
  'site_tmplvar_contentvalues',
  'site_tmplvar_access',
  'categories_closure',
  'media_sources',
  'document_groups',
  'access_context',
  'access_resource_groups',
  'access_policies',
  'membergroup_names',
  'member_groups',
  'user_group_roles',
  'users',
  'user_attributes',
];

/** The content tables that this program reads, without prefix. */
export const tableNames: readonly string[] = [...new Set([...coreObjects.map(({ table }) => table), ...otherTables])];

/** Those of them that are there. */
export function readTables({ store: { tables, prefix } }: StoreFacts): Table[] {
  return tableNames.flatMap((name) => tables.get(`${prefix}${name}`) ?? []);
}

export function lacksTransactions({ engine }: Pick<Table, 'engine'>): boolean {
  return /^(?:myisam|aria|memory|csv)$/i.test(engine ?? '');
}
