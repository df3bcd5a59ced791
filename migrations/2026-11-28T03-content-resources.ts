/** Resources, with the indexes of page lookup, trees, lists and sorts, and template variables with their values. */
import { column, flag, type Index, id, nullable, required, stepOf, type Table } from './table.js';

const seconds = 'int(20)';

/** What a caller without rights may see begins with these three, so every list index does. */
const visible = ['context_key', 'published', 'deleted'] as const;

/** One index per sortable field; the id last makes the order total. */
function visibleBy(field: string): Index {
  return { name: `visible_by_${field}`, columns: [...visible, field, 'id'] };
}

const siteContent: Table = {
  name: 'site_content',
  columns: [
    id(),
    column('type', 'varchar(20)', 'document'),
    column('pagetitle', 'varchar(191)', ''),
    column('longtitle', 'varchar(191)', ''),
    required('description', 'text'),
    nullable('alias', 'varchar(191)', ''),
    column('link_attributes', 'varchar(255)', ''),
    column('published', flag, 0),
    column('pub_date', seconds, 0),
    column('unpub_date', seconds, 0),
    column('parent', 'int(10) unsigned', 0),
    column('isfolder', flag, 0),
    nullable('introtext', 'text'),
    nullable('content', 'mediumtext'),
    column('richtext', flag, 1),
    column('template', 'int(10)', 0),
    column('menuindex', 'int(10)', 0),
    column('searchable', flag, 1),
    column('cacheable', flag, 1),
    column('createdby', 'int(10)', 0),
    column('createdon', seconds, 0),
    column('editedby', 'int(10)', 0),
    column('editedon', seconds, 0),
    column('deleted', flag, 0),
    column('deletedon', seconds, 0),
    column('deletedby', 'int(10)', 0),
    column('publishedon', seconds, 0),
    column('publishedby', 'int(10)', 0),
    column('menutitle', 'varchar(255)', ''),
    column('content_dispo', 'tinyint(1)', 0),
    column('hidemenu', flag, 0),
    column('class_key', 'varchar(100)', 'MODX\\Revolution\\modDocument'),
    column('context_key', 'varchar(100)', 'web'),
    column('content_type', 'int(11) unsigned', 1),
    nullable('uri', 'text'),
    column('uri_override', 'tinyint(1)', 0),
    column('hide_children_in_tree', 'tinyint(1)', 0),
    column('show_in_tree', 'tinyint(1)', 1),
    nullable('properties', 'mediumtext'),
    column('alias_visible', flag, 1),
  ],
  indexes: [
    // Without published and deleted, SQLite without statistics takes an index with three equal columns instead.
    { name: 'page_by_uri', columns: ['context_key', { name: 'uri', length: 191 }, 'published', 'deleted'] },
    { name: 'visible_children', columns: [...visible, 'parent', 'menuindex', 'id'] },
    { name: 'visible_by_template', columns: [...visible, 'template', 'id'] },
    { name: 'visible', columns: [...visible, 'id'] },
    visibleBy('menuindex'),
    visibleBy('pagetitle'),
    visibleBy('createdon'),
    visibleBy('editedon'),
    visibleBy('publishedon'),
    { name: 'children', columns: ['parent', 'menuindex', 'id'] },
    { name: 'alias', columns: ['alias'] },
    { name: 'class_key', columns: ['class_key'] },
    { name: 'pub_date', columns: ['pub_date'] },
    { name: 'unpub_date', columns: ['unpub_date'] },
  ],
};

const contextResource: Table = {
  name: 'context_resource',
  columns: [required('context_key', 'varchar(191)'), required('resource', 'int(11) unsigned')],
  primaryKey: ['context_key', 'resource'],
};

export const { up, down } = stepOf([
  siteContent,
  contextResource,
  {
    name: 'site_tmplvars',
    columns: [
      id(),
      column('source', 'int(10) unsigned', 0),
      column('property_preprocess', flag, 0),
      column('type', 'varchar(20)', ''),
      column('name', 'varchar(50)', ''),
      column('caption', 'varchar(80)', ''),
      column('description', 'varchar(255)', ''),
      column('editor_type', 'int(11)', 0),
      column('category', 'int(11)', 0),
      column('locked', flag, 0),
      nullable('elements', 'text'),
      column('rank', 'int(11)', 0),
      column('display', 'varchar(20)', ''),
      nullable('default_text', 'mediumtext'),
      nullable('properties', 'text'),
      nullable('input_properties', 'text'),
      nullable('output_properties', 'text'),
      column('static', flag, 0),
      column('static_file', 'varchar(255)', ''),
    ],
    indexes: [
      { name: 'name', columns: ['name'], unique: true },
      { name: 'category', columns: ['category'] },
    ],
  },
  {
    name: 'site_tmplvar_templates',
    columns: [
      column('tmplvarid', 'int(10) unsigned', 0),
      column('templateid', 'int(11) unsigned', 0),
      column('rank', 'int(11)', 0),
    ],
    primaryKey: ['tmplvarid', 'templateid'],
    indexes: [{ name: 'tvs_of_template', columns: ['templateid', 'rank', 'tmplvarid'] }],
  },
  {
    name: 'site_tmplvar_contentvalues',
    columns: [
      id(),
      column('tmplvarid', 'int(10) unsigned', 0),
      column('contentid', 'int(10) unsigned', 0),
      required('value', 'mediumtext'),
    ],
    indexes: [
      { name: 'tv_cnt', columns: ['tmplvarid', 'contentid'], unique: true },
      { name: 'values_of_resource', columns: ['contentid', 'tmplvarid'] },
    ],
  },
  {
    name: 'site_tmplvar_access',
    columns: [id(), column('tmplvarid', 'int(10) unsigned', 0), column('documentgroup', 'int(10)', 0)],
    indexes: [{ name: 'tmplvar_template', columns: ['tmplvarid', 'documentgroup'] }],
  },
]);
