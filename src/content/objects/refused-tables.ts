/**
 * Tables that no definition may expose: those of core objects, which have their own rules of access, and those that
 * hold credentials, settings or the rules of access themselves.
 */
import { coreObjects } from './core-objects.js';

const secretTables =
  /^(hcd_.*|access_.*|session|users|membergroup_names|member_groups|user_group_roles|documentgroup_names|document_groups|.*_group_settings|system_settings|context_setting|user_settings|media_sources|transport_providers)$/;

/** Why the table may not be exposed; undefined when it may. */
export function refuseTable(table: string, prefix: string): string | undefined {
  const name = table.toLowerCase();
  const bare = name.startsWith(prefix.toLowerCase()) ? name.slice(prefix.length) : name;
  const core = coreObjects.find((object) => object.table === bare);
  if (core) return `table ${table} is served as the core object ${core.name}, with its own rules of access`;
  // The program's own tables have no content prefix.
  return secretTables.test(bare) || name.startsWith('hcd_')
    ? `table ${table} holds credentials, settings or rules of access and cannot be exposed`
    : undefined;
}
