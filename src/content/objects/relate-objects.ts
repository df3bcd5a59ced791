/** Completes relations once all objects are known: checks target, keys and fields and fills in what was left out. */

import { type PlacedProblem, quote } from '../../values/json-tree.js';
import { checkRelationName } from './check-words.js';
import type { ObjectDefinition, RelationDefinition } from './definition.js';
import { type Checked, problemAt } from './object-problem.js';
import type { Placed, RelationWords } from './object-words.js';

/** Objects by name, with the fields that alone identify a row of each. */
export type KnownObjects = ReadonlyMap<
  string,
  { readonly definition: ObjectDefinition; readonly unique: ReadonlySet<string> }
>;

/** Fields of the target that an answer shows when the relation names none, beside its primary key. */
export const telling: readonly string[] = [
  'pagetitle',
  'templatename',
  'category',
  'name',
  'title',
  'label',
  'caption',
  'alias',
  'slug',
  'uri',
];

/** Order of to_many rows: `menuindex` where the target has it, then the primary key. */
const orderFields: readonly string[] = ['menuindex', 'rank', 'position'];

/** The relation of `object`; null with at least one problem. */
export function relate(
  words: RelationWords,
  { object, known }: { readonly object: ObjectDefinition; readonly known: KnownObjects },
): Checked<RelationDefinition> {
  const target = known.get(words.target.value);
  const named = checkRelationName(words, Object.keys(object.fields));
  if (!target) {
    const names = [...known.keys()].join(', ');
    const unknown = problemAt(words.target.place, `${quote(words.target.value)} is not an object; objects: ${names}`);
    return { value: null, problems: [...named, unknown] };
  }
  const toOne = words.type.value === 'to_one';
  const holder = toOne ? object : target.definition;
  const referenced = toOne ? target.definition : object;
  const localKey = words.localKey ?? { value: referenced.primaryKey, place: words.foreignKey.place };
  const problems = [
    ...named,
    ...(target.definition.readable ? [] : [problemAt(words.target.place, `${words.target.value} is not readable`)]),
    ...checkKeys({ words, holder, referenced, localKey }),
    ...(toOne &&
    words.localKey &&
    !target.unique.has(localKey.value) &&
    Object.hasOwn(referenced.fields, localKey.value)
      ? [
          problemAt(
            words.localKey.place,
            `${localKey.value} of ${referenced.name} is not unique, so that it names no one record`,
          ),
        ]
      : []),
    ...(words.fields ?? []).flatMap((field) => checkField(field, target.definition)),
  ];
  if (problems.length > 0) return { value: null, problems };
  return { value: complete(words, { target: target.definition, localKey: localKey.value }), problems };
}

function complete(
  words: RelationWords,
  { target, localKey }: { readonly target: ObjectDefinition; readonly localKey: string },
): RelationDefinition {
  const type = words.type.value;
  const order = type === 'to_one' ? undefined : orderFields.find((name) => isShown(name, target));
  return Object.freeze({
    name: words.name.value,
    target: target.name,
    type,
    foreignKey: words.foreignKey.value,
    localKey,
    fields: words.fields?.map(({ value }) => value) ?? defaultRelationFields(target),
    order: order === undefined ? [] : [order],
  });
}

/** The primary key and the text fields that tell a person which record it is. */
function defaultRelationFields(target: ObjectDefinition): string[] {
  const isText = (name: string) => Object.hasOwn(target.fields, name) && target.fields[name]?.type === 'string';
  const named = telling.filter((name) => isText(name) && isShown(name, target) && name !== target.primaryKey);
  return [target.primaryKey, ...named];
}

function isShown(name: string, { fields, hidden, protected: guarded }: ObjectDefinition): boolean {
  return Object.hasOwn(fields, name) && !hidden.includes(name) && !guarded.includes(name);
}

function checkKeys(asked: {
  readonly words: RelationWords;
  readonly holder: ObjectDefinition;
  readonly referenced: ObjectDefinition;
  readonly localKey: Placed<string>;
}): PlacedProblem[] {
  const { words, holder, referenced, localKey } = asked;
  const problems = [...missingField(words.foreignKey, holder), ...missingField(localKey, referenced)];
  if (problems.length > 0) return problems;
  const from = holder.fields[words.foreignKey.value]?.type;
  const to = referenced.fields[localKey.value]?.type;
  if (from === to && (from === 'integer' || from === 'string')) return [];
  return [
    problemAt(
      words.foreignKey.place,
      `${holder.name}.${words.foreignKey.value} (${from}) and ${referenced.name}.${localKey.value} (${to}) must both be integer or both string`,
    ),
  ];
}

function missingField({ value, place }: Placed<string>, { name, fields }: ObjectDefinition): PlacedProblem[] {
  if (Object.hasOwn(fields, value)) return [];
  return [problemAt(place, `${name} has no field ${quote(value)}; fields: ${Object.keys(fields).join(', ')}`)];
}

function checkField(field: Placed<string>, target: ObjectDefinition): PlacedProblem[] {
  const missing = missingField(field, target);
  if (missing.length > 0) return missing;
  return target.hidden.includes(field.value)
    ? [problemAt(field.place, `${field.value} of ${target.name} is hidden`)]
    : [];
}
