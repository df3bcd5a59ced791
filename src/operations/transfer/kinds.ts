/** The objects of exports and imports in the order in which they refer to one another. */
import { coreObjects } from '../../content/objects/core-objects.js';
import type { ObjectDefinition, Registry } from '../../content/objects/definition.js';
import type { Param } from '../../store/base/database.js';
import { wordList } from '../../values/text.js';
import { bannerKinds } from './banner-kinds.js';
import { elementKinds } from './element-kinds.js';
import type { Kind, RecordKind } from './kind.js';
import { link, type Member, plain } from './members.js';
import { pagesKind, sectionTypesKind } from './page-kinds.js';
import { peopleKinds } from './people-kinds.js';
import { resourceKinds } from './resource-kinds.js';
import { tableKind } from './table-kind.js';

const { context_settings: contextSettings, ...elements } = elementKinds;
export const recordKinds: Readonly<Record<string, RecordKind>> = {
  ...peopleKinds,
  ...elements,
  ...resourceKinds,
  // Their values may be resources.
  context_settings: contextSettings,
};

export const contentTables: readonly string[] = Object.values(recordKinds).map(({ table }) => table);

export function transferKinds(registry: Registry | null): ReadonlyMap<string, Kind> {
  const core = new Set(coreObjects.map(({ name }) => name));
  const extras = [...(registry?.objects.values() ?? [])].filter(({ name, readable }) => readable && !core.has(name));
  const kinds = [
    ...tableKinds(recordKinds),
    ...tableKinds(Object.fromEntries(extras.map((one) => [one.name, extraKind(one)]))),
    sectionTypesKind,
    pagesKind,
    ...tableKinds(bannerKinds),
  ];
  return new Map(kinds.map((kind) => [kind.object, kind]));
}

function tableKinds(kinds: Readonly<Record<string, RecordKind>>): Kind[] {
  return Object.entries(kinds).map(([object, kind]) => tableKind(object, kind));
}

const linked = [
  ...(['contexts', 'content_types', 'templates', 'tvs', 'chunks', 'snippets', 'categories', 'resources'] as const),
];
const timeNames = wordList('editedon edited_on updatedon updated_on updated_at createdon created_on created_at');

/** Hidden fields stay where they are. */
function extraKind(definition: ObjectDefinition): RecordKind {
  const { fields, hidden, primaryKey, prefixed, relations, table, visibility } = definition;
  const shown = Object.entries(fields).filter(([name]) => !hidden.includes(name));
  const times = shown.filter(([name, { type }]) => type === 'datetime' && timeNames.includes(name));
  const unit = times.every(([, { storage }]) => storage === 'unix') ? 'seconds' : 'text';
  const context = visibility.context === undefined ? undefined : fields[visibility.context]?.column;
  return {
    table,
    hasNoPrefix: !prefixed,
    members: Object.fromEntries(shown.map(([name, field]) => [name, memberOf(definition, { name, field })])),
    key: [primaryKey],
    primary: [fields[primaryKey]?.column ?? primaryKey],
    isOrderedByKey:
      fields[primaryKey]?.type === 'integer' &&
      !relations.some(({ type, foreignKey }) => type === 'to_one' && foreignKey === primaryKey),
    ...(context === undefined ? {} : { context }),
    ...(times.length === 0 ? {} : { changed: { columns: times.map(([, { column }]) => column), unit } }),
  };
}

function memberOf(
  { primaryKey, relations }: ObjectDefinition,
  { name, field }: { readonly name: string; readonly field: ObjectDefinition['fields'][string] },
): Member {
  const relation = relations.find(({ type, foreignKey }) => type === 'to_one' && foreignKey === name);
  const none: Param = field.nullable && relation?.target !== 'categories' ? null : 0;
  const target = linked.find((kind) => kind === relation?.target);
  const isLink = target !== undefined && relation?.localKey === (target === 'contexts' ? 'key' : 'id');
  const member = isLink ? link(target, field.column, none) : plain(field, undefined);
  return { ...member, default: undefined, isOptional: name !== primaryKey };
}
