/** TypeScript declarations for one site. The same site always has the same text, so its file does not change. */

import type { Site } from '../../content/live/site.js';
import { isList, type ObjectDefinition, type Registry, rightOf } from '../../content/objects/definition.js';
import { offeredObjects } from '../../content/query/authorize.js';
import type { Reader } from '../../store/base/database.js';
import { readSite, type SiteFacts } from './read-site.js';
import { sectionsText, sharedTypes } from './section-types.js';
import { block, comment, fieldType, jsonTypes, literal, type Member, shape, typeNames, union } from './type-text.js';

export const firstLine = '// Types of this site, made by `hcd types`. Changes are lost when it runs again.';

export type SiteTypes = Awaited<ReturnType<typeof siteTypes>>;

export async function siteTypes(site: Site, own: Reader, asked: { readonly withUris: boolean }) {
  const facts = await readSite(site, own, asked);
  const { gateway_extended_columns } = site.live.current().settings.values;
  const registry = offeredObjects(site.reader.registry, gateway_extended_columns);
  return {
    text: textOf(facts, registry),
    counts: {
      templates: facts.templates.length,
      tvs: facts.tvs.length,
      section_types: facts.sectionTypes.size,
      objects: registry.objects.size,
      contexts: facts.contexts.length,
      uris: facts.uris?.length ?? null,
    },
  };
}

function textOf(facts: SiteFacts, registry: Site['reader']['registry']): string {
  const resources = resourceTexts(registry.resources, facts);
  const objects = objectTexts(registry);
  const site = [
    { name: 'objects', type: objects.asked },
    { name: 'references', type: union(resources.references), about: 'Template variables that name resources' },
    { name: 'sections', type: 'Sections' },
    { name: 'contexts', type: 'Contexts' },
    { name: 'uri', type: 'Uri' },
  ];
  return [
    `${firstLine}\n`,
    jsonTypes,
    resources.text,
    ...objects.records,
    objects.objects,
    sharedTypes,
    sectionsText(facts.sectionTypes),
    `${comment('Keys of the contexts that requests may name.')}\nexport type Contexts = ${union(facts.contexts)};\n`,
    uriText(facts.uris),
    `${comment('What a client is made for: createClient<Site>().')}\nexport interface Site ${block(site)}\n`,
  ].join('\n');
}

function uriText(uris: readonly string[] | null): string {
  const said = comment('Addresses of published resources, without the leading slash.');
  if (uris === null) return `${said}\nexport type Uri = string;\n`;
  return `${said}\nexport type Uri =${uris.length === 0 ? ' never' : uris.map((uri) => `\n  | ${union([uri])}`).join('')};\n`;
}

/** Names that the templates of a site cannot take. */
const ofOthers = 'OtherResource';

const titles: Readonly<Record<string, string>> = {
  longtitle: 'The heading of the page; where it is empty, pagetitle is',
  menutitle: 'The text in menus; where it is empty, pagetitle is',
};

function resourceMembers(definition: ObjectDefinition): Member[] {
  return recordMembers(definition).map((member) => {
    const about = titles[member.name];
    return about === undefined ? member : { ...member, about };
  });
}

function resourceTexts(definition: ObjectDefinition, { templates, tvs }: SiteFacts) {
  const names = typeNames(
    templates.map(({ id, name }) => [id, name] as const),
    { otherwise: 'Template', ending: 'Resource', taken: ['Resource', ofOthers] },
  );
  const parts = templates.map(({ id, name }) => {
    const own = tvs.filter((tv) => tv.templates.includes(id));
    const members = own.map((tv) => ({
      ...{ name: tv.name, type: tv.valueType, isOptional: tv.isRestricted },
      ...aboutOf(tv),
    }));
    return partText(names.get(id) ?? ofOthers, { template: id, about: `Template ${id}: ${name}`, tvs: members });
  });
  const other = partText(ofOthers, { template: 0, about: 'Without a template', tvs: [] });
  const union = [...names.values(), ofOthers].map((name) => `\n  | ${name}`).join('');
  return {
    text: `${comment('The fields of every resource.')}
export interface ResourceFields ${block(resourceMembers(definition))}

${[...parts, other].join('\n')}
${comment('Any resource; its template tells which.')}
export type Resource =${union};
`,
    references: tvs.filter((tv) => tv.isReference).map(({ name }) => name),
  };
}

function aboutOf({ about, isRestricted }: SiteFacts['tvs'][number]): Pick<Member, 'about'> {
  const parts = [...(about === null ? [] : [about]), ...(isRestricted ? ['Not for every caller'] : [])];
  return parts.length === 0 ? {} : { about: parts.join('. ') };
}

function partText(
  name: string,
  { template, about, tvs }: { readonly template: number; readonly about: string; readonly tvs: readonly Member[] },
): string {
  const members = [
    { name: 'template', type: String(template) },
    { name: 'tvs', type: shape(tvs, '  '), about: 'With include=tvs and tv_format=typed' },
  ];
  return `${comment(about)}
export interface ${name} extends ResourceFields ${block(members)}
`;
}

/** Fields that need a scope of their own may be missing. */
function recordMembers(definition: ObjectDefinition): Member[] {
  return Object.entries(definition.fields).flatMap(([name, field]) => {
    if (definition.hidden.includes(name)) return [];
    const isProtected = definition.protected.includes(name);
    const about = isProtected ? { about: `Only with the scope fields.${name}` } : {};
    return [{ name, type: fieldType(field), isOptional: isProtected, ...about }];
  });
}

/** The types of records of registered objects, and of what a client may ask of each of them. */
function objectTexts(registry: Registry) {
  const others = [...registry.objects.values()].filter((one) => one !== registry.resources);
  const names = typeNames(
    others.map(({ name }) => [name, name] as const),
    { otherwise: 'Object', ending: 'Record', taken: [] },
  );
  const typeOf = ({ name }: ObjectDefinition): string => names.get(name) ?? 'Resource';
  const all = [...registry.objects.values()];
  return {
    records: others.map((one) => `export interface ${typeOf(one)} ${block(recordMembers(one))}\n`),
    objects: `${comment('The records of registered objects, by the names of the objects.')}
export interface Objects ${block(all.map((one) => ({ name: one.name, type: typeOf(one) })))}
`,
    asked: block([...all.map((one) => ({ name: one.name, type: askedType(one, typeOf(one)) })), translation], '  '),
  };
}

/** No object of the site: what `include=translations` shows. */
const translation: Member = {
  name: 'translations',
  type: block(
    [
      ['record', '{ context: string; language: string; id: number; uri: string; url: string }'],
      ['key', 'number'],
      ...['filter', 'sort'].map((name) => [name, 'never'] as const),
      ['relations', 'Record<never, never>'],
      ...['required', 'immutable', 'can'].map((name) => [name, 'never'] as const),
    ].map(([name = '', type = '']) => ({ name, type })),
    '    ',
  ),
};

function askedType(definition: ObjectDefinition, record: string): string {
  const { fields, primaryKey, hidden } = definition;
  const can = Object.entries(rightOf).flatMap(([action, flag]) => (definition[flag] ? [action] : []));
  const key = fields[primaryKey];
  const relations = definition.relations.map(
    (one): Member => ({
      name: one.name,
      type: `{ object: ${literal(one.isTranslation ? 'translations' : one.target)}; list: ${isList(one)}; fields: ${union(one.fields)} }`,
    }),
  );
  const shown = (names: readonly string[]): string => union(names.filter((name) => !hidden.includes(name)));
  return block(
    [
      { name: 'record', type: record },
      { name: 'key', type: key === undefined ? 'string' : fieldType({ ...key, nullable: false }) },
      { name: 'filter', type: union(definition.filterable) },
      { name: 'sort', type: union(definition.sortable) },
      { name: 'relations', type: relations.length === 0 ? 'Record<never, never>' : block(relations, '      ') },
      { name: 'required', type: shown(definition.required) },
      { name: 'immutable', type: shown(definition.immutable) },
      { name: 'can', type: union(can) },
    ],
    '    ',
  );
}
