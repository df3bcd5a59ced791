/** Conditions from the filters of a list, by a field or by a template variable (`tv.NAME`), and the order by such. */
import type { Problems } from '../../errors/app-error.js';
import { accept, type Checked, refuse } from '../../values/checked.js';
import { timeSeconds } from '../../values/dates.js';
import type { ListedTv } from '../models/template-variables.js';
import type { FieldDefinition, ObjectDefinition } from '../objects/definition.js';
import { parseFilterValue } from '../objects/values.js';
import { indexText, refersToResources, type TvKind, tvKind } from '../rules/tv-types.js';
import type { FilterTerm, Operator } from './ast.js';
import { type Caller, tvPolicy } from './authorize.js';
import { all, type ColumnRef, columnRef, type Predicate, type Scalar, type TvRef } from './predicate.js';

interface OperatorRow {
  readonly operator: Operator;
  readonly aliases: readonly string[];
  /** 'list': comma or repeated; 'none': the value is ignored. */
  readonly takes: 'one' | 'list' | 'none';
  readonly on?: 'string';
  readonly description: string;
}

/** Conditions are made from these rows; OpenAPI, the API reference and the help of commands list them. */
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

export interface NameCheck {
  readonly definition: ObjectDefinition;
  readonly readable: readonly string[];
  readonly problems: Problems;
}

export interface TermCheck extends NameCheck {
  readonly tvs: TvNames;
}

export function planFilter(term: FilterTerm, check: TermCheck): Predicate[] {
  const filtered = isTvField(term.field, check.tvs) ? filteredTv(term, check.tvs) : filteredField(term, check);
  return filtered === null ? [] : conditionsOf(term, filtered, check.problems);
}

interface Filtered {
  readonly refTo: (as: TvRef['as']) => ColumnRef;
  readonly parse: (text: string) => Checked<Scalar>;
  readonly unset: number | null;
  /** Of a list: one of its members meets the condition, or with `negated` none does. Null for a single value. */
  readonly ofMembers: ((member: Predicate, negated: boolean) => Predicate) | null;
}

function filteredField({ field: name, operator }: FilterTerm, check: NameCheck): Filtered | null {
  const { definition, readable, problems } = check;
  const field = definition.fields[name];
  if (!field || !definition.filterable.includes(name) || !readable.includes(name)) {
    const accepted = definition.filterable.filter((one) => readable.includes(one));
    problems.add(name, `cannot be filtered; filterable: ${accepted.join(', ')}`, 'Filter not allowed');
    return null;
  }
  if (!operatorsOn(field.type).some((row) => row.operator === operator)) {
    problems.add(name, `${operator} needs a text field`, 'Invalid filter operator');
    return null;
  }
  return {
    refTo: () => columnRef(field),
    parse: (text) => parseFilterValue(field, text),
    unset: field.type === 'datetime' && field.storage === 'unix' ? 0 : null,
    ofMembers: null,
  };
}

function filteredTv({ field, operator }: FilterTerm, names: TvNames): Filtered | null {
  const { definition, problems } = names;
  const tv = findTv(field, names);
  if (tv === null) {
    problems.add(field, unknownTv, 'Filter not allowed');
    return null;
  }
  const kind = tvKind(tv);
  const accepted = operatorsOnTv(kind).map((row) => row.operator);
  if (!accepted.includes(operator)) {
    const problem = `${operator} is not for values of the type ${tv.type}; operators: ${accepted.join(', ')}`;
    problems.add(field, problem, 'Invalid filter operator');
    return null;
  }
  const ref: ColumnRef = { column: definition.primaryKey, text: false, nullable: false };
  return {
    refTo: (as) => valueRef(tv.id, as, kind === 'list' && as !== 'any' ? 'member' : 'value'),
    parse: kind === 'date' ? readTime : (text) => indexed(parseFilterValue(fieldOf(field, fieldTypes[kind]), text)),
    unset: null,
    ofMembers: kind === 'list' ? (member, negated) => ({ kind: 'tv_member', ref, tv: tv.id, member, negated }) : null,
  };
}

function fieldOf(column: string, type: FieldDefinition['type']): FieldDefinition {
  return { type, column, nullable: false, storage: 'unix' };
}

function indexed(parsed: Checked<Scalar>): Checked<Scalar> {
  return parsed.ok && typeof parsed.value === 'string' ? accept(indexText(parsed.value)) : parsed;
}

function readTime(text: string): Checked<number> {
  const seconds = timeSeconds(text, 0);
  return Number.isInteger(seconds)
    ? accept(seconds + 0)
    : refuse('must be ISO 8601 with an offset (2026-11-21T09:30:00Z) or Unix seconds');
}

function conditionsOf(
  { field, operator, values: texts }: FilterTerm,
  filtered: Filtered,
  problems: Problems,
): Predicate[] {
  const { refTo, parse, unset, ofMembers } = filtered;
  const present = (negated: boolean): Predicate => ({ kind: 'null', ref: refTo('any'), unset, negated });
  if (operator === 'null' || operator === 'not_null') return [present(operator === 'not_null')];
  if (operator === 'like') {
    const like: Predicate = { kind: 'like', ref: refTo('whole'), pattern: texts[0] ?? '' };
    return [ofMembers?.(like, false) ?? like];
  }
  const values: Scalar[] = [];
  for (const text of texts) {
    const parsed = parse(text);
    if (!parsed.ok) {
      problems.add(field, parsed.problem, 'Invalid filter value');
      return [];
    }
    values.push(parsed.value);
  }
  const [value] = values;
  if (value === undefined) {
    if (operator === 'not_in') problems.add(field, 'not_in needs at least one value', 'Invalid filter value');
    return [{ kind: 'nothing' }];
  }
  // No member may be the value, so the condition is that not one of them meets the opposite.
  const negated = ofMembers !== null && (operator === 'neq' || operator === 'not_in');
  const ref = refTo(typeof value === 'string' ? 'text' : 'number');
  const condition: Predicate =
    operator === 'in' || operator === 'not_in'
      ? { kind: 'in', ref, values, negated: operator === 'not_in' && !negated }
      : { kind: 'compare', ref, comparison: negated ? 'eq' : operator, value };
  if (negated) return [all([present(true), ofMembers(condition, true)])];
  // An unset time is stored as 0 and has no value: no comparison may match it.
  return [all([ofMembers?.(condition, false) ?? condition, ...(unset === null ? [] : [present(true)])])];
}

/** A hidden variable is answered like an unknown one. */
interface TvNames {
  readonly definition: ObjectDefinition;
  readonly caller: Caller;
  readonly context: string;
  readonly problems: Problems;
}

const prefix = 'tv.';

/** True for unknown variables too. */
export function isTvField(field: string, { definition }: Pick<TvNames, 'definition'>): boolean {
  return definition.templateVariables && field.startsWith(prefix);
}

type TvSight = Pick<TvNames, 'caller' | 'context'>;

function findTv(field: string, sight: TvSight): ListedTv | null {
  return findNamed(field.slice(prefix.length), sight);
}

function findNamed(name: string, { caller, context }: TvSight): ListedTv | null {
  const tv = caller.tvs.get(name);
  return tv !== undefined && tvPolicy(caller, context)(tv) ? tv : null;
}

const fieldTypes: Readonly<Record<TvKind, FieldDefinition['type']>> = {
  text: 'string',
  list: 'string',
  number: 'number',
  boolean: 'boolean',
  reference: 'integer',
  date: 'datetime',
  json: 'json',
};

const unknownTv = 'is not a template variable of this site; GET /schema lists them';

export function operatorsOnTv(kind: TvKind): ReturnType<typeof operatorsOn> {
  const rows = operatorsOn(fieldTypes[kind]);
  return kind === 'json' ? rows.filter(({ takes }) => takes === 'none') : rows;
}

export function isSortableTv(kind: TvKind): boolean {
  return kind !== 'json';
}

/** Null for an unknown variable or one without an order. */
export function planTvSort(field: string, names: TvNames): ColumnRef | null {
  const tv = isTvField(field, names) ? findTv(field, names) : null;
  if (tv === null) return null;
  const kind = tvKind(tv);
  if (!isSortableTv(kind)) return null;
  return valueRef(tv.id, kind === 'text' || kind === 'list' ? 'text' : 'number');
}

export function tvSortProblem(field: string, names: TvNames): string {
  const tv = findTv(field, names);
  return `${field} ${tv === null ? unknownTv : `cannot be sorted: it is of the type ${tv.type}`}`;
}

/** Null when its values can be included as records. */
export function tvRecordProblem(name: string, sight: TvSight): string | null {
  const tv = findNamed(name, sight);
  if (tv === null) return unknownTv;
  return refersToResources(tv) ? null : `names no records: it is of the type ${tv.type}`;
}

function valueRef(id: number, as: TvRef['as'], of: TvRef['of'] = 'value'): ColumnRef {
  // No changed row has such a column, so a condition on it counts as met.
  return { column: `${prefix}${id}`, text: as === 'text' || as === 'whole', nullable: true, tv: { id, of, as } };
}

export function looksAtTvs(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'tv_member':
      return true;
    case 'all':
    case 'any':
      return predicate.of.some(looksAtTvs);
    case 'compare':
    case 'in':
    case 'null':
    case 'like':
      return predicate.ref.tv !== undefined;
    case 'contains':
    case 'words':
    case 'nothing':
    case 'resource_groups':
      return false;
  }
}
