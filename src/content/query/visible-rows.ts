/** Fields as columns, and which rows a caller may see, as conditions of a statement. */

import type { FieldDefinition, ObjectDefinition } from '../objects/definition.js';
import type { RowPolicy } from './authorize.js';
import { all, type ColumnRef, type Predicate } from './predicate.js';

export function columnRef(field: FieldDefinition): ColumnRef {
  // Unix times are never NULL: 0 means unset.
  return { column: field.column, text: field.type === 'string', nullable: field.nullable && field.storage !== 'unix' };
}

/** The column of a field that is known to exist. */
export function fieldRef(definition: ObjectDefinition, name: string): ColumnRef {
  const field = definition.fields[name];
  return field ? columnRef(field) : { column: name, text: false, nullable: true };
}

/** The row policy as conditions, in the order of the indexes: context, published, deleted first. */
export function visible(definition: ObjectDefinition, policy: RowPolicy): Predicate {
  const { visibility } = definition;
  const conditions: Predicate[] = [];
  const equals = (field: string, value: string | number): Predicate => ({
    kind: 'compare',
    ref: fieldRef(definition, field),
    comparison: 'eq',
    value,
  });
  if (visibility.context !== undefined && policy.context !== null) {
    conditions.push(equals(visibility.context, policy.context));
  }
  if (visibility.published !== undefined && policy.publishedOnly) conditions.push(equals(visibility.published, 1));
  if (visibility.deleted !== undefined && policy.hideDeleted) conditions.push(equals(visibility.deleted, 0));
  const key = fieldRef(definition, definition.primaryKey);
  if (policy.onlyContexts !== null) {
    conditions.push(
      policy.onlyContexts.length === 0
        ? { kind: 'nothing' }
        : { kind: 'in', ref: key, values: policy.onlyContexts, negated: false },
    );
  }
  if (visibility.category !== undefined && policy.hiddenCategories.size > 0) {
    const ref = fieldRef(definition, visibility.category);
    conditions.push({ kind: 'in', ref, values: [...policy.hiddenCategories], negated: true });
  }
  if (policy.groups.protecting.length > 0) {
    conditions.push({ kind: 'resource_groups', ref: key, ...policy.groups });
  }
  return all(conditions);
}
