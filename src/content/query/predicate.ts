/** Conditions over columns. */
import type { FieldDefinition, ObjectDefinition } from '../objects/definition.js';
import type { ChosenWords, SearchTerms } from '../rules/search-words.js';

/** `order` is negative, 0 or positive as the stored value is before, equal to or after the given one. */
export const comparisons = {
  eq: { sign: '=', holds: (order: number) => order === 0 },
  neq: { sign: '<>', holds: (order: number) => order !== 0 },
  gt: { sign: '>', holds: (order: number) => order > 0 },
  gte: { sign: '>=', holds: (order: number) => order >= 0 },
  lt: { sign: '<', holds: (order: number) => order < 0 },
  lte: { sign: '<=', holds: (order: number) => order <= 0 },
} as const;
type Comparison = keyof typeof comparisons;
export type Scalar = string | number;

export interface TvRef {
  readonly id: number;
  readonly of: 'value' | 'member';
  /** `whole` is a text that may be too long for the index, `any` only says that there is a value. */
  readonly as: 'number' | 'text' | 'whole' | 'any';
}

export interface ColumnRef {
  /** The value of a template variable instead of a column; no value sorts last on every store. */
  readonly tv?: TvRef;
  readonly column: string;
  /** Text is compared exactly and ordered by code point on every store. */
  readonly text: boolean;
  readonly nullable: boolean;
}

export type Predicate =
  | { readonly kind: 'compare'; readonly ref: ColumnRef; readonly comparison: Comparison; readonly value: Scalar }
  | { readonly kind: 'in'; readonly ref: ColumnRef; readonly values: readonly Scalar[]; readonly negated: boolean }
  /** NULL, or the value that means NULL (0 for unset unix times). */
  | { readonly kind: 'null'; readonly ref: ColumnRef; readonly unset: number | null; readonly negated: boolean }
  /** SQL pattern with the caller's own wildcards; ignores case. */
  | { readonly kind: 'like'; readonly ref: ColumnRef; readonly pattern: string }
  /** Literal substring of any of the columns; ignores case. */
  | { readonly kind: 'contains'; readonly refs: readonly ColumnRef[]; readonly text: string }
  /** By the full-text index, unless words are chosen. `ref` is the resource id. */
  | { readonly kind: 'words'; readonly ref: ColumnRef; readonly terms: SearchTerms; readonly chosen?: ChosenWords }
  /** A member of the list meets the condition. */
  | {
      readonly kind: 'tv_member';
      readonly ref: ColumnRef;
      readonly tv: number;
      readonly member: Predicate;
      readonly negated: boolean;
    }
  | { readonly kind: 'all'; readonly of: readonly Predicate[] }
  | { readonly kind: 'any'; readonly of: readonly Predicate[] }
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'resource_groups';
      readonly ref: ColumnRef;
      readonly protecting: readonly number[];
      readonly granting: readonly number[];
    };

export interface OrderTerm {
  readonly ref: ColumnRef;
  readonly direction: 'asc' | 'desc';
}

export function all(predicates: readonly Predicate[]): Predicate {
  const [first] = predicates;
  return predicates.length === 1 && first ? first : { kind: 'all', of: predicates };
}

export function equals(ref: ColumnRef, value: Scalar): Predicate {
  return { kind: 'compare', ref, comparison: 'eq', value };
}

export function oneOf(ref: ColumnRef, values: readonly Scalar[]): Predicate {
  return values.length === 0 ? { kind: 'nothing' } : { kind: 'in', ref, values, negated: false };
}

export function hasKey(definition: ObjectDefinition, key: Scalar): Predicate {
  return equals(fieldRef(definition, definition.primaryKey), key);
}

export function hasAnyKey(definition: ObjectDefinition, keys: readonly Scalar[]): Predicate {
  return oneOf(fieldRef(definition, definition.primaryKey), keys);
}

export function conditionsIn(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === 'all' ? predicate.of.flatMap(conditionsIn) : [predicate];
}

export function mayScan(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'like':
    case 'contains':
    case 'words':
      return true;
    case 'all':
    case 'any':
      return predicate.of.some(mayScan);
    case 'tv_member':
      return mayScan(predicate.member);
    case 'compare':
    case 'in':
    case 'null':
    case 'nothing':
    case 'resource_groups':
      return false;
  }
}

export function columnRef(field: FieldDefinition): ColumnRef {
  // Unix times are never NULL: 0 means unset.
  return { column: field.column, text: field.type === 'string', nullable: field.nullable && field.storage !== 'unix' };
}

export function fieldRef(definition: ObjectDefinition, name: string): ColumnRef {
  const field = definition.fields[name];
  return field ? columnRef(field) : { column: name, text: false, nullable: true };
}
