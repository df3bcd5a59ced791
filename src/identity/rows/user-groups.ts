/**
 * User groups, their members and the policies that give them rights, for the administration of users. What the access
 * rules need of them is read in access.ts.
 */
import type { Reader, Tx } from '../../store/base/database.js';
import { insertValues } from '../../store/base/insert-values.js';

export interface MembershipRow {
  readonly userId: number;
  readonly groupId: number;
  readonly group: string;
  /** Of the member's role, 0 the strongest; null for a role that does not exist. */
  readonly authority: number | null;
}

/** Every membership in a group that exists, by user and rank. */
export async function readMemberships(db: Reader, prefix: string): Promise<MembershipRow[]> {
  const rows = await db.select({
    sql: `SELECT m.\`member\`, g.\`id\`, g.\`name\`, r.\`authority\` FROM \`${prefix}member_groups\` m JOIN \`${prefix}membergroup_names\` g ON g.\`id\` = m.\`user_group\` LEFT JOIN \`${prefix}user_group_roles\` r ON r.\`id\` = m.\`role\` ORDER BY m.\`member\`, m.\`rank\`, m.\`id\``,
    params: [],
  });
  return rows.map(([userId, groupId, group, authority]) => ({
    userId: Number(userId),
    groupId: Number(groupId),
    group: String(group),
    authority: authority === null || authority === undefined ? null : Number(authority),
  }));
}

/** The weakest role there is: whoever is a member at all. Null when the site has no roles. */
export async function readWeakestRole(db: Reader, prefix: string): Promise<number | null> {
  const rows = await db.select({
    sql: `SELECT \`id\` FROM \`${prefix}user_group_roles\` ORDER BY \`authority\` DESC, \`id\` LIMIT 1`,
    params: [],
  });
  return rows[0] === undefined ? null : Number(rows[0][0]);
}

export interface NewGroup {
  /** Name of group and policy. */
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
  /** Context in which the policy counts. */
  readonly context: string;
  /** Class name of user groups as the CMS's version writes it. */
  readonly groupClass: string;
}

/** Adds a group whose members have a policy of these permissions in the context; gives its id. Throws conflict. */
export async function insertGroupWithPolicy(tx: Tx, prefix: string, group: NewGroup): Promise<number> {
  const { name, description } = group;
  const id = await insertValues(tx, `${prefix}membergroup_names`, { name, description });
  const template = await templateFor(tx, prefix, group.permissions);
  const data = JSON.stringify(Object.fromEntries(group.permissions.map((permission) => [permission, true])));
  const policy = await insertValues(tx, `${prefix}access_policies`, { name, description, template, data });
  await insertValues(tx, `${prefix}access_context`, {
    target: group.context,
    principal_class: group.groupClass,
    principal: id,
    authority: 9999,
    policy,
  });
  return id;
}

export async function insertMembership(
  tx: Tx,
  prefix: string,
  { userId, groupId, role }: { readonly userId: number; readonly groupId: number; readonly role: number },
): Promise<void> {
  await insertValues(tx, `${prefix}member_groups`, { user_group: groupId, member: userId, role, rank: 0 });
}

export async function removeMemberships(tx: Tx, prefix: string, userId: number): Promise<void> {
  await tx.run({ sql: `DELETE FROM \`${prefix}member_groups\` WHERE \`member\` = ?`, params: [userId] });
}

export interface EmptyGroup {
  readonly id: number;
  /** Name of the policy that was made with the group. */
  readonly policy: string;
  /** Tables of the site with rules that give a policy to a group. */
  readonly ruleTables: readonly string[];
}

/** Removes a group that has no member any more, its rules, and its policy where no other rule uses it. */
export async function removeEmptyGroup(tx: Tx, prefix: string, { id, policy, ruleTables }: EmptyGroup): Promise<void> {
  const members = await tx.select({
    sql: `SELECT 1 FROM \`${prefix}member_groups\` WHERE \`user_group\` = ? LIMIT 1`,
    params: [id],
  });
  if (members.length > 0) return;
  const byGroup = "`principal_class` LIKE '%modUserGroup' AND `principal` = ?";
  for (const table of ruleTables) await tx.run({ sql: `DELETE FROM \`${table}\` WHERE ${byGroup}`, params: [id] });
  await tx.run({ sql: `DELETE FROM \`${prefix}membergroup_names\` WHERE \`id\` = ?`, params: [id] });
  // The CMS takes a rule whose policy is gone for one that grants everything.
  const unused = ruleTables.map((table) => `\`id\` NOT IN (SELECT \`policy\` FROM \`${table}\`)`);
  const conditions = ['`name` = ?', ...unused].join(' AND ');
  await tx.run({ sql: `DELETE FROM \`${prefix}access_policies\` WHERE ${conditions}`, params: [policy] });
}

/** Template that tells the CMS's editor of policies which permissions there are. */
const templateName = 'GatewayTemplate';

/** The template's id, with every permission of the list in it; the CMS drops permissions that a template lacks. */
async function templateFor(tx: Tx, prefix: string, permissions: readonly string[]): Promise<number> {
  const found = await tx.select({
    sql: `SELECT \`id\` FROM \`${prefix}access_policy_templates\` WHERE \`name\` = ? ORDER BY \`id\``,
    params: [templateName],
  });
  const description = 'Permissions that the gateway asks for';
  const id =
    found[0] === undefined
      ? await insertValues(tx, `${prefix}access_policy_templates`, {
          template_group: 1,
          name: templateName,
          description,
        })
      : Number(found[0][0]);
  const known = await tx.select({
    sql: `SELECT \`name\` FROM \`${prefix}access_permissions\` WHERE \`template\` = ?`,
    params: [id],
  });
  const names = new Set(known.map(([name]) => String(name)));
  for (const name of permissions.filter((permission) => !names.has(permission))) {
    await insertValues(tx, `${prefix}access_permissions`, { template: id, name, description: '', value: 1 });
  }
  return id;
}
