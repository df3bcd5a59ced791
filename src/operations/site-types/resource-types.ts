/** The types of resources, one for each template, with the template variables that it has. */
import type { ObjectDefinition } from '../../content/objects/definition.js';
import { recordMembers } from './object-types.js';
import type { SiteFacts } from './read-site.js';
import { block, comment, type Member, typeNames } from './type-text.js';
import { shape } from './value-types.js';

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

export function resourceTexts(definition: ObjectDefinition, { templates, tvs }: SiteFacts): ResourceTexts {
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
