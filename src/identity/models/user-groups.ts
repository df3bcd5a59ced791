/** User groups and their policies, for the administration of users; access rules read src/content/models/access.ts. */
import { literal, Op } from 'sequelize';
import { contextRules, memberGroups, policies, userGroupRoles } from '../../content/models/access.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { flag, id, integer, orNull, text, withDefaults } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';

const userGroups = defineModel('membergroup_names', {
  id: id(),
  ...withDefaults({ name: text(191) }),
  description: orNull(text()),
});

/** The CMS's editor of policies offers the permissions of a template. */
const policyTemplates = defineModel('access_policy_templates', {
  id: id(),
  ...withDefaults({ templateGroup: integer(), name: text(191) }),
  description: orNull(text()),
});

export const permissions = defineModel('access_permissions', {
  id: id(),
  ...withDefaults({ template: integer(), name: text(191), value: flag() }),
  description: text(),
});

export interface Membership {
  readonly userId: number;
  readonly groupId: number;
  readonly group: string;
  /** 0 is the strongest; null for a role that does not exist. */
  readonly authority: number | null;
}

export async function findMemberships(reader: Reader, prefix: string): Promise<Membership[]> {
  const [rows, groups, roles] = await Promise.all([
    memberGroups.on(reader, prefix).lookUpAll({}, { order: ['member', 'rank', 'id'] }),
    userGroups.on(reader, prefix).lookUpAll({}, { attributes: ['id', 'name'] }),
    userGroupRoles.on(reader, prefix).lookUpAll({}, { attributes: ['id', 'authority'] }),
  ]);
  const names = new Map(groups.map(({ id: group, name }) => [group, name]));
  const authorities = new Map(roles.map(({ id: role, authority }) => [role, authority]));
  return rows.flatMap(({ member: userId, user_group: groupId, role }) => {
    const group = names.get(groupId);
    return group === undefined ? [] : [{ userId, groupId, group, authority: authorities.get(role) ?? null }];
  });
}

/** Every member has at least this role; 0 for a site without roles. */
export async function weakestRole(reader: Reader, prefix: string): Promise<number> {
  const order: [string, string][] = [
    ['authority', 'DESC'],
    ['id', 'ASC'],
  ];
  return (await userGroupRoles.on(reader, prefix).findOne({ order }))?.id ?? 0;
}

interface NewGroup {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
  readonly context: string;
  /** As the CMS's version writes it. */
  readonly groupClass: string;
}

/** Returns the group's id. Throws conflict. */
export async function createGroupWithPolicy(tx: Tx, prefix: string, group: NewGroup): Promise<number> {
  const { name, description, context: target, groupClass: principalClass } = group;
  const groupId = await userGroups.on(tx, prefix).create({ name, description });
  const template = await templateFor(tx, prefix, group.permissions);
  const data = JSON.stringify(Object.fromEntries(group.permissions.map((permission) => [permission, true])));
  const policy = await policies.on(tx, prefix).create({ name, description, template, data });
  await contextRules.on(tx, prefix).create({ target, principalClass, group: groupId, authority: 9999, policy });
  return groupId;
}

const templateName = 'GatewayTemplate';

/** The CMS drops permissions that a template lacks, so missing ones are added. */
async function templateFor(tx: Tx, prefix: string, needed: readonly string[]): Promise<number> {
  const name = templateName;
  const found = await policyTemplates.on(tx, prefix).findOne({ where: { name }, order: ['id'] });
  const description = 'Permissions that the gateway asks for';
  const template = found?.id ?? (await policyTemplates.on(tx, prefix).create({ templateGroup: 1, name, description }));
  const known = await permissions.on(tx, prefix).findAll({ attributes: ['name'], where: { template } });
  const missing = needed.filter((permission) => !known.some((one) => one.name === permission));
  const rows = missing.map((permission) => ({ template, name: permission, description: '', value: true }));
  await permissions.on(tx, prefix).bulkCreate(rows);
  return template;
}

interface EmptyGroup {
  readonly id: number;
  readonly policy: string;
  /** Which tables there are depends on the version of the CMS. */
  readonly ruleTables: readonly string[];
}

/** Keeps the policy where another rule uses it. */
export async function removeEmptyGroup(tx: Tx, prefix: string, { id, policy, ruleTables }: EmptyGroup): Promise<void> {
  if ((await memberGroups.on(tx, prefix).count({ where: { user_group: id } })) > 0) return;
  const byGroup = "`principal_class` LIKE '%modUserGroup' AND `principal` = ?";
  for (const table of ruleTables) await tx.run({ sql: `DELETE FROM \`${table}\` WHERE ${byGroup}`, params: [id] });
  await userGroups.on(tx, prefix).destroy({ where: { id } });
  // The CMS takes a rule without a policy for one that grants everything.
  const unused = ruleTables.map((table) => literal(`\`id\` NOT IN (SELECT \`policy\` FROM \`${table}\`)`));
  await policies.on(tx, prefix).destroy({ where: { [Op.and]: [{ name: policy }, ...unused] } });
}
