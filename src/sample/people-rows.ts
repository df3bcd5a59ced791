/** Rows of users, groups, roles and of the rules that give them rights. */
import { fixedTime, makeBatch, type SampleBatch, type SampleRow } from './batch.js';
import { anyAuthority, groupIds, policyIds, resourceGroupIds, roleIds, type SampleUser, users } from './data/people.js';
import { variables } from './data/variables.js';

const userGroupClass = 'MODX\\Revolution\\modUserGroup';
const anonymous = 0;
/** No hash method makes this text, so no password fits it. */
const lockedPassword = '!';
const joined = fixedTime('2024-01-10T12:00:00Z');

/** Users, groups and roles, before everything that names them. */
export function peopleBatches(): SampleBatch[] {
  return [
    makeBatch(
      'user_group_roles',
      ['id'],
      [
        { id: roleIds.editor, name: 'Editor', description: 'Writes and publishes', authority: 1000 },
        { id: roleIds.guide, name: 'Trip guide', description: 'Leads trips', authority: 5000 },
      ],
    ),
    makeBatch(
      'membergroup_names',
      ['id'],
      [
        group(groupIds.editors, 'Editors', 'People who write for the site and the journal'),
        group(groupIds.club, 'Larkfell club', 'Members of the club'),
        group(groupIds.trade, 'Trade partners', 'Shops of friends'),
      ],
    ),
    makeBatch('users', ['id'], users.map(userRow)),
    makeBatch('user_attributes', ['id'], users.map(profileRow)),
    makeBatch('member_groups', ['id'], membershipRows()),
    makeBatch(
      'user_settings',
      ['user', 'key'],
      [
        { user: 3, ...setting('manager_language', 'de', 'language') },
        { user: 6, ...setting('manager_language', 'pl', 'language') },
      ],
    ),
    makeBatch(
      'user_group_settings',
      ['group', 'key'],
      [{ group: groupIds.editors, ...setting('richtext_default', '1', 'manager') }],
    ),
  ];
}

/** Resource groups and access rules. */
export function accessBatches(): SampleBatch[] {
  return [
    makeBatch(
      'documentgroup_names',
      ['id'],
      [
        resourceGroup(resourceGroupIds.members, 'Members area'),
        resourceGroup(resourceGroupIds.visitors, 'Visitors only'),
        resourceGroup(resourceGroupIds.trade, 'Trade'),
      ],
    ),
    makeBatch('access_context', ['id'], contextRules()),
    makeBatch('access_resource_groups', ['id'], resourceGroupRules()),
    makeBatch(
      'site_tmplvar_access',
      ['id'],
      [{ id: 1, tmplvarid: variables.memberNote.id, documentgroup: resourceGroupIds.members }],
    ),
  ];
}

function setting(key: string, value: string, area: string): SampleRow {
  return { key, value, xtype: 'textfield', namespace: 'core', area };
}

function group(id: number, name: string, description: string): SampleRow {
  return { id, name, description, parent: 0, rank: id, dashboard: 1 };
}

function resourceGroup(id: number, name: string): SampleRow {
  return { id, name, private_memgroup: 0, private_webgroup: 0 };
}

function userRow(user: SampleUser): SampleRow {
  const [primary] = user.memberOf;
  return {
    id: user.id,
    username: user.name,
    password: lockedPassword,
    cachepwd: '',
    class_key: 'MODX\\Revolution\\modUser',
    active: user.inactive ? 0 : 1,
    remote_key: null,
    remote_data: null,
    hash_class: 'MODX\\Revolution\\Hashing\\modNative',
    salt: '',
    primary_group: primary === undefined ? 0 : groupIds[primary[0]],
    session_stale: null,
    sudo: user.sudo ? 1 : 0,
    createdon: joined + user.id * 86_400,
  };
}

function profileRow(user: SampleUser): SampleRow {
  return {
    id: user.id,
    internalKey: user.id,
    fullname: user.fullName,
    email: `${user.name}@larkfell.example`,
    blocked: user.blocked ? 1 : 0,
    address: '',
    city: user.city,
    comment: '',
    extended: JSON.stringify({ newsletter: user.id % 2 === 0 }),
  };
}

function membershipRows(): SampleRow[] {
  const rows = users.flatMap((user) =>
    user.memberOf.map(([name, role], rank) => ({
      user_group: groupIds[name],
      member: user.id,
      role: roleIds[role],
      rank,
    })),
  );
  return rows.map((row, index) => ({ id: index + 1, ...row }));
}

/** Ids below 10 belong to the rules of an empty store: anonymous on `web`, administrators on `web` and `mgr`. */
const firstRule = 10;

function rule(target: string, principal: number, right: { policy: number; authority?: number }): SampleRow {
  return {
    target,
    principal_class: userGroupClass,
    principal,
    authority: right.authority ?? anyAuthority,
    policy: right.policy,
  };
}

function contextRules(): SampleRow[] {
  const read = { policy: policyIds.loadListView };
  const write = { policy: policyIds.contentEditor };
  const rules = [
    rule('journal', anonymous, read),
    rule('journal', groupIds.administrators, { policy: policyIds.administrator, authority: 0 }),
    ...['mgr', 'web', 'journal'].map((context) => rule(context, groupIds.editors, write)),
    ...['web', 'journal'].flatMap((context) => [
      rule(context, groupIds.club, read),
      rule(context, groupIds.trade, read),
    ]),
  ];
  return rules.map((row, index) => ({ id: firstRule + index, ...row }));
}

/** An anonymous rule does not apply to those who log in: club members do not see the pages for visitors. */
function resourceGroupRules(): SampleRow[] {
  const read = { policy: policyIds.loadListView };
  const all = { policy: policyIds.resource };
  const { members, visitors, trade } = resourceGroupIds;
  const rules: SampleRow[] = [
    { ...rule(String(members), groupIds.club, read), context_key: 'web' },
    { ...rule(String(members), groupIds.editors, { ...all, authority: 1000 }), context_key: 'web' },
    { ...rule(String(visitors), anonymous, read), context_key: 'web' },
    { ...rule(String(trade), groupIds.trade, read), context_key: 'web' },
    ...[members, visitors, trade].map((target) => ({
      ...rule(String(target), groupIds.administrators, { ...all, authority: 0 }),
      context_key: '',
    })),
  ];
  return rules.map((row, index) => ({ id: firstRule + index, ...row }));
}
