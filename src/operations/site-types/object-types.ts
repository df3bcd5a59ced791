/** The types of records of registered objects, and of what a client may ask of each of them. */
import { isList, type ObjectDefinition, type Registry } from '../../content/objects/definition.js';
import { block, comment, literal, type Member, typeNames, union } from './type-text.js';
import { fieldType } from './value-types.js';

/** Fields that need a scope of their own may be missing. */
export function recordMembers(definition: ObjectDefinition): Member[] {
  return Object.entries(definition.fields).flatMap(([name, field]) => {
    if (definition.hidden.includes(name)) return [];
    const isProtected = definition.protected.includes(name);
    const about = isProtected ? { about: `Only with the scope fields.${name}` } : {};
    return [{ name, type: fieldType(field), isOptional: isProtected, ...about }];
  });
}

interface ObjectTexts {
  readonly records: readonly string[];
  /** `Objects`, and the member `objects` of `Site`. */
  readonly objects: string;
  readonly asked: string;
}

export function objectTexts(registry: Registry, resourceType: string, taken: Iterable<string>): ObjectTexts {
  const others = [...registry.objects.values()].filter((one) => one !== registry.resources);
  const names = typeNames(
    others.map(({ name }) => [name, name] as const),
    { otherwise: 'Object', ending: 'Record', taken },
  );
  const typeOf = ({ name }: ObjectDefinition): string => names.get(name) ?? resourceType;
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

const actions = { read: 'readable', create: 'creatable', update: 'updatable', delete: 'deletable' } as const;

function askedType(definition: ObjectDefinition, record: string): string {
  const { fields, primaryKey, hidden } = definition;
  const can = Object.entries(actions).flatMap(([action, flag]) => (definition[flag] ? [action] : []));
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
