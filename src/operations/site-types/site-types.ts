/** TypeScript declarations for one site. The same site always has the same text, so its file does not change. */
import type { Site } from '../../content/live/site.js';
import { offeredObjects } from '../../content/objects/definition.js';
import type { Reader } from '../../store/base/database.js';
import { objectTexts } from './object-types.js';
import { readSite, type SiteFacts } from './read-site.js';
import { resourceTexts } from './resource-types.js';
import { sectionsText, sharedTypes } from './section-types.js';
import { block, comment, union } from './type-text.js';
import { jsonTypes } from './value-types.js';

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
