/** Records of contexts, settings and elements. */

import { chunks, contentTypes, contexts, snippets, templates, tvs } from '../../content/objects/core-objects.js';
import type { ObjectDefinition } from '../../content/objects/definition.js';
import type { Param } from '../../store/base/database.js';
import { isJsonObject, type JsonObject } from '../../values/json.js';
import {
  category,
  claimName,
  flag,
  integer,
  linkedText,
  type Member,
  type Members,
  optionalText,
  type Part,
  php,
  plain,
  type RecordKind,
  type Row,
  readPath,
  reference,
  text,
  textOrId,
} from './members.js';
import { type NamedKind, WrongValue } from './names.js';

/** A field of an object of the interfaces, under its name. */
export function fieldOf(definition: ObjectDefinition, name: string) {
  const found = definition.fields[name];
  if (found === undefined) throw new RangeError(`${definition.name} has no field ${name}`);
  return found;
}

/** Members of an object's fields by their defaults. */
export function fieldsOf(
  definition: ObjectDefinition,
  defaults: Readonly<Record<string, Param | undefined>>,
): Readonly<Record<string, Member>> {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, byDefault]) => [name, plain(fieldOf(definition, name), byDefault)]),
  );
}

const value = textOrId({ column: 'value', type: 'string', nullable: true, maxBytes: 65_535 }, undefined);
/** A setting of the system, or of what a further member names. */
export const setting: Members = {
  key: text('key', undefined),
  value,
  xtype: text('xtype', 'textfield'),
  namespace: text('namespace', 'core'),
  area: text('area'),
};

const element: Members = {
  source: reference('media_sources', 'source'),
  property_preprocess: flag('property_preprocess'),
  editor_type: integer('editor_type'),
  category: category('category'),
  properties: php('properties'),
  static: flag('static'),
  static_file: text('static_file'),
};

export const elementKinds: Readonly<Record<string, RecordKind>> = {
  contexts: {
    table: 'context',
    members: fieldsOf(contexts, { key: undefined, name: null, description: null, rank: 0 }),
    key: ['key'],
    async claim({ record: { key } }, names) {
      if (typeof key === 'string') await names.add('contexts', key, key);
      return true;
    },
  },
  settings: { table: 'system_settings', members: setting, key: ['key'] },
  context_settings: {
    table: 'context_setting',
    members: { context: reference('contexts', 'context_key', undefined), ...setting },
    key: ['context_key', 'key'],
  },
  content_types: {
    table: 'content_type',
    members: {
      ...fieldsOf(contentTypes, {
        name: undefined,
        description: null,
        mime_type: null,
        file_extensions: null,
        icon: null,
        binary: 0,
      }),
      headers: php('headers', null),
    },
    claim: claimName('content_types', 'name'),
  },
  categories: {
    table: 'categories',
    members: { category: text('category', undefined), parent: category('parent'), rank: integer('rank') },
    async claim({ id, record }, names) {
      const path = pathOf(record);
      return path === null || names.addCategory(path, id);
    },
    /** Itself, every category above it, and the root, which is 0. */
    async also({ id, record }, names) {
      const above = (pathOf(record) ?? []).slice(0, -1);
      const rows: Row[] = [];
      const add = (ancestor: number): void => {
        const values = { ancestor, descendant: id, depth: rows.length };
        rows.push({ table: 'categories_closure', values });
      };
      add(id);
      for (let length = above.length; length > 0; length -= 1) {
        add(await names.categoryAt(above.slice(0, length)));
      }
      add(0);
      return rows;
    },
  },
  media_sources: {
    table: 'media_sources',
    members: {
      name: text('name', undefined),
      description: optionalText('description'),
      class_key: text('class_key', 'MODX\\Revolution\\Sources\\modFileMediaSource'),
      properties: php('properties'),
      is_stream: flag('is_stream', true),
    },
    claim: claimName('media_sources', 'name'),
  },
  tvs: {
    table: 'site_tmplvars',
    members: {
      ...fieldsOf(tvs, {
        name: undefined,
        type: 'text',
        caption: '',
        description: '',
        locked: 0,
        elements: null,
        rank: 0,
        display: '',
      }),
      ...element,
      default_text: linkedText(fieldOf(tvs, 'default_text'), null),
      input_properties: php('input_properties'),
      output_properties: php('output_properties'),
    },
    parts: {
      media_sources: mediaSourcesOfTv,
      resource_groups: listPart('resource_groups', (documentgroup, tmplvarid) => ({
        table: 'site_tmplvar_access',
        values: { tmplvarid, documentgroup },
        isCounted: true,
      })),
    },
    claim: claimName('tvs', 'name'),
  },
  templates: {
    table: 'site_templates',
    members: {
      ...fieldsOf(templates, { templatename: undefined, description: '', icon: '', template_type: 0, locked: 0 }),
      ...element,
      content: linkedText(fieldOf(templates, 'content'), undefined),
      preview_file: text('preview_file'),
    },
    parts: {
      tvs: listPart('tvs', (tmplvarid, templateid, rank) => ({
        table: 'site_tmplvar_templates',
        values: { tmplvarid, templateid, rank },
      })),
    },
    claim: claimName('templates', 'templatename'),
  },
  chunks: {
    table: 'site_htmlsnippets',
    members: { ...script(chunks), snippet: linkedText(fieldOf(chunks, 'snippet'), null) },
    claim: claimName('chunks', 'name'),
  },
  snippets: {
    table: 'site_snippets',
    members: {
      ...script(snippets),
      snippet: plain(fieldOf(snippets, 'snippet'), null),
      moduleguid: text('moduleguid'),
    },
    claim: claimName('snippets', 'name'),
  },
};

function script(definition: ObjectDefinition): Members {
  return { ...fieldsOf(definition, { name: undefined, description: '', cache_type: 0, locked: 0 }), ...element };
}

/** Null when the record has no valid path; reading its members reports that. */
function pathOf({ category: name, parent = null }: JsonObject): readonly string[] | null {
  if (typeof name !== 'string') return null;
  try {
    return [...(parent === null ? [] : readPath(parent)), name];
  } catch {
    return null;
  }
}

/** Names of a list, in their order, as the ids that rows are made of. */
export function listPart(kind: NamedKind, rowOf: (named: Param, owner: number, index: number) => Row): Part {
  return async (given, { id }, names) => {
    if (!Array.isArray(given)) throw new WrongValue('must be a list of names');
    const rows: Row[] = [];
    for (const [index, name] of given.entries()) {
      if (typeof name !== 'string') throw new WrongValue('must be a list of names');
      rows.push(rowOf(await names.idOf(kind, name), id, index));
    }
    return rows;
  };
}

/** By context, the source whose paths the values are: `{"web": "Pictures"}`. */
async function mediaSourcesOfTv(...[given, { id }, names]: Parameters<Part>): ReturnType<Part> {
  const wrong = new WrongValue('must be the names of media sources by context');
  if (!isJsonObject(given)) throw wrong;
  const rows: Row[] = [];
  for (const [contextName, sourceName] of Object.entries(given)) {
    if (typeof sourceName !== 'string') throw wrong;
    const context_key = await names.idOf('contexts', contextName);
    const source = await names.idOf('media_sources', sourceName);
    const values = { source, object: id, object_class: 'MODX\\Revolution\\modTemplateVar', context_key };
    rows.push({ table: 'media_sources_elements', values });
  }
  return rows;
}
