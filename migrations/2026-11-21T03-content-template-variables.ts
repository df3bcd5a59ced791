/** Template variables, their templates, their values per resource and who may load them. */
import { column, flag, id, nullable, required, stepOf } from './table.js';

export const { up, down } = stepOf([
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
