/** Records of resources with their template variables, groups and further contexts. */
import { resources } from '../../content/objects/core-objects.js';
import { isJsonObject } from '../../values/json.js';
import { fieldOf, fieldsOf, listPart } from './element-kinds.js';
import {
  flag,
  type Part,
  plain,
  type RecordKind,
  type Row,
  reference,
  resource,
  textOrId,
  underName,
} from './members.js';
import { WrongValue } from './names.js';

/** The id of the type HTML in every store. */
const html = 1;

export const resourceKinds: Readonly<Record<string, RecordKind>> = {
  resources: {
    table: 'site_content',
    members: {
      context_key: reference('contexts', 'context_key', undefined),
      uri: plain(fieldOf(resources, 'uri'), null),
      parent: resource('parent'),
      template: reference('templates', 'template'),
      content_type: reference('content_types', 'content_type', html),
      ...fieldsOf(resources, {
        type: 'document',
        class_key: 'MODX\\Revolution\\modDocument',
        pagetitle: undefined,
        longtitle: '',
        menutitle: '',
        description: '',
        introtext: null,
        alias: '',
        link_attributes: '',
        published: 0,
        publishedon: 0,
        pub_date: 0,
        unpub_date: 0,
        isfolder: 0,
        menuindex: 0,
        hidemenu: 0,
        richtext: 1,
        searchable: 1,
        cacheable: 1,
        createdon: 0,
        editedon: 0,
        deleted: 0,
        deletedon: 0,
        content_dispo: 0,
        uri_override: 0,
        hide_children_in_tree: 0,
        show_in_tree: 1,
        properties: null,
      }),
      alias_visible: flag('alias_visible', true),
      createdby: reference('users', 'createdby'),
      editedby: reference('users', 'editedby'),
      publishedby: reference('users', 'publishedby'),
      deletedby: reference('users', 'deletedby'),
      content: textOrId(fieldOf(resources, 'content'), null),
    },
    parts: {
      tvs: valuesOfTvs,
      groups: listPart('resource_groups', (document_group, document) => ({
        table: 'document_groups',
        values: { document_group, document },
        isCounted: true,
      })),
      contexts: listPart('contexts', (context_key, id) => ({
        table: 'context_resource',
        values: { context_key, resource: id },
      })),
    },
    async claim({ id, record }, names) {
      const { context_key: context, uri, deleted } = record;
      if (typeof context !== 'string' || typeof uri !== 'string') return true;
      return names.addResource({ context, uri }, { id, deleted: deleted === true });
    },
  },
};

const tvValue = textOrId({ column: 'value', type: 'string', nullable: false, maxBytes: 16_777_215 }, undefined);

/** Values by the names of the template variables. */
async function valuesOfTvs(...[given, { id }, names]: Parameters<Part>): ReturnType<Part> {
  if (!isJsonObject(given)) throw new WrongValue('must be values by the names of template variables');
  const rows: Row[] = [];
  for (const [name, one] of Object.entries(given)) {
    const tmplvarid = await names.idOf('tvs', name);
    const value = await underName(name, () => tvValue.read(one, names));
    rows.push({ table: 'site_tmplvar_contentvalues', values: { tmplvarid, contentid: id, value }, isCounted: true });
  }
  return rows;
}
