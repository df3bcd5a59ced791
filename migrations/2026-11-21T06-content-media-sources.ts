/** Media sources and which of them a template variable uses in a context. */
import { column, id, nullable, stepOf } from './table.js';

export const { up, down } = stepOf([
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
