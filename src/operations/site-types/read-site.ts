/** Reads what the types of a site depend on: templates, template variables, contexts and, on request, addresses. */
import { anonymousPrincipal } from '../../access/acl.js';
import { anonymous } from '../../access/identity.js';
import { administrator } from '../../content/live/administrator.js';
import { callerAs } from '../../content/live/live-state.js';
import type { Site } from '../../content/live/site.js';
import { templates } from '../../content/models/elements.js';
import { tvs as variables } from '../../content/models/template-variables.js';
import { type Caller, mayUseContext, rowPolicy, visible } from '../../content/query/authorize.js';
import { fieldRef } from '../../content/query/predicate.js';
import { readTvTypes } from '../../content/reading/read-tv-types.js';
import { selectRows } from '../../content/reading/select-rows.js';
import { parsePhpArray } from '../../content/rules/php-value.js';
import { tvRulesText } from '../../content/rules/tv-rules.js';
import { choiceValues, hasChoices, refersToResources } from '../../content/rules/tv-types.js';
import { loadSectionTypes } from '../../pages/authoring/section-types.js';
import type { Reader } from '../../store/base/database.js';
import { isJsonObject, type JsonObject, parseJson } from '../../values/json.js';
import { anyJson, block, type Member, schemaType, union } from './type-text.js';

export type SiteFacts = Awaited<ReturnType<typeof readSite>>;

export async function readSite(site: Site, own: Reader, asked: { readonly withUris: boolean }) {
  const { reader } = site;
  const live = site.live.current();
  const everybody: Caller = {
    ...callerAs(live, { identity: anonymous, principal: anonymousPrincipal }),
    allowedContexts: live.settings.values.gateway_allowed_contexts,
  };
  const contexts = everybody.allowedContexts.filter((context) => live.contexts.has(context));
  const open = contexts.filter((context) => mayUseContext(everybody, context));
  const attributes = ['name', 'elements', 'input_properties'] as const;
  const [rows, { tvs }, forms, sectionTypes] = await Promise.all([
    templates.on(reader.db, reader.prefix).lookUpAll({}, { attributes: ['id', 'templatename'], order: ['id'] }),
    readTvTypes(reader, administrator(live)),
    variables.on(reader.db, reader.prefix).lookUpAll({}, { attributes, order: ['id'] }),
    loadSectionTypes(own),
  ]);
  const shown = await Promise.all(
    open.map(async (context) => (await readTvTypes(reader, { ...everybody, defaultContext: context })).tvs),
  );
  const formOf = new Map(forms.map((one) => [one.name, one]));
  return {
    templates: rows.map(({ id, templatename }) => ({ id, name: templatename })),
    // Databases sort names each in their own way.
    tvs: Object.entries(tvs)
      .sort(byName)
      .map(([name, { type, value, templates: those }]) => {
        const { elements = null, input_properties: inputProperties = null } = formOf.get(name) ?? {};
        const valueType = tvValueType({ type, elements, inputProperties, value });
        return {
          name,
          valueType,
          about: tvRulesText({ type, elements, inputProperties }),
          templates: those,
          isReference: refersToResources({ type }),
          isRestricted: shown.some((one) => !Object.hasOwn(one, name)),
        };
      }),
    sectionTypes,
    contexts,
    uris: asked.withUris ? await readUris(site, everybody, open) : null,
  };
}

async function readUris({ reader }: Site, caller: Caller, contexts: readonly string[]): Promise<readonly string[]> {
  const { resources } = reader.registry;
  const found = new Set<string>();
  for (const context of contexts) {
    const policy = rowPolicy(resources, caller, { context, preview: false, includeDeleted: false, purpose: 'list' });
    const rows = await selectRows(reader, resources, {
      needed: ['uri'],
      where: visible(resources, policy),
      order: [{ ref: fieldRef(resources, 'id'), direction: 'asc' }],
      heavy: true,
    });
    for (const row of rows) {
      const uri = row.raw('uri');
      if (typeof uri === 'string' && uri !== '') found.add(uri);
    }
  }
  return [...found].sort();
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : Number(one > other);
}

interface TvSource {
  readonly type: string;
  readonly elements: string | null;
  /** A PHP array, as the CMS stores it. */
  readonly inputProperties: string | null;
  readonly value: Readonly<Record<string, unknown>>;
}

export function tvValueType({ type, elements, inputProperties, value }: TvSource): string {
  const plain = schemaType(value);
  if (type === 'migx') return rowsType(inputProperties) ?? plain;
  const choice = choiceType(type, elements);
  // Choices 1 and 0 are read as true and false.
  return choice === null || plain.startsWith('boolean') ? plain : `${choice} | null`;
}

/** Null where the values are free, or are not known before the CMS computes them. */
function choiceType(type: string, elements: string | null): string | null {
  const values = hasChoices(type) === null ? [] : [...new Set(choiceValues(elements ?? ''))];
  if (values.length === 0) return null;
  return hasChoices(type) === 'several' ? `(${union(values)})[]` : union(values);
}

/** Undefined without a form in the variable itself: a named configuration is in tables of MIGX. */
function rowsType(inputProperties: string | null): string | undefined {
  const tabs = listIn(parsePhpArray(inputProperties)?.get('formtabs'));
  const fields = tabs.flatMap((tab) => listIn(tab['fields'])).filter(({ field }) => typeof field === 'string');
  if (fields.length === 0) return undefined;
  const members = new Map<string, Member>([
    ['MIGX_id', { name: 'MIGX_id', type: 'string | number', isOptional: true }],
    ...fields.map((row) => [String(row['field']), memberOf(row)] as const),
  ]);
  return `${block([...members.values()], '    ')}[] | null`;
}

/** Rows from before the field was added lack it. */
function memberOf({ field, caption, inputTVtype, inputOptionValues }: JsonObject): Member {
  const about = typeof caption === 'string' && caption !== '' ? { about: caption } : {};
  return {
    name: String(field),
    type: cellType(String(inputTVtype ?? ''), inputOptionValues),
    isOptional: true,
    ...about,
  };
}

/** MIGX stores texts; several values as one text or a list, rows in rows as text or JSON. */
function cellType(type: string, options: unknown): string {
  if (type === 'migx') return anyJson;
  if (type === 'number') return 'string | number';
  if (hasChoices(type) === 'several') return 'string | string[]';
  const choice = choiceType(type, typeof options === 'string' ? options : null);
  return choice === null ? 'string' : union(['']).concat(' | ', choice);
}

/** Lists may be JSON in a text. */
function listIn(value: unknown): readonly JsonObject[] {
  const list = typeof value === 'string' ? parseJson(value) : value;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
