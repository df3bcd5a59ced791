/** The users and access rules of the CMS; src/access/acl.ts decides with their snapshot. */
import type { AccessRule, AccessSnapshot, CategoryTree, Policy, Principal } from '../../access/acl.js';
import { hasTable } from '../../store/base/columns.js';
import type { Reader } from '../../store/base/database.js';
import { flag, id, integer, key, named, orNull, text, withDefaults } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';
import { listsBy } from '../../values/batches.js';
import { parseJson } from '../../values/json.js';
import { categories } from './elements.js';
import { tvAccess } from './template-variables.js';

const rule = {
  id: id(),
  ...withDefaults({
    target: text(100),
    principalClass: text(100),
    group: named('principal', integer()),
    authority: integer(),
    policy: integer(),
  }),
};
const ruleInContext = { ...rule, ...withDefaults({ context: named('context_key', text(100)) }) };

export const contextRules = defineModel('access_context', rule);
export const resourceGroupRules = defineModel('access_resource_groups', ruleInContext);
export const categoryRules = defineModel('access_category', ruleInContext);

export const policies = defineModel('access_policies', {
  id: id(),
  name: text(191),
  description: orNull(text()),
  ...withDefaults({ template: integer() }),
  data: orNull(text()),
});

export const documentGroups = defineModel('document_groups', {
  id: id(),
  ...withDefaults({ document_group: integer(), document: integer() }),
});

/** Each category with all its ancestors, including itself and the root 0; older releases lack the table. */
export const categoryClosure = defineModel('categories_closure', {
  ...withDefaults({ ancestor: key(integer()), descendant: key(integer()) }),
});

export const users = defineModel('users', {
  id: id(),
  ...withDefaults({
    username: text(100),
    hash: named('password', text(255)),
    cachepwd: text(255),
    hashClass: text(100),
    salt: text(100),
    classKey: text(100),
    active: flag(),
    sudo: flag(),
    primaryGroup: integer(),
    /** Unix seconds; 0 = unknown. */
    createdOn: named('createdon', integer()),
  }),
});

export const memberGroups = defineModel('member_groups', {
  id: id(),
  ...withDefaults({ user_group: integer(), member: integer(), role: integer(), rank: integer() }),
});
export const userGroupRoles = defineModel('user_group_roles', { id: id(), ...withDefaults({ authority: integer() }) });

export async function readAccessSnapshot(reader: Reader, prefix: string): Promise<AccessSnapshot> {
  const order = ['id'] as const;
  const [ofContexts, ofGroups, ofCategories, allPolicies, groupsOfTvs] = await Promise.all([
    contextRules.on(reader, prefix).lookUpAll({}, { order }),
    resourceGroupRules.on(reader, prefix).lookUpAll({}, { order }),
    categoryRules.on(reader, prefix).lookUpAll({}, { order }),
    policies.on(reader, prefix).lookUpAll({}, { attributes: ['id', 'data'] }),
    tvAccess.on(reader, prefix).lookUpAll({}),
  ]);
  const categoryList = rulesOfGroups(ofCategories);
  return {
    contextRules: rulesOfGroups(ofContexts.map((one) => ({ ...one, context: '' }))),
    resourceGroupRules: rulesOfGroups(ofGroups),
    categoryRules: categoryList,
    policies: new Map(allPolicies.map(({ id: policy, data }) => [policy, readPolicy(data)])),
    tvGroups: listsBy(groupsOfTvs, ({ tmplvarid, documentgroup }) => [tmplvarid, documentgroup]),
    categories: categoryList.length === 0 ? noTree : await readCategoryTree(reader, prefix),
  };
}

const noTree: CategoryTree = { closure: new Map(), parents: new Map() };

async function readCategoryTree(reader: Reader, prefix: string): Promise<CategoryTree> {
  const hasClosure = await hasTable(reader, `${prefix}${categoryClosure.table}`);
  const order = ['descendant', 'ancestor'] as const;
  const pairs = hasClosure ? await categoryClosure.on(reader, prefix).lookUpAll({}, { order }) : [];
  const all = await categories.on(reader, prefix).lookUpAll({}, { attributes: ['id', 'parent'], order: ['id'] });
  const closure = listsBy(pairs, ({ descendant, ancestor }) => [descendant, ancestor]);
  return { closure, parents: new Map(all.map(({ id: category, parent }) => [category, parent])) };
}

/** Class names carry a namespace since version 3: `MODX\Revolution\modUserGroup` and `modUserGroup` are the same. */
const userGroupClass = /(^|\\)modUserGroup$/;

function rulesOfGroups(rows: readonly (AccessRule & { readonly principalClass: string })[]): AccessRule[] {
  return rows
    .filter(({ principalClass }) => userGroupClass.test(principalClass))
    .map(({ target, group, authority, policy, context }) => ({ target, group, authority, policy, context }));
}

function readPolicy(data: string | null): Policy {
  if (data === null || data === '') return 'all';
  const parsed = parseJson(data);
  const isRead = typeof parsed === 'object' && parsed !== null;
  const entries: [string, unknown][] = isRead ? Object.entries(parsed) : [];
  if (isRead && entries.length === 0) return 'all';
  // Text that is not JSON grants nothing: a damaged policy must not open a site.
  return new Set(
    entries.filter(([, granted]) => granted === true || granted === 1 || granted === '1').map(([name]) => name),
  );
}

export async function markMemberships(reader: Reader, prefix: string): Promise<readonly unknown[]> {
  const members = documentGroups.on(reader, prefix);
  return Promise.all([members.max('id'), members.count({ group: ['document_group'] })]);
}

/** The strongest role counts in each group; null for an unknown user. */
export async function readPrincipal(reader: Reader, prefix: string, userId: number): Promise<Principal | null> {
  const [user] = await users.on(reader, prefix).lookUpAll({ id: userId }, { attributes: ['sudo'] });
  if (user === undefined) return null;
  const memberships = await memberGroups.on(reader, prefix).lookUpAll({ member: userId });
  const roles = await userGroupRoles.on(reader, prefix).lookUpAll({ id: memberships.map(({ role }) => role) });
  const groups = new Map<number, number>();
  for (const { user_group: group, role } of memberships) {
    const authority = roles.find(({ id: known }) => known === role)?.authority;
    if (authority !== undefined) groups.set(group, Math.min(groups.get(group) ?? authority, authority));
  }
  return { userId, sudo: user.sudo, groups };
}
