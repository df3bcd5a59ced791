/** Records of users, groups and roles, and of the rules that give them rights. */
import { isJsonObject } from '../../values/json.js';
import { setting } from './element-kinds.js';
import {
  claimName,
  flag,
  integer,
  json,
  type Members,
  optionalText,
  type Part,
  type RecordKind,
  type Row,
  reference,
  text,
  time,
  underName,
} from './members.js';
import { WrongValue } from './names.js';

/** No hash method makes this text, so no password fits it: files never hold passwords. */
const lockedPassword = '!';

const rule: Members = {
  group: reference('user_groups', 'principal'),
  authority: integer('authority', 9999),
  policy: reference('policies', 'policy', undefined),
};
const ofGroup = { principal_class: 'MODX\\Revolution\\modUserGroup' };

export const peopleKinds: Readonly<Record<string, RecordKind>> = {
  roles: {
    table: 'user_group_roles',
    members: {
      name: text('name', undefined),
      description: optionalText('description'),
      authority: integer('authority', 9999),
    },
    claim: claimName('roles', 'name'),
  },
  user_groups: {
    table: 'membergroup_names',
    members: {
      name: text('name', undefined),
      description: optionalText('description'),
      parent: reference('user_groups', 'parent'),
      rank: integer('rank'),
      dashboard: integer('dashboard', 1),
    },
    claim: claimName('user_groups', 'name'),
  },
  user_group_settings: {
    table: 'user_group_settings',
    members: { user_group: reference('user_groups', 'group', undefined), ...setting },
    key: ['group', 'key'],
  },
  resource_groups: {
    table: 'documentgroup_names',
    members: {
      name: text('name', undefined),
      private_memgroup: flag('private_memgroup'),
      private_webgroup: flag('private_webgroup'),
    },
    claim: claimName('resource_groups', 'name'),
  },
  users: {
    table: 'users',
    members: {
      username: text('username', undefined),
      class_key: text('class_key', 'MODX\\Revolution\\modUser'),
      active: flag('active', true),
      primary_group: reference('user_groups', 'primary_group'),
      sudo: flag('sudo'),
      createdon: time('createdon'),
    },
    constants: { password: lockedPassword },
    parts: { profile, groups: membership },
    claim: claimName('users', 'username'),
  },
  user_settings: {
    table: 'user_settings',
    members: { user: reference('users', 'user', undefined), ...setting },
    key: ['user', 'key'],
  },
  context_access: {
    table: 'access_context',
    members: { context: reference('contexts', 'target', undefined), ...rule },
    constants: ofGroup,
  },
  resource_group_access: {
    table: 'access_resource_groups',
    members: {
      resource_group: reference('resource_groups', 'target', undefined),
      ...rule,
      context: reference('contexts', 'context_key', ''),
    },
    constants: ofGroup,
  },
};

const profileMembers: Members = {
  fullname: text('fullname'),
  email: text('email'),
  phone: text('phone'),
  blocked: flag('blocked'),
  address: text('address'),
  city: text('city'),
  country: text('country'),
  website: text('website'),
  comment: text('comment'),
  extended: json('extended'),
};

async function profile(...[given, { id }, names]: Parameters<Part>): ReturnType<Part> {
  if (!isJsonObject(given)) throw new WrongValue('must be an object');
  const values: Record<string, Row['values'][string]> = { internalKey: id };
  for (const [name, member] of Object.entries(profileMembers)) {
    const isGiven = Object.hasOwn(given, name);
    values[member.column] = isGiven
      ? await underName(name, () => member.read(given[name], names))
      : (member.default ?? null);
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(profileMembers, name));
  if (unknown !== undefined) throw new WrongValue(`has no member ${JSON.stringify(unknown)}`);
  return [{ table: 'user_attributes', values, isCounted: true }];
}

/** Groups with the role in each, in their order. */
async function membership(...[given, { id: member }, names]: Parameters<Part>): ReturnType<Part> {
  const wrong = new WrongValue('must be a list of {"group": "…", "role": "…"}');
  if (!Array.isArray(given)) throw wrong;
  const rows: Row[] = [];
  for (const [rank, one] of given.entries()) {
    const { group, role } = isJsonObject(one) ? one : {};
    if (typeof group !== 'string' || typeof role !== 'string') throw wrong;
    const ids = { user_group: await names.idOf('user_groups', group), role: await names.idOf('roles', role) };
    rows.push({ table: 'member_groups', values: { ...ids, member, rank }, isCounted: true });
  }
  return rows;
}
