/** Users with their profiles, user groups with their members, and roles. */
import { column, flag, id, nullable, required, stepOf, type Table } from './table.js';

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
]);
