/** Which fields of a section count: what is missed, and what people read, is what an editor can see and fill in. */

import { memberOf } from '../../values/json.js';
import { valueKindOf } from './field-types.js';
import { storedFields } from './field-value.js';
import type { FieldDefinition } from './section-type.js';

/** Fields that store something, are active, and are shown to the editor with these values. */
export function countingFields(
  fields: readonly FieldDefinition[],
  values: Readonly<Record<string, unknown>>,
): readonly FieldDefinition[] {
  return fields.flatMap((field) => {
    if (!field.active || !isShown(field, values)) return [];
    return valueKindOf(field.type) === 'group' ? countingFields(field.fields, values) : storedFields([field]);
  });
}

function isShown({ showWhen }: FieldDefinition, values: Readonly<Record<string, unknown>>): boolean {
  if (!showWhen) return true;
  const value = memberOf(values, showWhen.field);
  // Forms send numbers and flags as texts, and definitions are written by people who think of the form.
  return showWhen.values.some((wanted) => wanted === value || String(wanted) === String(value ?? ''));
}
