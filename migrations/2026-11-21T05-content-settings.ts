/** Contexts, namespaces and the settings of system, context, user and user group. */
import { type Column, changedOn, column, nullable, required, stepOf } from './table.js';

const description: readonly Column[] = [
  column('xtype', 'varchar(75)', 'textfield'),
  column('namespace', 'varchar(40)', 'core'),
  column('area', 'varchar(255)', ''),
  changedOn('editedon'),
];

export const { up, down } = stepOf([
  {
    name: 'context',
    columns: [
      required('key', 'varchar(100)'),
      nullable('name', 'varchar(191)'),
      nullable('description', 'tinytext'),
      column('rank', 'int(11)', 0),
    ],
    primaryKey: ['key'],
  },
  {
    name: 'namespaces',
    columns: [column('name', 'varchar(40)', ''), nullable('path', 'text'), nullable('assets_path', 'text')],
    primaryKey: ['name'],
  },
  {
    name: 'system_settings',
    columns: [column('key', 'varchar(50)', ''), required('value', 'text'), ...description],
    primaryKey: ['key'],
  },
  {
    name: 'context_setting',
    columns: [
      required('context_key', 'varchar(191)'),
      required('key', 'varchar(50)'),
      nullable('value', 'mediumtext'),
      ...description,
    ],
    primaryKey: ['context_key', 'key'],
  },
  {
    name: 'user_settings',
    columns: [
      column('user', 'int(11) unsigned', 0),
      column('key', 'varchar(50)', ''),
      nullable('value', 'text'),
      ...description,
    ],
    primaryKey: ['user', 'key'],
  },
  {
    name: 'user_group_settings',
    columns: [
      column('group', 'int(10) unsigned', 0),
      required('key', 'varchar(50)'),
      nullable('value', 'text'),
      ...description,
    ],
    primaryKey: ['group', 'key'],
  },
]);
