/** Records of resources with their template variables, groups and further contexts. */
import { resources } from '../../content/objects/core-objects.js';
import type { JsonValue } from '../../content/objects/values.js';
import {
  readTranslationLinks,
  translationVariable,
  writeTranslationLinks,
} from '../../content/reading/translations.js';
import { tvProblem } from '../../content/rules/tv-rules.js';
import { isJsonObject } from '../../values/json.js';
import { membersOf } from './element-kinds.js';
import { namedRecords, type RecordKind } from './kind.js';
import {
  flag,
  link,
  linkedText,
  local,
  nameList,
  type Part,
  plain,
  textOrId,
  underName,
  type Values,
} from './members.js';
import type { Names } from './names.js';
import { WrongValue } from './transfer-record.js';

/** The id of the type HTML in every store. */
const html = 1;

const tvValue = textOrId(
  { column: 'value', type: 'string', nullable: false, maxBytes: 16_777_215 },
  undefined,
  async ({ tmplvarid }, names) => (await names.rulesOfTv(Number(tmplvarid)))?.type === 'resourcelist',
);

export const resourceKinds = {
  resources: namedRecords('resources', {
    isTree: true,
    members: membersOf(
      resources,
      {
        ...{ type: 'document', class_key: 'MODX\\Revolution\\modDocument', pagetitle: undefined },
        ...{ richtext: 1, searchable: 1, cacheable: 1, show_in_tree: 1 },
      },
      {
        context_key: link('contexts', 'context_key'),
        uri: (field) => plain(field, null),
        parent: link('resources', 'parent', 0),
        template: link('templates', 'template', 0),
        content_type: link('content_types', 'content_type', html),
        introtext: (field) => linkedText(field, null),
        alias_visible: flag('alias_visible', true),
        createdby: local(link('users', 'createdby', 0)),
        editedby: local(link('users', 'editedby', 0)),
        publishedby: local(link('users', 'publishedby', 0)),
        deletedby: local(link('users', 'deletedby', 0)),
        content: (field) => textOrId(field, null, ({ class_key }) => /(Web|Sym)Link$/.test(String(class_key))),
      },
    ),
    parts: {
      tvs: valuesOfTvs(),
      groups: nameList('resource_groups', {
        ...{ table: 'document_groups', owner: 'document', column: 'document_group' },
      }),
      contexts: nameList('contexts', { table: 'context_resource', owner: 'resource', column: 'context_key' }),
    },
    key: ['context_key', 'uri', 'nth'],
    context: 'context_key',
    changed: { columns: ['editedon', 'createdon'], unit: 'seconds' },
    interim: { published: 0 },
    completed({ createdon, publishedon, published }, { now }) {
      const seconds = Math.floor(now / 1000);
      return { createdon: createdon || seconds, publishedon: publishedon || (published === 1 ? seconds : 0) };
    },
  }),
} satisfies Readonly<Record<string, RecordKind>>;

async function linksText(places: readonly unknown[], names: Names): Promise<string> {
  const links = new Map<string, number>();
  for (const place of places) {
    const id = Number(await names.idOf('resources', place));
    if (isJsonObject(place)) links.set(String(place['context']), id);
  }
  return writeTranslationLinks(links);
}

/** Of pages that are not there nothing is left: their ids would name others elsewhere. */
async function showLinks(text: string, names: Names): Promise<JsonValue> {
  const places: JsonValue[] = [];
  for (const id of readTranslationLinks(text).values()) {
    const place = await names.nameOrLose('resources', id);
    if (place !== undefined) places.push(place);
  }
  return places;
}

function valuesOfTvs(): Part {
  return {
    table: 'site_tmplvar_contentvalues',
    owner: 'contentid',
    columns: ['tmplvarid', 'value'],
    order: ['id'],
    async read(given, names, warn) {
      if (!isJsonObject(given)) throw new WrongValue('must be values by the names of template variables');
      const rows: Values[] = [];
      for (const [name, one] of Object.entries(given)) {
        const tmplvarid = await names.idOf('tvs', name);
        const isLinks = name === translationVariable && Array.isArray(one);
        const value = await underName(name, () => (isLinks ? linksText(one, names) : tvValue.read(one, names)));
        rows.push({ tmplvarid, value });
        const rules = await names.rulesOfTv(tmplvarid);
        const text = String(value ?? '');
        const problem = rules === undefined ? null : tvProblem(text, rules);
        if (problem !== null) warn('rule', `tvs.${name}`, problem);
        const lacked = rules?.type === 'image' ? await names.pictureProblem(text) : null;
        if (lacked !== null) warn('picture', `tvs.${name}`, lacked);
      }
      return rows;
    },
    async show(rows, names) {
      const shown = new Map<string, JsonValue>();
      for (const row of rows) {
        const name = await names.nameOrLose('tvs', row['tmplvarid']);
        if (typeof name !== 'string' || shown.has(name)) continue;
        const text = row['value'] ?? '';
        const isLinks = name === translationVariable;
        const value = await (isLinks ? showLinks(String(text), names) : tvValue.show(text, names, row));
        if (value !== undefined) shown.set(name, value);
      }
      return Object.fromEntries(shown);
    },
  };
}
