/** Reads the CMS's access tables into the snapshot that src/access/acl.ts decides with. */

import type { AccessRule, AccessSnapshot, CategoryTree, Policy, Principal } from '../../access/acl.js';
import type { RawRow, Reader } from '../../store/base/database.js';
import { hasTable } from '../../store/state/ledger.js';
import { parseJson } from '../../values/json.js';

/** Class names carry a namespace since version 3: `MODX\Revolution\modUserGroup` and `modUserGroup` are the same. */
const userGroupClass = /(^|\\)modUserGroup$/;

/** Rules, policies and tv groups of the whole site. */
export async function readAccessSnapshot(db: Reader, prefix: string): Promise<AccessSnapshot> {
  const [contextRules, resourceGroupRules, categoryRules, policies, tvGroups] = await Promise.all([
    readRules(db, { table: `${prefix}access_context`, hasContext: false }),
    readRules(db, { table: `${prefix}access_resource_groups`, hasContext: true }),
    readRules(db, { table: `${prefix}access_category`, hasContext: true }),
    readPolicies(db, prefix),
    readTvGroups(db, prefix),
  ]);
  const categories = categoryRules.length === 0 ? noTree : await readCategoryTree(db, prefix);
  return { contextRules, resourceGroupRules, categoryRules, policies, tvGroups, categories };
}

const noTree: CategoryTree = { closure: new Map(), parents: new Map() };

async function readCategoryTree(db: Reader, prefix: string): Promise<CategoryTree> {
  const table = `${prefix}categories_closure`;
  const [pairs, parents] = await Promise.all([
    hasTable(db, table).then((isThere) =>
      isThere
        ? db.select({ sql: `SELECT \`descendant\`, \`ancestor\` FROM \`${table}\` ORDER BY 1, 2`, params: [] })
        : [],
    ),
    db.select({ sql: `SELECT \`id\`, \`parent\` FROM \`${prefix}categories\` ORDER BY \`id\``, params: [] }),
  ]);
  const closure = new Map<number, number[]>();
  for (const row of pairs) {
    const ancestors = closure.get(Number(row[0])) ?? [];
    closure.set(Number(row[0]), ancestors);
    ancestors.push(Number(row[1]));
  }
  return { closure, parents: new Map(parents.map((row) => [Number(row[0]), Number(row[1] ?? 0)])) };
}

async function readRules(
  db: Reader,
  source: { readonly table: string; readonly hasContext: boolean },
): Promise<AccessRule[]> {
  const context = source.hasContext ? '`context_key`' : "''";
  const rows = await db.select({
    sql: `SELECT \`target\`, \`principal\`, \`authority\`, \`policy\`, ${context}, \`principal_class\` FROM \`${source.table}\` ORDER BY \`id\``,
    params: [],
  });
  return rows
    .filter((row) => userGroupClass.test(String(row[5])))
    .map((row) => ({
      target: String(row[0]),
      group: Number(row[1]),
      authority: Number(row[2]),
      policy: Number(row[3]),
      context: String(row[4] ?? ''),
    }));
}

async function readPolicies(db: Reader, prefix: string): Promise<Map<number, Policy>> {
  const rows = await db.select({ sql: `SELECT \`id\`, \`data\` FROM \`${prefix}access_policies\``, params: [] });
  return new Map(rows.map((row) => [Number(row[0]), readPolicy(row[1])]));
}

/** A policy without data grants everything. */
function readPolicy(data: RawRow[number] | undefined): Policy {
  if (typeof data !== 'string' || data === '') return 'all';
  const parsed = parseJson(data);
  const isRead = typeof parsed === 'object' && parsed !== null;
  const entries: [string, unknown][] = isRead ? Object.entries(parsed) : [];
  if (isRead && entries.length === 0) return 'all';
  // Text that is no JSON grants nothing: a damaged policy must not open a site.
  return new Set(
    entries.filter(([, granted]) => granted === true || granted === 1 || granted === '1').map(([name]) => name),
  );
}

async function readTvGroups(db: Reader, prefix: string): Promise<Map<number, number[]>> {
  const rows = await db.select({
    sql: `SELECT \`tmplvarid\`, \`documentgroup\` FROM \`${prefix}site_tmplvar_access\``,
    params: [],
  });
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const tv = Number(row[0]);
    groups.set(tv, [...(groups.get(tv) ?? []), Number(row[1])]);
  }
  return groups;
}

/** The user's groups with the strongest role in each; null when there is no such user. */
export async function readPrincipal(db: Reader, prefix: string, userId: number): Promise<Principal | null> {
  const users = await db.select({ sql: `SELECT \`sudo\` FROM \`${prefix}users\` WHERE \`id\` = ?`, params: [userId] });
  const [user] = users;
  if (!user) return null;
  const memberships = await db.select({
    sql: `SELECT m.\`user_group\`, r.\`authority\` FROM \`${prefix}member_groups\` m JOIN \`${prefix}user_group_roles\` r ON r.\`id\` = m.\`role\` WHERE m.\`member\` = ?`,
    params: [userId],
  });
  const groups = new Map<number, number>();
  for (const row of memberships) {
    const group = Number(row[0]);
    groups.set(group, Math.min(groups.get(group) ?? Number.POSITIVE_INFINITY, Number(row[1])));
  }
  return { userId, sudo: Number(user[0]) === 1, groups };
}
