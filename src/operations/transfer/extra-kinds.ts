/** Records of registered extra objects: their fields, with names instead of the ids of core objects. */
import type { ObjectDefinition } from '../../content/objects/definition.js';
import type { Param } from '../../store/base/database.js';
import { category, type Member, plain, reference, resource } from './members.js';
import type { NamedKind } from './names.js';
import type { RecordKind } from './record-kind.js';

const namedTargets: readonly NamedKind[] = ['contexts', 'content_types', 'templates', 'tvs', 'chunks', 'snippets'];
const timeNames = [
  'editedon',
  'edited_on',
  'updatedon',
  'updated_on',
  'updated_at',
  'createdon',
  'created_on',
  'created_at',
];

/** Hidden fields stay where they are. */
export function extraKind(definition: ObjectDefinition): RecordKind {
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
  const none: Param = field.nullable ? null : 0;
  const isRequired = name === primaryKey;
  const member = ((): Member => {
    if (relation?.target === 'resources' && relation.localKey === 'id') return resource(field.column, none);
    if (relation?.target === 'categories' && relation.localKey === 'id') return category(field.column);
    const target = namedTargets.find((kind) => kind === relation?.target);
    return target === undefined ? plain(field, undefined) : reference(target, field.column, none);
  })();
  return { ...member, default: undefined, isOptional: !isRequired };
}
