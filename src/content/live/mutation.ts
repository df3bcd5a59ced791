/** One requested change of one record with everything that it changed, and the cache tags (docs/gateway.md#caching) of both. */

import { trimOf } from '../../values/text.js';
import type { EventAction } from '../../webhooks/rules/events.js';
import type { ObjectDefinition, Registry } from '../objects/definition.js';
import { type JsonValue, writtenValue } from '../objects/values.js';
import { offered } from '../query/authorize.js';
import type { LoadedRow } from '../reading/select-rows.js';

/** A datetime is Unix seconds or null; the row writer decides how a column stores values. */
export type FieldValues = Readonly<Record<string, JsonValue>>;

export interface RecordChanges {
  readonly values: FieldValues;
  readonly tvs: Readonly<Record<string, JsonValue>> | null;
  /** In the form of typed reads, null also means a value that has no typed form. */
  readonly tvsAreTyped?: boolean;
}

export interface RowChange {
  readonly object: string;
  readonly key: string | number;
  /** Former values of fields that filters, sorts, visibility and addresses use; null = no such row. */
  readonly before: FieldValues | null;
  readonly after: FieldValues | null;
}

/** About a value that was written although it breaks a rule. */
export interface Warning {
  readonly field: string;
  readonly message: string;
}

export interface Mutation {
  readonly object: string;
  readonly action: EventAction;
  readonly key: string | number;
  /** `context`, `uri` and `parent` are those after the change (before it for a removed record); null if it has none. */
  readonly context: string | null;
  readonly uri: string | null;
  readonly parent: number | null;
  readonly rows: readonly RowChange[];
  /** Answers of other objects show or depend on the record: every answer may have changed. */
  readonly changesAll?: true;
  readonly touched?: readonly number[];
  readonly warnings?: readonly Warning[];
  readonly isQuiet?: boolean;
}

/** Longer text is too large to be announced, and only searches use it. */
const longestText = 300;

export function announcedFields(definition: ObjectDefinition, registry: Registry): readonly string[] {
  const { visibility } = definition;
  const { filterable, sortable } = offered(definition, true);
  const references = [...registry.objects.values()].flatMap(({ name, relations }) =>
    relations.flatMap((one) => [
      ...(name === definition.name ? [one.type === 'to_one' ? one.foreignKey : one.localKey] : []),
      ...(one.target === definition.name ? [one.type === 'to_one' ? one.localKey : one.foreignKey] : []),
    ]),
  );
  const short = definition.searchable.filter((name) => {
    const limit = definition.fields[name]?.maxLength;
    return limit !== undefined && limit <= longestText;
  });
  const announced = new Set([
    definition.primaryKey,
    ...filterable,
    ...sortable,
    ...short,
    ...references,
    ...[visibility.published, visibility.deleted, visibility.context].filter((name) => name !== undefined),
    'uri',
    'alias',
    'parent',
  ]);
  return Object.keys(definition.fields).filter((name) => announced.has(name));
}

export function factsOf(definition: ObjectDefinition, names: readonly string[], row: LoadedRow): FieldValues {
  const entries = names.flatMap((name): [string, JsonValue][] => {
    const field = definition.fields[name];
    return field ? [[name, writtenValue(field, row.raw(name))]] : [];
  });
  return Object.fromEntries(entries);
}

export function mutationOf(
  definition: ObjectDefinition,
  action: EventAction,
  change: Omit<RowChange, 'object'>,
): Mutation {
  const { visibility, name } = definition;
  const facts = change.after ?? change.before ?? {};
  const text = (field: string | undefined): string | null => {
    const value = field === undefined ? null : facts[field];
    return typeof value === 'string' ? value : null;
  };
  const parent = facts['parent'];
  return {
    object: name,
    action,
    key: change.key,
    context: text(visibility.context),
    uri: text('uri'),
    parent: typeof parent === 'number' ? parent : null,
    rows: [{ object: name, ...change }],
  };
}

/** Of the files of the site, which are no object of the gateway. */
export const mediaObject = 'media';

function encodeTag(text: string): string {
  return text.replace(/[^A-Za-z0-9\-._~/:]+/g, (signs) =>
    Buffer.from(signs).toString('hex').toUpperCase().replace(/../g, '%$&'),
  );
}

export function keyTag(object: string, key: string | number): string {
  return `gateway:${object}:${typeof key === 'number' ? key : encodeTag(key)}`;
}

export function uriTag(uri: string): string {
  return `gateway:uri:${encodeTag(trimOf(uri, '/'))}`;
}

/** Represents everything that depends on the set of the object's rows. */
export function objectTag(object: string): string {
  return `gateway:${object}`;
}

export function contextTag(context: string): string {
  return `gateway:context:${encodeTag(context)}`;
}

/** Each tag once: of the record, its former values, then other changed rows. Every affected answer has one. */
export function revalidateTags(mutation: Mutation): string[] {
  const { object, key, context, uri, parent } = mutation;
  const tags = new Set([objectTag(object)]);
  if (context !== null && context !== '') tags.add(contextTag(context));
  tags.add(keyTag(object, key));
  if (uri !== null && uri !== '') tags.add(uriTag(uri));
  if (parent !== null && parent > 0) tags.add(keyTag(object, parent));
  if (object === 'resources' && mutation.action === 'deleted') tags.add('gateway:resources:list');
  for (const row of mutation.rows) {
    for (const tag of tagsOfRow(row)) tags.add(tag);
  }
  return [...tags];
}

export function tagsOfRow({ object, key, before, after }: RowChange): string[] {
  const tags = [objectTag(object), keyTag(object, key)];
  const sides = [after ?? [], before ?? []].flat();
  for (const { context_key: context, uri } of sides) {
    if (typeof context === 'string' && context !== '') tags.push(contextTag(context));
    if (typeof uri === 'string' && uri !== '') tags.push(uriTag(uri));
  }
  if (before !== null && after !== null && before['parent'] !== after['parent']) {
    for (const { parent } of sides) if (typeof parent === 'number' && parent > 0) tags.push(keyTag(object, parent));
  }
  return tags;
}
