/** Elements other than template variables, contexts, settings and media sources. */
import { type Column, changedOn, column, flag, id, nullable, required, stepOf, type Table } from './table.js';

const source: readonly Column[] = [column('source', 'int(10) unsigned', 0), column('property_preprocess', flag, 0)];
const staticFile: readonly Column[] = [column('static', flag, 0), column('static_file', 'varchar(255)', '')];
const byCategory = { name: 'category', columns: ['category'] };

const templates: Table = {
  name: 'site_templates',
  columns: [
    id(),
    ...source,
    column('templatename', 'varchar(50)', ''),
    column('description', 'varchar(255)', ''),
    column('editor_type', 'int(11)', 0),
    column('category', 'int(11)', 0),
    column('icon', 'varchar(255)', ''),
    column('template_type', 'int(11)', 0),
    required('content', 'mediumtext'),
    column('locked', flag, 0),
    nullable('properties', 'text'),
    ...staticFile,
    column('preview_file', 'varchar(191)', ''),
  ],
  indexes: [{ name: 'templatename', columns: ['templatename'], unique: true }, byCategory],
};

function script(table: {
  readonly name: string;
  readonly description: string;
  readonly body: Column;
  readonly more: readonly Column[];
}): Table {
  return {
    name: table.name,
    columns: [
      id(),
      ...source,
      column('name', 'varchar(50)', ''),
      column('description', 'varchar(255)', table.description),
      column('editor_type', 'int(11)', 0),
      column('category', 'int(11)', 0),
      column('cache_type', 'tinyint(1)', 0),
      table.body,
      column('locked', flag, 0),
      nullable('properties', 'text'),
      ...table.more,
      ...staticFile,
    ],
    indexes: [{ name: 'name', columns: ['name'], unique: true }, byCategory],
  };
}

const moduleGuid = column('moduleguid', 'varchar(32)', '');

const settingColumns: readonly Column[] = [
  column('xtype', 'varchar(75)', 'textfield'),
  column('namespace', 'varchar(40)', 'core'),
  column('area', 'varchar(255)', ''),
  changedOn('editedon'),
];

export const { up, down } = stepOf([
  templates,
  script({ name: 'site_htmlsnippets', description: 'Chunk', body: nullable('snippet', 'mediumtext'), more: [] }),
  script({ name: 'site_snippets', description: '', body: nullable('snippet', 'mediumtext'), more: [moduleGuid] }),
  script({
    name: 'site_plugins',
    description: '',
    body: required('plugincode', 'mediumtext'),
    more: [column('disabled', flag, 0), moduleGuid],
  }),
  {
    name: 'categories',
    columns: [
      id(),
      nullable('parent', 'int(10) unsigned', 0),
      column('category', 'varchar(45)', ''),
      column('rank', 'int(11)', 0),
    ],
    indexes: [{ name: 'category', columns: ['parent', 'category'], unique: true }],
  },
  {
    name: 'categories_closure',
    columns: [
      column('ancestor', 'int(10) unsigned', 0),
      column('descendant', 'int(10) unsigned', 0),
      column('depth', 'int(10) unsigned', 0),
    ],
    primaryKey: ['ancestor', 'descendant'],
    indexes: [{ name: 'ancestors', columns: ['descendant', 'ancestor'] }],
  },
  {
    name: 'content_type',
    columns: [
      id(),
      required('name', 'varchar(191)'),
      nullable('description', 'tinytext'),
      nullable('mime_type', 'tinytext'),
      nullable('file_extensions', 'tinytext'),
      nullable('icon', 'tinytext'),
      nullable('headers', 'mediumtext'),
      column('binary', flag, 0),
    ],
    indexes: [{ name: 'name', columns: ['name'], unique: true }],
  },
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
    columns: [column('key', 'varchar(50)', ''), required('value', 'text'), ...settingColumns],
    primaryKey: ['key'],
  },
  {
    name: 'context_setting',
    columns: [
      required('context_key', 'varchar(191)'),
      required('key', 'varchar(50)'),
      nullable('value', 'mediumtext'),
      ...settingColumns,
    ],
    primaryKey: ['context_key', 'key'],
  },
  {
    name: 'user_settings',
    columns: [
      column('user', 'int(11) unsigned', 0),
      column('key', 'varchar(50)', ''),
      nullable('value', 'text'),
      ...settingColumns,
    ],
    primaryKey: ['user', 'key'],
  },
  {
    name: 'user_group_settings',
    columns: [
      column('group', 'int(10) unsigned', 0),
      required('key', 'varchar(50)'),
      nullable('value', 'text'),
      ...settingColumns,
    ],
    primaryKey: ['group', 'key'],
  },
  {
    name: 'media_sources',
    columns: [
      id(),
      column('name', 'varchar(191)', ''),
      nullable('description', 'text'),
      column('class_key', 'varchar(100)', 'MODX\\Revolution\\Sources\\modFileMediaSource'),
      nullable('properties', 'mediumtext'),
      column('is_stream', 'tinyint(1) unsigned', 1),
    ],
    indexes: [{ name: 'name', columns: ['name'] }],
  },
  {
    name: 'media_sources_elements',
    columns: [
      column('source', 'int(11) unsigned', 0),
      column('object_class', 'varchar(100)', 'MODX\\Revolution\\modTemplateVar'),
      column('object', 'int(11) unsigned', 0),
      column('context_key', 'varchar(100)', 'web'),
    ],
    primaryKey: ['source', 'object', 'object_class', 'context_key'],
    indexes: [{ name: 'source_of_element', columns: ['object', 'context_key'] }],
  },
]);
