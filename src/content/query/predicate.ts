/** Conditions of a plan: a tree over columns with typed values. Policy joins a caller's filters here, as nodes. */

export type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
export type Scalar = string | number;

/** A column as conditions and sorts need it. */
export interface ColumnRef {
  readonly column: string;
  /** Text is compared exactly and ordered by code point on every store. */
  readonly text: boolean;
  /** The column may hold NULL, which sorts first ascending on every store. */
  readonly nullable: boolean;
}

export type Predicate =
  | { readonly kind: 'compare'; readonly ref: ColumnRef; readonly comparison: Comparison; readonly value: Scalar }
  | { readonly kind: 'in'; readonly ref: ColumnRef; readonly values: readonly Scalar[]; readonly negated: boolean }
  /** No value: NULL, or the given stand-in (0 for unset unix times). */
  | { readonly kind: 'null'; readonly ref: ColumnRef; readonly unset: number | null; readonly negated: boolean }
  /** SQL pattern with the caller's own wildcards; upper and lower case are the same. */
  | { readonly kind: 'like'; readonly ref: ColumnRef; readonly pattern: string }
  /** Literal substring of any of the columns; upper and lower case are the same. */
  | { readonly kind: 'contains'; readonly refs: readonly ColumnRef[]; readonly text: string }
  | { readonly kind: 'all'; readonly of: readonly Predicate[] }
  | { readonly kind: 'any'; readonly of: readonly Predicate[] }
  | { readonly kind: 'nothing' }
  /** Not in a protecting resource group, or in a granting one. `ref` is the resource id. */
  | {
      readonly kind: 'resource_groups';
      readonly ref: ColumnRef;
      readonly protecting: readonly number[];
      readonly granting: readonly number[];
    };

/** One ORDER BY term. */
export interface OrderTerm {
  readonly ref: ColumnRef;
  readonly direction: 'asc' | 'desc';
}

/** Joins conditions with AND; a single one stays itself. */
export function all(predicates: readonly Predicate[]): Predicate {
  const [first] = predicates;
  return predicates.length === 1 && first ? first : { kind: 'all', of: predicates };
}

/** True when the condition may have to look at every row: patterns and text searches. */
export function mayScan(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'like':
    case 'contains':
      return true;
    case 'all':
    case 'any':
      return predicate.of.some(mayScan);
    default:
      return false;
  }
}
