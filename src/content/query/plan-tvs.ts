/** Filters and sorts by `tv.NAME`, typed by the variable. A hidden variable is answered like an unknown one. */
import type { Problems } from '../../errors/app-error.js';
import { accept, type Checked, refuse } from '../../values/checked.js';
import { timeSeconds } from '../../values/dates.js';
import type { ListedTv } from '../models/template-variables.js';
import type { FieldDefinition, ObjectDefinition } from '../objects/definition.js';
import { parseFilterValue } from '../objects/values.js';
import { indexText } from '../rules/tv-index.js';
import { refersToResources, type TvKind, tvKind } from '../rules/tv-types.js';
import type { FilterTerm } from './ast.js';
import { type Caller, tvPolicy } from './authorize.js';
import { type Operator, operatorsOn } from './operators.js';
import { all, type ColumnRef, type OrderTerm, type Predicate, type Scalar, type TvRef } from './predicate.js';

export interface TvNames {
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
  if (tv === undefined) return null;
  const { hiddenTvs, hiddenCategories } = tvPolicy(caller, context);
  return hiddenTvs.has(tv.id) || hiddenCategories.has(tv.category) ? null : tv;
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

const isKnownProblem = 'is not a template variable of this site; GET /schema lists them';

export function operatorsOnTv(kind: TvKind): ReturnType<typeof operatorsOn> {
  const rows = operatorsOn(fieldTypes[kind]);
  return kind === 'json' ? rows.filter(({ takes }) => takes === 'none') : rows;
}

export function planTvFilter(term: FilterTerm, names: TvNames): Predicate[] {
  const { definition, problems } = names;
  const { field, operator } = term;
  const tv = findTv(field, names);
  if (tv === null) {
    problems.add(field, isKnownProblem, 'Filter not allowed');
    return [];
  }
  const kind = tvKind(tv);
  const accepted = operatorsOnTv(kind).map((row) => row.operator);
  if (!accepted.includes(operator)) {
    const problem = `${operator} is not for values of the type ${tv.type}; operators: ${accepted.join(', ')}`;
    problems.add(field, problem, 'Invalid filter operator');
    return [];
  }
  const present: Predicate = { kind: 'null', ref: valueRef(tv.id, 'any'), unset: null, negated: operator !== 'null' };
  if (operator === 'null' || operator === 'not_null') return [present];
  const of = kind === 'list' ? 'member' : 'value';
  if (operator === 'like') {
    const ref = { ...valueRef(tv.id, 'whole'), tv: { id: tv.id, of, as: 'whole' } } as const;
    return [ofMembers({ kind: 'like', ref, pattern: term.values[0] ?? '' }, { definition, tv, kind, negated: false })];
  }
  const values = readValues(term, kind, problems);
  if (values === null) return [];
  const [value] = values;
  if (value === undefined) {
    if (operator === 'not_in') problems.add(field, 'not_in needs at least one value', 'Invalid filter value');
    return [{ kind: 'nothing' }];
  }
  const as = typeof value === 'string' ? 'text' : 'number';
  const ref: ColumnRef = { ...valueRef(tv.id, as), tv: { id: tv.id, of, as } };
  // No member may be the value, so the condition is that not one of them meets the opposite.
  const negated = kind === 'list' && (operator === 'neq' || operator === 'not_in');
  const condition = conditionOf(operator, { ref, value, values, negated });
  const member = ofMembers(condition, { definition, tv, kind, negated });
  return negated ? [all([present, member])] : [member];
}

function conditionOf(
  operator: Exclude<Operator, 'like' | 'null' | 'not_null'>,
  given: {
    readonly ref: ColumnRef;
    readonly value: Scalar;
    readonly values: readonly Scalar[];
    readonly negated: boolean;
  },
): Predicate {
  const { ref, value, values, negated } = given;
  if (operator === 'in' || operator === 'not_in') {
    return { kind: 'in', ref, values, negated: operator === 'not_in' && !negated };
  }
  return { kind: 'compare', ref, comparison: operator === 'neq' && negated ? 'eq' : operator, value };
}

function ofMembers(
  member: Predicate,
  about: {
    readonly definition: ObjectDefinition;
    readonly tv: ListedTv;
    readonly kind: TvKind;
    readonly negated: boolean;
  },
): Predicate {
  const { definition, tv, kind, negated } = about;
  if (kind !== 'list') return member;
  const ref: ColumnRef = { column: definition.primaryKey, text: false, nullable: false };
  return { kind: 'tv_member', ref, tv: tv.id, member, negated };
}

function readValues(term: FilterTerm, kind: TvKind, problems: Problems): readonly Scalar[] | null {
  const field: FieldDefinition = { type: fieldTypes[kind], column: term.field, nullable: false, storage: 'unix' };
  const values: Scalar[] = [];
  for (const text of term.values) {
    const parsed = kind === 'date' ? readTime(text) : parseFilterValue(field, text);
    if (!parsed.ok) {
      problems.add(term.field, parsed.problem, 'Invalid filter value');
      return null;
    }
    values.push(typeof parsed.value === 'string' ? indexText(parsed.value) : parsed.value);
  }
  return values;
}

function readTime(text: string): Checked<number> {
  const seconds = timeSeconds(text, 0);
  return Number.isInteger(seconds)
    ? accept(seconds + 0)
    : refuse('must be ISO 8601 with an offset (2026-11-21T09:30:00Z) or Unix seconds');
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
  return `${field} ${tv === null ? isKnownProblem : `cannot be sorted: it is of the type ${tv.type}`}`;
}

/** Null when its values can be included as records. */
export function tvRecordProblem(name: string, sight: TvSight): string | null {
  const tv = findNamed(name, sight);
  if (tv === null) return isKnownProblem;
  return refersToResources(tv) ? null : `names no records: it is of the type ${tv.type}`;
}

function valueRef(id: number, as: TvRef['as']): ColumnRef {
  // No changed row has such a column, so a condition on it counts as met.
  return {
    column: `${prefix}${id}`,
    text: as === 'text' || as === 'whole',
    nullable: true,
    tv: { id, of: 'value', as },
  };
}

export function isByTvs(where: Predicate, order: readonly OrderTerm[]): boolean {
  return looksAtTvs(where) || order.some(({ ref }) => ref.tv !== undefined);
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
