/** Records of users, groups and roles, and of the rules that give them rights. */
import type { JsonValue } from '../../content/objects/values.js';
import { isJsonObject } from '../../values/json.js';
import { setting } from './element-kinds.js';
import { namedRecords, type RecordKind } from './kind.js';
import {
  flag,
  integer,
  json,
  link,
  type Members,
  optionalText,
  type Part,
  requiredText,
  text,
  time,
  underName,
  type Values,
} from './members.js';
import { WrongValue } from './transfer-record.js';

/** No hash method makes this text, so no password fits it: files never hold passwords. */
const lockedPassword = '!';

const rule: Members = {
  group: link('user_groups', 'principal', 0),
  authority: integer('authority', 9999),
  policy: link('policies', 'policy'),
};
const ofGroup = { principal_class: 'MODX\\Revolution\\modUserGroup' };

const profileTexts = ['fullname', 'email', 'phone', 'address', 'city', 'country', 'website', 'comment'];
const profileMembers: Members = {
  ...Object.fromEntries(profileTexts.map((name) => [name, text(name)])),
  blocked: flag('blocked'),
  extended: json('extended'),
};

export const peopleKinds = {
  roles: namedRecords('roles', {
    members: {
      name: requiredText('name'),
      description: optionalText('description'),
      authority: integer('authority', 9999),
    },
  }),
  user_groups: namedRecords('user_groups', {
    isTree: true,
    members: {
      name: requiredText('name'),
      description: optionalText('description'),
      parent: link('user_groups', 'parent', 0),
      rank: integer('rank'),
      dashboard: integer('dashboard', 1),
    },
  }),
  user_group_settings: {
    table: 'user_group_settings',
    members: { user_group: link('user_groups', 'group'), ...setting },
    key: ['user_group', 'key'],
    primary: ['group', 'key'],
  },
  resource_groups: namedRecords('resource_groups', {
    members: {
      name: requiredText('name'),
      private_memgroup: flag('private_memgroup'),
      private_webgroup: flag('private_webgroup'),
    },
  }),
  users: namedRecords('users', {
    members: {
      username: requiredText('username'),
      class_key: text('class_key', 'MODX\\Revolution\\modUser'),
      active: flag('active', true),
      primary_group: link('user_groups', 'primary_group', 0),
      sudo: flag('sudo'),
      createdon: time('createdon'),
    },
    constants: { password: lockedPassword },
    parts: { profile: profile(), groups: membership() },
  }),
  user_settings: {
    table: 'user_settings',
    members: { user: link('users', 'user'), ...setting },
    key: ['user', 'key'],
    primary: ['user', 'key'],
  },
  context_access: {
    table: 'access_context',
    members: { context: link('contexts', 'target'), ...rule },
    constants: ofGroup,
    key: ['context', 'group', 'authority', 'policy'],
  },
  resource_group_access: {
    table: 'access_resource_groups',
    members: {
      resource_group: link('resource_groups', 'target'),
      ...rule,
      context: link('contexts', 'context_key', ''),
    },
    constants: ofGroup,
    key: ['resource_group', 'group', 'authority', 'policy', 'context'],
  },
} satisfies Readonly<Record<string, RecordKind>>;

function profile(): Part {
  const columns = Object.values(profileMembers).map(({ column }) => column);
  return {
    table: 'user_attributes',
    owner: 'internalKey',
    columns,
    order: [],
    async read(given, names) {
      if (!isJsonObject(given)) throw new WrongValue('must be an object');
      const values: Record<string, Values[string]> = {};
      for (const [name, member] of Object.entries(profileMembers)) {
        const isGiven = Object.hasOwn(given, name);
        values[member.column] = isGiven
          ? await underName(name, () => member.read(given[name], names))
          : (member.default ?? null);
      }
      const unknown = Object.keys(given).find((name) => !Object.hasOwn(profileMembers, name));
      if (unknown !== undefined) throw new WrongValue(`has no member ${JSON.stringify(unknown)}`);
      return [values];
    },
    async show([row], names) {
      const shown: Record<string, JsonValue> = {};
      for (const [name, member] of Object.entries(profileMembers)) {
        if (row) shown[name] = (await member.show(row[member.column] ?? null, names, row)) ?? null;
      }
      return shown;
    },
  };
}

function membership(): Part {
  const wrong = 'must be a list of {"group": "…", "role": "…"}';
  return {
    table: 'member_groups',
    owner: 'member',
    columns: ['user_group', 'role', 'rank'],
    order: ['rank'],
    async read(given, names) {
      if (!Array.isArray(given)) throw new WrongValue(wrong);
      const rows: Values[] = [];
      for (const [rank, one] of given.entries()) {
        const { group, role } = isJsonObject(one) ? one : {};
        if (typeof group !== 'string' || typeof role !== 'string') throw new WrongValue(wrong);
        rows.push({ user_group: await names.idOf('user_groups', group), role: await names.idOf('roles', role), rank });
      }
      return rows;
    },
    async show(rows, names) {
      const shown: JsonValue[] = [];
      for (const { user_group, role } of rows) {
        const group = (await names.nameOf('user_groups', Number(user_group))) ?? null;
        shown.push({ group, role: (await names.nameOf('roles', Number(role))) ?? null });
      }
      return shown;
    },
  };
}
