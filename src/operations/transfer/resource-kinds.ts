/** Records of resources with their template variables, groups and further contexts. */
import { resources } from '../../content/objects/core-objects.js';
import type { JsonValue } from '../../content/objects/values.js';
import { isJsonObject, type JsonObject } from '../../values/json.js';
import { fieldOf, membersOf } from './element-kinds.js';
import {
  flag,
  linkedText,
  local,
  nameList,
  needed,
  type Part,
  plain,
  reference,
  resource,
  textOrId,
  underName,
  type Values,
} from './members.js';
import { isCount } from './names.js';
import type { RecordKind } from './record-kind.js';
import type { Place } from './resource-places.js';
import { WrongValue } from './wrong-value.js';

/** The id of the type HTML in every store. */
const html = 1;

const tvValue = textOrId(
  { column: 'value', type: 'string', nullable: false, maxBytes: 16_777_215 },
  undefined,
  async ({ tmplvarid }, names) => (await names.typeOfTv(Number(tmplvarid))) === 'resourcelist',
);

export const resourceKinds = {
  resources: {
    table: 'site_content',
    isTree: true,
    members: membersOf(
      resources,
      {
        ...{ type: 'document', class_key: 'MODX\\Revolution\\modDocument', pagetitle: undefined },
        ...{ richtext: 1, searchable: 1, cacheable: 1, show_in_tree: 1 },
      },
      {
        context_key: needed('contexts', 'context_key'),
        uri: plain(fieldOf(resources, 'uri'), null),
        parent: resource('parent'),
        template: reference('templates', 'template'),
        content_type: reference('content_types', 'content_type', html),
        introtext: linkedText(fieldOf(resources, 'introtext'), null),
        alias_visible: flag('alias_visible', true),
        createdby: local(reference('users', 'createdby')),
        editedby: local(reference('users', 'editedby')),
        publishedby: local(reference('users', 'publishedby')),
        deletedby: local(reference('users', 'deletedby')),
        content: textOrId(fieldOf(resources, 'content'), null, ({ class_key }) =>
          /(Web|Sym)Link$/.test(String(class_key)),
        ),
      },
    ),
    parts: {
      tvs: valuesOfTvs(),
      groups: nameList('resource_groups', {
        ...{ table: 'document_groups', owner: 'document', column: 'document_group', isCounted: true },
      }),
      contexts: nameList('contexts', { table: 'context_resource', owner: 'resource', column: 'context_key' }),
    },
    key: ['context_key', 'uri', 'nth'],
    locator: {
      async find(record, names) {
        const place = placeOf(record);
        return place === null ? null : names.resources.find(place);
      },
      async add(record, id, names) {
        const place = placeOf(record);
        if (place !== null) await names.resources.add(place, id);
      },
    },
    context: 'context_key',
    changed: { columns: ['editedon', 'createdon'], unit: 'seconds' },
    interim: { published: 0 },
  },
} satisfies Readonly<Record<string, RecordKind>>;

function placeOf({ context_key: context, uri = null, nth = 1 }: JsonObject): Place | null {
  if (typeof context !== 'string' || (uri !== null && typeof uri !== 'string') || !isCount(nth)) return null;
  return { context, uri: uri ?? '', nth };
}

function valuesOfTvs(): Part {
  return {
    table: 'site_tmplvar_contentvalues',
    owner: 'contentid',
    columns: ['tmplvarid', 'value'],
    order: ['id'],
    isCounted: true,
    async read(given, names) {
      if (!isJsonObject(given)) throw new WrongValue('must be values by the names of template variables');
      const rows: Values[] = [];
      for (const [name, one] of Object.entries(given)) {
        const tmplvarid = await names.idOf('tvs', name);
        rows.push({ tmplvarid, value: await underName(name, () => tvValue.read(one, names)) });
      }
      return rows;
    },
    async show(rows, names) {
      const shown = new Map<string, JsonValue>();
      for (const row of rows) {
        const name = await names.nameOrLose('tvs', row['tmplvarid']);
        if (typeof name !== 'string' || shown.has(name)) continue;
        const value = await tvValue.show(row['value'] ?? '', names, row);
        if (value !== undefined) shown.set(name, value);
      }
      return Object.fromEntries(shown);
    },
  };
}
