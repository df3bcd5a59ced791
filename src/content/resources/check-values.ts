/**
 * Whether values fit the columns that are really there: an existing site may have shorter ones than the definition, or
 * a character set of three bytes. Nothing is ever cut (docs/reference/storage.md#text-and-columns).
 */
import type { Problems } from '../../errors/app-error.js';
import type { Column } from '../../store/base/columns.js';
import type { FieldValues } from '../live/mutation.js';
import type { FieldDefinition } from '../objects/definition.js';
import { type JsonValue, ValueProblem } from '../objects/values.js';
import { parseWriteValue } from '../objects/write-values.js';
import type { ResourceWork } from './resource-write.js';

type RealColumn = Pick<Column, 'maxLength' | 'maxBytes' | 'charset'>;

/** Adds a problem for every value that its column cannot hold. */
export function checkValues({ definition, table }: ResourceWork, values: FieldValues, problems: Problems): void {
  for (const [name, value] of Object.entries(values)) {
    const field = definition.fields[name];
    const problem = field ? valueProblem(value, { field, column: table.columns.get(field.column) }) : null;
    if (problem !== null) problems.add(name, problem);
  }
}

/** Why a value fits neither its field nor its column; null when it does. */
export function valueProblem(
  value: JsonValue,
  { field, column }: { readonly field: FieldDefinition; readonly column: RealColumn | undefined },
): string | null {
  const parsed = parseWriteValue(column === undefined ? field : narrowed(field, column), value);
  if (parsed instanceof ValueProblem) return parsed.problem;
  if (typeof value !== 'string' || fitsCharset(value, column?.charset ?? null)) return null;
  return `must not have characters beyond U+FFFF (such as emoji): the database keeps it as ${column?.charset}`;
}

function narrowed(field: FieldDefinition, { maxLength, maxBytes }: RealColumn): FieldDefinition {
  return {
    ...field,
    ...(maxLength === null ? {} : { maxLength: Math.min(maxLength, field.maxLength ?? maxLength) }),
    ...(maxBytes === null ? {} : { maxBytes: Math.min(maxBytes, field.maxBytes ?? maxBytes) }),
  };
}

function fitsCharset(text: string, charset: string | null): boolean {
  if (charset !== 'utf8' && charset !== 'utf8mb3' && charset !== 'ucs2') return true;
  return !/[\u{10000}-\u{10ffff}]/u.test(text);
}
