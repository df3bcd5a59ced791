/** Users, user groups and roles, the rules that give them rights, and the login records and log of the CMS. */
import { type Column, column, flag, id, now, nullable, required, stepOf, type Table } from './table.js';

const seconds = 'int(11)';

const users: Table = {
  name: 'users',
  columns: [
    id(),
    column('username', 'varchar(100)', ''),
    column('password', 'varchar(255)', ''),
    column('cachepwd', 'varchar(255)', ''),
    column('class_key', 'varchar(100)', 'MODX\\Revolution\\modUser'),
    column('active', flag, 1),
    nullable('remote_key', 'varchar(191)'),
    nullable('remote_data', 'text'),
    column('hash_class', 'varchar(100)', 'MODX\\Revolution\\Hashing\\modNative'),
    column('salt', 'varchar(100)', ''),
    column('primary_group', 'int(10) unsigned', 0),
    nullable('session_stale', 'text'),
    column('sudo', flag, 0),
    column('createdon', 'int(20)', 0),
  ],
  indexes: [{ name: 'username', columns: ['username'], unique: true }],
};

const userAttributes: Table = {
  name: 'user_attributes',
  columns: [
    id(),
    required('internalKey', 'int(10) unsigned'),
    column('fullname', 'varchar(100)', ''),
    column('email', 'varchar(100)', ''),
    column('phone', 'varchar(100)', ''),
    column('mobilephone', 'varchar(100)', ''),
    column('blocked', flag, 0),
    column('blockeduntil', seconds, 0),
    column('blockedafter', seconds, 0),
    column('logincount', 'int(11)', 0),
    column('lastlogin', seconds, 0),
    column('thislogin', seconds, 0),
    column('failedlogincount', 'int(10)', 0),
    column('sessionid', 'varchar(100)', ''),
    column('dob', 'int(10)', 0),
    column('gender', 'tinyint(1)', 0),
    required('address', 'text'),
    column('country', 'varchar(255)', ''),
    column('city', 'varchar(255)', ''),
    column('state', 'varchar(25)', ''),
    column('zip', 'varchar(25)', ''),
    column('fax', 'varchar(100)', ''),
    column('photo', 'varchar(255)', ''),
    required('comment', 'text'),
    column('website', 'varchar(255)', ''),
    nullable('extended', 'text'),
  ],
  indexes: [{ name: 'internalKey', columns: ['internalKey'], unique: true }],
};

/** A group with enough authority has the rights of a policy on a target. */
const rule: readonly Column[] = [
  id(),
  column('target', 'varchar(100)', ''),
  column('principal_class', 'varchar(100)', 'MODX\\Revolution\\modPrincipal'),
  column('principal', 'int(10) unsigned', 0),
  column('authority', 'int(10) unsigned', 9999),
  column('policy', 'int(10) unsigned', 0),
];

const ruleIndexes = [
  { name: 'rules_of_target', columns: ['target', 'principal'] },
  { name: 'rules_of_principal', columns: ['principal', 'target'] },
];

const contextKey = column('context_key', 'varchar(100)', '');

const rules: readonly Table[] = [
  { name: 'access_context', columns: rule, indexes: ruleIndexes },
  { name: 'access_resource_groups', columns: [...rule, contextKey], indexes: ruleIndexes },
  { name: 'access_category', columns: [...rule, contextKey], indexes: ruleIndexes },
];

const policies: readonly Table[] = [
  {
    name: 'access_policies',
    columns: [
      id(),
      required('name', 'varchar(191)'),
      nullable('description', 'mediumtext'),
      column('parent', 'int(10) unsigned', 0),
      column('template', 'int(10) unsigned', 0),
      column('class', 'varchar(191)', ''),
      nullable('data', 'text'),
      column('lexicon', 'varchar(255)', 'permissions'),
    ],
    indexes: [{ name: 'name', columns: ['name'], unique: true }],
  },
  {
    name: 'access_policy_templates',
    columns: [
      id(),
      column('template_group', 'int(10) unsigned', 0),
      column('name', 'varchar(191)', ''),
      nullable('description', 'mediumtext'),
      column('lexicon', 'varchar(255)', 'permissions'),
    ],
  },
  {
    name: 'access_permissions',
    columns: [
      id(),
      column('template', 'int(10) unsigned', 0),
      column('name', 'varchar(191)', ''),
      required('description', 'text'),
      column('value', flag, 1),
    ],
    indexes: [{ name: 'template', columns: ['template'] }],
  },
];

const resourceGroups: readonly Table[] = [
  {
    name: 'documentgroup_names',
    columns: [
      id(),
      column('name', 'varchar(191)', ''),
      column('private_memgroup', flag, 0),
      column('private_webgroup', flag, 0),
    ],
    indexes: [{ name: 'name', columns: ['name'], unique: true }],
  },
  {
    name: 'document_groups',
    columns: [id(), column('document_group', 'int(10)', 0), column('document', 'int(10)', 0)],
    indexes: [
      { name: 'groups_of_resource', columns: ['document', 'document_group'] },
      { name: 'resources_of_group', columns: ['document_group', 'document'] },
    ],
  },
];

export const { up, down } = stepOf([
  users,
  userAttributes,
  {
    name: 'membergroup_names',
    columns: [
      id(),
      column('name', 'varchar(191)', ''),
      nullable('description', 'text'),
      column('parent', 'int(10) unsigned', 0),
      column('rank', 'int(10) unsigned', 0),
      column('dashboard', 'int(10) unsigned', 1),
    ],
    indexes: [{ name: 'name', columns: ['name'], unique: true }],
  },
  {
    name: 'member_groups',
    columns: [
      id(),
      column('user_group', 'int(10) unsigned', 0),
      column('member', 'int(10) unsigned', 0),
      column('role', 'int(10) unsigned', 1),
      column('rank', 'int(10) unsigned', 0),
    ],
    indexes: [
      { name: 'groups_of_user', columns: ['member', 'user_group'] },
      { name: 'users_of_group', columns: ['user_group', 'member'] },
    ],
  },
  {
    name: 'user_group_roles',
    columns: [
      id(),
      required('name', 'varchar(191)'),
      nullable('description', 'mediumtext'),
      column('authority', 'int(10) unsigned', 9999),
    ],
    indexes: [
      { name: 'authority', columns: ['authority'], unique: true },
      { name: 'name', columns: ['name'], unique: true },
    ],
  },
  ...rules,
  ...policies,
  ...resourceGroups,
  {
    name: 'session',
    columns: [column('id', 'varchar(191)', ''), required('access', 'int(20) unsigned'), nullable('data', 'mediumtext')],
    indexes: [{ name: 'access', columns: ['access'] }],
  },
  {
    name: 'manager_log',
    columns: [
      id(),
      column('user', 'int(10) unsigned', 0),
      column('occurred', 'datetime', now),
      column('action', 'varchar(100)', ''),
      column('classKey', 'varchar(100)', ''),
      column('item', 'varchar(255)', '0'),
    ],
    indexes: [{ name: 'user_occurred', columns: ['user', 'occurred'] }],
  },
]);
