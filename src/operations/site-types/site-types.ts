/** TypeScript declarations for one site. The same site always has the same text, so its file does not change. */

import type { Site } from '../../content/live/site.js';
import { type ObjectDefinition, offeredObjects } from '../../content/objects/definition.js';
import type { Reader } from '../../store/base/database.js';
import { objectTexts, recordMembers } from './object-types.js';
import { readSite, type SiteFacts } from './read-site.js';
import { sectionsText, sharedTypes } from './section-types.js';
import { block, comment, type Member, typeNames, union } from './type-text.js';
import { jsonTypes, shape } from './value-types.js';

export const firstLine = '// Types of this site, made by `hcd types`. Changes are lost when it runs again.';

export interface SiteTypes {
  readonly text: string;
  readonly counts: Readonly<Record<'templates' | 'tvs' | 'section_types' | 'objects' | 'contexts', number>> & {
    readonly uris: number | null;
  };
}

export async function siteTypes(site: Site, own: Reader, asked: { readonly withUris: boolean }): Promise<SiteTypes> {
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
  const objects = objectTexts(registry, 'Resource', []);
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

/** For people who choose a title. */
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

interface ResourceTexts {
  readonly text: string;
  readonly references: readonly string[];
}

function resourceTexts(definition: ObjectDefinition, { templates, tvs }: SiteFacts): ResourceTexts {
  const names = typeNames(
    templates.map(({ id, name }) => [id, name] as const),
    { otherwise: 'Template', ending: 'Resource', taken: ['Resource', ofOthers] },
  );
  const parts = templates.map(({ id, name }) =>
    partText({ name: names.get(id) ?? ofOthers, template: id, about: `Template ${id}: ${name}`, tvs: tvsOf(id) }),
  );
  function tvsOf(template: number): Member[] {
    return tvs
      .filter((tv) => tv.templates.includes(template))
      .map((tv) => ({
        name: tv.name,
        type: tv.valueType,
        isOptional: tv.isRestricted,
        ...aboutOf(tv),
      }));
  }
  const other = partText({ name: ofOthers, template: 0, about: 'Without a template', tvs: [] });
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

interface Part {
  readonly name: string;
  readonly template: number;
  readonly about: string;
  readonly tvs: readonly Member[];
}

function partText({ name, template, about, tvs }: Part): string {
  const members = [
    { name: 'template', type: String(template) },
    { name: 'tvs', type: shape(tvs, '  '), about: 'With include=tvs and tv_format=typed' },
  ];
  return `${comment(about)}
export interface ${name} extends ResourceFields ${block(members)}
`;
}
