/** Access control: policies, resource groups, and the rules that give user groups rights. */
import { type Column, column, flag, id, nullable, required, stepOf, type Table } from './table.js';

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

const tables = [...rules, ...policies, ...resourceGroups];

export const { up, down } = stepOf(tables);
