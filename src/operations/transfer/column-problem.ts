/** Whether a column that is really there holds a value: sites differ in lengths, numbers and character sets. */
import type { FieldDefinition } from '../../content/objects/definition.js';
import { valueProblem } from '../../content/resources/check-values.js';
import type { Column } from '../../store/base/columns.js';
import type { Param } from '../../store/base/database.js';

const anyText: FieldDefinition = { column: '', type: 'string', nullable: false };

/** Null when it does. */
export function columnProblem(value: Param, column: Column): string | null {
  if (value === null) return column.nullable ? null : 'must not be null';
  if (typeof value === 'string') return valueProblem(value, { field: anyText, column });
  const [smallest, largest] = column.range ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const fits = typeof value !== 'number' || (value >= smallest && value <= largest);
  return fits || column.type === 'text' ? null : `must be from ${smallest} to ${largest}`;
}
