/** Records of contexts, settings and elements. */
import { chunks, contentTypes, contexts, snippets, templates, tvs } from '../../content/objects/core-objects.js';
import type { ObjectDefinition } from '../../content/objects/definition.js';
import { isFileSource } from '../../content/rules/media-source.js';
import type { Param } from '../../store/base/database.js';
import { isJsonObject } from '../../values/json.js';
import { namedRecords, type RecordKind } from './kind.js';
import {
  flag,
  integer,
  link,
  linkedText,
  type Member,
  type Members,
  nameList,
  optionalText,
  type Part,
  php,
  plain,
  type RawValues,
  requiredText,
  text,
  textOrId,
  type Values,
} from './members.js';
import type { NamedKind } from './record-names.js';
import { WrongValue } from './transfer-record.js';

export function fieldOf(definition: ObjectDefinition, name: string) {
  const found = definition.fields[name];
  if (found === undefined) throw new RangeError(`${definition.name} has no field ${name}`);
  return found;
}

/** The columns of the model behind an object. New records start with `defaults`, otherwise empty; `forms` go first. */
export function membersOf(
  definition: ObjectDefinition,
  defaults: Readonly<Record<string, Param | undefined>>,
  forms: Members,
): Members {
  const others = Object.entries(definition.fields).filter(([name]) => name !== 'id' && !Object.hasOwn(forms, name));
  const members = others.map(([name, field]) => {
    const empty = field.type === 'string' || field.type === 'json' ? '' : 0;
    const isTime = field.storage === 'unix';
    const byDefault = Object.hasOwn(defaults, name) ? defaults[name] : field.nullable && !isTime ? null : empty;
    return [name, plain(field, byDefault)] as const;
  });
  return { ...forms, ...Object.fromEntries(members) };
}

/** The value of these settings is the id of a page. */
const pageSettings = /^(site_start|error_page|unauthorized_page|site_unavailable_page|login_page|.*_resource_id)$/;
/** Exports never carry these values. */
const secretSettings = /pass(word|wd|phrase)|secret|token|api_?key|private_?key|credential/i;

/** The value of these settings is the id of another record: `{"template": "Product"}`. */
export const recordSettings: Readonly<
  Record<string, { readonly member: string; readonly kind: NamedKind } | undefined>
> = {
  default_template: { member: 'template', kind: 'templates' },
  default_content_type: { member: 'content_type', kind: 'content_types' },
  default_media_source: { member: 'media_source', kind: 'media_sources' },
};

const pageValue = textOrId(
  { column: 'value', type: 'string', nullable: true, maxBytes: 16_777_215 },
  undefined,
  (row) => pageSettings.test(String(row['key'])),
);
const value: Member = {
  ...pageValue,
  async read(given, names) {
    const [[member, name] = [], ...others] = isJsonObject(given) ? Object.entries(given) : [];
    const found = Object.values(recordSettings).find((one) => one?.member === member);
    if (found === undefined || others.length > 0) return pageValue.read(given, names);
    return String(await names.idOf(found.kind, name));
  },
  async show(raw, names, row) {
    const found = recordSettings[String(row['key'])];
    if (found === undefined || !/^ *[1-9]\d{0,9} *$/.test(String(raw ?? ''))) return pageValue.show(raw, names, row);
    const name = await names.nameOrLose(found.kind, Number(raw));
    return name === undefined ? '0' : { [found.member]: name };
  },
};
export const setting: Members = {
  key: requiredText('key'),
  value,
  xtype: text('xtype', 'textfield'),
  namespace: text('namespace', 'core'),
  area: text('area'),
};
const hiddenSettings = {
  columns: ['key', 'xtype'],
  isHidden: ({ key, xtype }: RawValues) => secretSettings.test(String(key)) || /password/.test(String(xtype)),
};

const element: Members = {
  source: link('media_sources', 'source', 0),
  property_preprocess: flag('property_preprocess'),
  editor_type: integer('editor_type'),
  category: link('categories', 'category', 0),
  properties: php('properties'),
  static: flag('static'),
  static_file: text('static_file'),
};

/** Other sources have keys and passwords among their properties. */
const sourceProperties = php('properties');
const plainClass = text('class_key', 'MODX\\Revolution\\Sources\\modFileMediaSource');
const sourceClass: Member = {
  ...plainClass,
  read(given, names) {
    const class_key = plainClass.read(given, names);
    if (names.pictures && !isFileSource(String(class_key))) names.pictures.isElsewhere = true;
    return class_key;
  },
};

export const elementKinds = {
  contexts: namedRecords('contexts', {
    members: membersOf(contexts, { key: undefined }, {}),
    primary: ['key'],
    context: 'key',
  }),
  settings: { table: 'system_settings', members: setting, key: ['key'], primary: ['key'] },
  context_settings: {
    table: 'context_setting',
    members: { context: link('contexts', 'context_key'), ...setting },
    key: ['context', 'key'],
    primary: ['context_key', 'key'],
    context: 'context_key',
    hidden: hiddenSettings,
    changed: { columns: ['editedon'], unit: 'text' },
  },
  content_types: namedRecords('content_types', {
    members: membersOf(contentTypes, { name: undefined }, { headers: php('headers', null) }),
  }),
  categories: namedRecords('categories', {
    members: { category: requiredText('category'), parent: link('categories', 'parent', 0), rank: integer('rank') },
    key: ['category', 'parent'],
    /** Itself, every category above it, and the root, which is 0. */
    async also({ parent }, id, names) {
      const above = Array.isArray(parent) ? parent : [];
      const ancestors = [id];
      for (let length = above.length; length > 0; length -= 1) {
        ancestors.push(Number(await names.idOf('categories', above.slice(0, length))));
      }
      return [...ancestors, 0].map((ancestor, depth) => ({
        table: 'categories_closure',
        values: { ancestor, descendant: id, depth },
      }));
    },
  }),
  media_sources: namedRecords('media_sources', {
    members: {
      name: requiredText('name'),
      description: optionalText('description'),
      class_key: sourceClass,
      properties: {
        ...sourceProperties,
        show: (raw, names, row) =>
          isFileSource(`${row['class_key']}`) ? sourceProperties.show(raw, names, row) : undefined,
      },
      is_stream: flag('is_stream', true),
    },
  }),
  tvs: namedRecords('tvs', {
    members: membersOf(
      tvs,
      { name: undefined, type: 'text' },
      {
        ...element,
        default_text: linkedText(fieldOf(tvs, 'default_text'), null),
        input_properties: php('input_properties'),
        output_properties: php('output_properties'),
      },
    ),
    parts: {
      media_sources: sourcesOfTv(),
      resource_groups: nameList('resource_groups', {
        ...{ table: 'site_tmplvar_access', owner: 'tmplvarid', column: 'documentgroup' },
      }),
    },
  }),
  templates: namedRecords('templates', {
    members: membersOf(
      templates,
      { templatename: undefined },
      {
        ...element,
        content: linkedText(fieldOf(templates, 'content'), undefined),
        preview_file: text('preview_file'),
      },
    ),
    parts: {
      tvs: nameList('tvs', {
        ...{ table: 'site_tmplvar_templates', owner: 'templateid', column: 'tmplvarid', rank: 'rank' },
      }),
    },
  }),
  chunks: namedRecords('chunks', {
    members: membersOf(
      chunks,
      { name: undefined },
      { ...element, snippet: linkedText(fieldOf(chunks, 'snippet'), null) },
    ),
  }),
  snippets: namedRecords('snippets', {
    members: membersOf(snippets, { name: undefined }, { ...element, moduleguid: text('moduleguid') }),
  }),
} satisfies Readonly<Record<string, RecordKind>>;

function sourcesOfTv(): Part {
  const wrong = 'must be the names of media sources by context';
  return {
    table: 'media_sources_elements',
    owner: 'object',
    columns: ['source', 'context_key'],
    constants: { object_class: 'MODX\\Revolution\\modTemplateVar' },
    order: ['context_key'],
    async read(given, names) {
      if (!isJsonObject(given)) throw new WrongValue(wrong);
      const rows: Values[] = [];
      for (const [context, name] of Object.entries(given)) {
        const context_key = await names.idOf('contexts', context);
        rows.push({ source: await names.idOf('media_sources', name), context_key });
      }
      return rows;
    },
    async show(rows, names) {
      const shown: Record<string, string> = {};
      for (const { context_key, source } of rows) {
        const context = await names.nameOrLose('contexts', context_key);
        const name = await names.nameOrLose('media_sources', source);
        if (typeof context === 'string' && typeof name === 'string') shown[context] = name;
      }
      return shown;
    },
  };
}
