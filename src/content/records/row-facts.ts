/** What a mutation announces of a row: the fields that filters, sorts, visibility, relations and addresses use. */

import type { FieldValues, Mutation, MutationAction, RowChange } from '../live/mutation.js';
import type { ObjectDefinition, Registry } from '../objects/definition.js';
import type { JsonValue } from '../objects/values.js';
import { writtenValue } from '../objects/write-values.js';
import type { LoadedRow } from '../reading/select-rows.js';

/** Longer text is content: too large to be announced, and only searches use it. */
const longestText = 300;

/** Names of these fields, in the order of the definition. */
export function announcedFields(definition: ObjectDefinition, registry: Registry): string[] {
  const { visibility } = definition;
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
    ...definition.filterable,
    ...definition.sortable,
    ...short,
    ...references,
    ...[visibility.published, visibility.deleted, visibility.context].filter((name) => name !== undefined),
    'uri',
    'alias',
    'parent',
  ]);
  return Object.keys(definition.fields).filter((name) => announced.has(name));
}

/** Values of the fields as they are stored in the row. */
export function factsOf(definition: ObjectDefinition, names: readonly string[], row: LoadedRow): FieldValues {
  const entries = names.flatMap((name): [string, JsonValue][] => {
    const field = definition.fields[name];
    return field ? [[name, writtenValue(field, row.raw(name))]] : [];
  });
  return Object.fromEntries(entries);
}

/** The mutation of one row, with nothing else changed by it. */
export function mutationOf(
  definition: ObjectDefinition,
  action: MutationAction,
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
