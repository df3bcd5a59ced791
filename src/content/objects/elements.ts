/** The seven element objects (docs/reference/gateway.md#definitions): they can only be read. */
import { defineObject, flag, integer, optionalText, text } from './define.js';
import type { RelationDefinition } from './definition.js';

const categoryFields = ['id', 'parent', 'category', 'rank'];

const toCategory = (name: 'category' | 'parent'): RelationDefinition => ({
  name,
  target: 'categories',
  type: 'to_one',
  foreignKey: name,
  localKey: 'id',
  fields: categoryFields,
  order: [],
});

export const contexts = defineObject({
  name: 'contexts',
  table: 'context',
  primaryKey: 'key',
  fields: {
    key: text(100),
    name: optionalText(191),
    description: optionalText(),
    rank: integer(),
  },
  filterable: ['key'],
  sortable: ['key', 'name', 'rank'],
  searchable: ['key', 'name', 'description'],
  visibility: { contextGated: true },
});

export const chunks = defineObject({
  name: 'chunks',
  table: 'site_htmlsnippets',
  fields: {
    id: integer(),
    name: text(50),
    description: text(255),
    snippet: optionalText(),
    category: integer(),
    cache_type: integer(),
    locked: flag(),
  },
  filterable: ['name', 'category'],
  sortable: ['id', 'name'],
  searchable: ['name', 'description', 'snippet'],
  relations: [toCategory('category')],
  visibility: { category: 'category' },
});

export const templates = defineObject({
  name: 'templates',
  table: 'site_templates',
  fields: {
    id: integer(),
    templatename: text(50),
    description: text(255),
    category: integer(),
    icon: text(255),
    template_type: integer(),
    content: text(),
    locked: flag(),
  },
  filterable: ['templatename', 'category', 'locked'],
  sortable: ['id', 'templatename', 'category'],
  searchable: ['templatename', 'description'],
  relations: [toCategory('category')],
  visibility: { category: 'category' },
});

export const snippets = defineObject({
  name: 'snippets',
  table: 'site_snippets',
  fields: {
    id: integer(),
    name: text(50),
    description: text(255),
    snippet: optionalText(),
    category: integer(),
    cache_type: integer(),
    locked: flag(),
  },
  filterable: ['name', 'category', 'locked'],
  sortable: ['id', 'name', 'category'],
  searchable: ['name', 'description'],
  relations: [toCategory('category')],
  visibility: { category: 'category' },
});

export const tvs = defineObject({
  name: 'tvs',
  table: 'site_tmplvars',
  fields: {
    id: integer(),
    type: text(20),
    name: text(50),
    caption: text(80),
    description: text(255),
    category: integer(),
    locked: flag(),
    elements: optionalText(),
    rank: integer(),
    display: text(20),
    default_text: optionalText(),
  },
  filterable: ['name', 'type', 'category', 'locked'],
  sortable: ['id', 'name', 'rank', 'category'],
  searchable: ['name', 'caption', 'description'],
  relations: [toCategory('category')],
  visibility: { category: 'category' },
});

export const categories = defineObject({
  name: 'categories',
  table: 'categories',
  fields: {
    id: integer(),
    parent: integer(),
    category: text(45),
    rank: integer(),
  },
  filterable: ['parent', 'category'],
  sortable: ['id', 'category', 'rank', 'parent'],
  searchable: ['category'],
  relations: [toCategory('parent')],
  visibility: { category: 'id' },
});

export const contentTypes = defineObject({
  name: 'content_types',
  table: 'content_type',
  fields: {
    id: integer(),
    name: text(191),
    description: optionalText(),
    mime_type: optionalText(),
    file_extensions: optionalText(),
    icon: optionalText(),
    binary: flag(),
  },
  filterable: ['name', 'mime_type', 'binary'],
  sortable: ['id', 'name'],
  searchable: ['name', 'description', 'mime_type', 'file_extensions'],
});
