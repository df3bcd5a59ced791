/** Records of contexts, settings and elements. */
import { chunks, contentTypes, contexts, snippets, templates, tvs } from '../../content/objects/core-objects.js';
import type { FieldDefinition, ObjectDefinition } from '../../content/objects/definition.js';
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
import { WrongValue } from './transfer-record.js';

/** The columns of the model behind an object. New records start with `defaults`, otherwise empty; `forms` go first. */
export function membersOf(
  { fields }: ObjectDefinition,
  defaults: Readonly<Record<string, Param | undefined>>,
  forms: Readonly<Record<string, Member | ((field: FieldDefinition) => Member)>>,
): Members {
  const names = new Set([...Object.keys(forms), ...Object.keys(fields).filter((name) => name !== 'id')]);
  const members = [...names].map((name) => {
    const { [name]: form } = forms;
    const field: FieldDefinition = fields[name] ?? { type: 'string', column: name, nullable: false };
    if (form !== undefined) return [name, typeof form === 'function' ? form(field) : form] as const;
    const empty = field.type === 'string' || field.type === 'json' ? '' : 0;
    const isTime = field.storage === 'unix';
    const byDefault = Object.hasOwn(defaults, name) ? defaults[name] : field.nullable && !isTime ? null : empty;
    return [name, plain(field, byDefault)] as const;
  });
  return Object.fromEntries(members);
}

/** The value of these settings is the id of a page. */
const pageSettings = /^(site_start|error_page|unauthorized_page|site_unavailable_page|login_page|.*_resource_id)$/;
/** Exports never carry these values. */
const secretSettings = /pass(word|wd|phrase)|secret|token|api_?key|private_?key|credential/i;

/** The value of a setting such as `default_template` is the id of another record: `{"template": "Product"}`. */
const settingKinds = { template: 'templates', content_type: 'content_types', media_source: 'media_sources' } as const;

export function recordSetting(key: string) {
  return Object.entries(settingKinds).find(([member]) => key === `default_${member}`);
}

const pageValue = textOrId(
  { column: 'value', type: 'string', nullable: true, maxBytes: 16_777_215 },
  undefined,
  (row) => pageSettings.test(String(row['key'])),
);
const value: Member = {
  ...pageValue,
  async read(given, names) {
    const [[member, name] = [], ...others] = isJsonObject(given) ? Object.entries(given) : [];
    const [, kind] = recordSetting(`default_${member}`) ?? [];
    if (kind === undefined || others.length > 0) return pageValue.read(given, names);
    return String(await names.idOf(kind, name));
  },
  async show(raw, names, row) {
    const [member = '', kind] = recordSetting(String(row['key'])) ?? [];
    if (kind === undefined || !/^ *[1-9]\d{0,9} *$/.test(String(raw ?? ''))) return pageValue.show(raw, names, row);
    const name = await names.nameOrLose(kind, Number(raw));
    return name === undefined ? '0' : { [member]: name };
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
        default_text: (field) => linkedText(field, null),
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
        content: (field) => linkedText(field, undefined),
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
    members: membersOf(chunks, { name: undefined }, { ...element, snippet: (field) => linkedText(field, null) }),
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
