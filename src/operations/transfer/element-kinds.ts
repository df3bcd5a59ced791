/** Records of contexts, settings and elements. */

import { chunks, contentTypes, contexts, snippets, templates, tvs } from '../../content/objects/core-objects.js';
import type { ObjectDefinition } from '../../content/objects/definition.js';
import { ValueProblem } from '../../content/objects/values.js';
import type { Param } from '../../store/base/database.js';
import { isJsonObject } from '../../values/json.js';
import {
  category,
  flag,
  integer,
  linkedText,
  type Member,
  type Members,
  optionalText,
  php,
  plain,
  readPath,
  reference,
  text,
  textOrId,
} from './members.js';
import { Missing, type NamedKind } from './names.js';
import { keyedBy, namedBy, type Part, type RecordKind, type Row } from './record-kind.js';

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
    identity: {
      key: ['key'],
      async claim({ record: { key } }, names) {
        if (typeof key === 'string') await names.add('contexts', key, key);
        return true;
      },
    },
  },
  settings: { table: 'system_settings', members: setting, identity: keyedBy('key') },
  context_settings: {
    table: 'context_setting',
    members: { context: reference('contexts', 'context_key', undefined), ...setting },
    identity: keyedBy('context_key', 'key'),
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
    identity: namedBy('content_types', 'name'),
  },
  categories: {
    table: 'categories',
    members: { category: text('category', undefined), parent: category('parent'), rank: integer('rank') },
    identity: {
      counted: true,
      async claim({ id, record }, names) {
        const path = pathOf(record);
        return path === null || names.addCategory(path, id);
      },
    },
    /** Itself, every category above it, and the root, which is 0. */
    async beside({ id, record }, names) {
      const above = (pathOf(record) ?? []).slice(0, -1);
      const rows: Row[] = [];
      const add = (ancestor: number): void => {
        const values = { ancestor, descendant: id, depth: rows.length };
        rows.push({ table: 'categories_closure', values });
      };
      add(id);
      for (let length = above.length; length > 0; length -= 1) {
        const ancestor = await names.categoryAt(above.slice(0, length));
        if (ancestor instanceof Missing) return ancestor;
        add(ancestor);
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
    identity: namedBy('media_sources', 'name'),
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
    parts: { media_sources: mediaSourcesOfTv, resource_groups: groupsOfTv },
    identity: namedBy('tvs', 'name'),
  },
  templates: {
    table: 'site_templates',
    members: {
      ...fieldsOf(templates, { templatename: undefined, description: '', icon: '', template_type: 0, locked: 0 }),
      ...element,
      content: linkedText(fieldOf(templates, 'content'), undefined),
      preview_file: text('preview_file'),
    },
    parts: { tvs: tvsOfTemplate },
    identity: namedBy('templates', 'templatename'),
  },
  chunks: {
    table: 'site_htmlsnippets',
    members: { ...script(chunks), snippet: linkedText(fieldOf(chunks, 'snippet'), null) },
    identity: namedBy('chunks', 'name'),
  },
  snippets: {
    table: 'site_snippets',
    members: {
      ...script(snippets),
      snippet: plain(fieldOf(snippets, 'snippet'), null),
      moduleguid: text('moduleguid'),
    },
    identity: namedBy('snippets', 'name'),
  },
};

function script(definition: ObjectDefinition): Members {
  return { ...fieldsOf(definition, { name: undefined, description: '', cache_type: 0, locked: 0 }), ...element };
}

/** Null for other values. */
function pathOf(record: Readonly<Record<string, unknown>>): readonly string[] | null {
  const { category: name, parent } = record;
  if (typeof name !== 'string') return null;
  const above = parent === undefined || parent === null ? [] : readPath(parent);
  return above instanceof ValueProblem ? null : [...above, name];
}

/** Names of a list as the ids that rows are made of. */
export function listPart(kind: NamedKind, rowOf: (named: Param, owner: number, index: number) => Row): Part {
  return async (given, { id }, names) => {
    if (!Array.isArray(given)) return new ValueProblem('must be a list of names');
    const rows: Row[] = [];
    for (const [index, name] of given.entries()) {
      if (typeof name !== 'string') return new ValueProblem('must be a list of names');
      const named = await names.idOf(kind, name);
      if (named instanceof Missing) return named;
      rows.push(rowOf(named, id, index));
    }
    return rows;
  };
}

/** In their order. */
function tvsOfTemplate(...asked: Parameters<Part>): ReturnType<Part> {
  const part = listPart('tvs', (tmplvarid, templateid, rank) => ({
    table: 'site_tmplvar_templates',
    values: { tmplvarid, templateid, rank },
  }));
  return part(...asked);
}

function groupsOfTv(...asked: Parameters<Part>): ReturnType<Part> {
  const part = listPart('resource_groups', (documentgroup, tmplvarid) => ({
    table: 'site_tmplvar_access',
    values: { tmplvarid, documentgroup },
    isCounted: true,
  }));
  return part(...asked);
}

/** By context, the source whose paths the values are: `{"web": "Pictures"}`. */
async function mediaSourcesOfTv(...[given, { id }, names]: Parameters<Part>): ReturnType<Part> {
  const wrong = new ValueProblem('must be the names of media sources by context');
  if (!isJsonObject(given)) return wrong;
  const rows: Row[] = [];
  for (const [contextName, sourceName] of Object.entries(given)) {
    if (typeof sourceName !== 'string') return wrong;
    const [context, source] = [
      await names.idOf('contexts', contextName),
      await names.idOf('media_sources', sourceName),
    ];
    if (context instanceof Missing) return context;
    if (source instanceof Missing) return source;
    const values = { source, object: id, object_class: 'MODX\\Revolution\\modTemplateVar', context_key: context };
    rows.push({ table: 'media_sources_elements', values });
  }
  return rows;
}
