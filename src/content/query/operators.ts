/** `plan-filter.ts` makes conditions from these rows; OpenAPI, the API reference and the help of commands list them. */
import type { FieldDefinition } from '../objects/definition.js';

export type Operator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'in' | 'not_in' | 'null' | 'not_null';

interface OperatorRow {
  readonly operator: Operator;
  readonly aliases: readonly string[];
  /** 'list': comma or repeated; 'none': the value is ignored. */
  readonly takes: 'one' | 'list' | 'none';
  readonly on?: 'string';
  readonly description: string;
}

export const operators: readonly OperatorRow[] = [
  { operator: 'eq', aliases: [], takes: 'one', description: 'equal; text is compared exactly' },
  { operator: 'neq', aliases: ['ne'], takes: 'one', description: 'not equal; rows without a value do not match' },
  { operator: 'gt', aliases: [], takes: 'one', description: 'greater than' },
  { operator: 'gte', aliases: [], takes: 'one', description: 'greater than or equal' },
  { operator: 'lt', aliases: [], takes: 'one', description: 'less than' },
  { operator: 'lte', aliases: [], takes: 'one', description: 'less than or equal' },
  {
    operator: 'like',
    aliases: [],
    takes: 'one',
    on: 'string',
    description: 'pattern with % and _; upper and lower case are the same',
  },
  { operator: 'in', aliases: [], takes: 'list', description: 'one of a comma list; an empty list matches nothing' },
  {
    operator: 'not_in',
    aliases: [],
    takes: 'list',
    description: 'none of a comma list; rows without a value do not match',
  },
  { operator: 'null', aliases: [], takes: 'none', description: 'has no value; the given value is ignored' },
  { operator: 'not_null', aliases: [], takes: 'none', description: 'has a value; the given value is ignored' },
];

const bySpelling = new Map(
  operators.flatMap((row) => [row.operator, ...row.aliases].map((name) => [name, row] as const)),
);

export function operatorsOn(type: FieldDefinition['type']): readonly OperatorRow[] {
  return operators.filter(({ on }) => on === undefined || on === type);
}

export function findOperator(spelling: string): OperatorRow | undefined {
  return bySpelling.get(spelling);
}

export const operatorNames: readonly string[] = operators.flatMap((row) => [row.operator, ...row.aliases]);
