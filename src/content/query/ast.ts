/** The checked intent of a read, in field names, before anything is looked up. */

export type Operator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'in' | 'not_in' | 'null' | 'not_null';

/** Values are text until the definition gives their type. */
export interface FilterTerm {
  readonly field: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export interface SortTerm {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** Relation names from the queried object down; `tvs` is a separate request. */
export type IncludePath = readonly string[];

export type TvRequest = { readonly kind: 'all' } | { readonly kind: 'named'; readonly names: readonly string[] };

export interface ValueForm {
  /** By the type of the variable instead of texts. */
  readonly typed: boolean;
  /** Whether paths of files and relative links get the host, or start at its root; null = as stored. */
  readonly urls: 'absolute' | 'site' | null;
  readonly resolvesLinks: boolean;
  readonly resolvesTags: boolean;
  readonly stripsTags: boolean;
  /** Image variables as objects with size and placeholder. */
  readonly describesImages: boolean;
}

export type Paging =
  | { readonly kind: 'offset'; readonly limit: number; readonly offset: number }
  | { readonly kind: 'cursor'; readonly limit: number; readonly cursor: string };

export interface ShapeIntent {
  readonly fields: readonly string[] | null;
  readonly relationFields: ReadonlyMap<string, readonly string[]>;
  readonly include: readonly IncludePath[];
  /** Paths whose rows carry template variables; the empty path is the queried object. */
  readonly tvPaths: readonly IncludePath[];
  readonly tvs: TvRequest | null;
  readonly tvRecords: readonly string[];
  readonly form: ValueForm | null;
  readonly context: string | null;
  readonly preview: boolean;
  readonly includeDeleted: boolean;
}

/** All readable fields of what is published, and nothing else. */
export const plainShape: ShapeIntent = Object.freeze({
  fields: null,
  relationFields: new Map(),
  include: [],
  tvPaths: [],
  tvs: null,
  tvRecords: [],
  form: null,
  context: null,
  preview: false,
  includeDeleted: false,
});

export interface TreeIntent extends ShapeIntent {
  /** Id of the resource above the first level; 0 = the top of the site. */
  readonly root: number;
  readonly depth: number;
  readonly withHidden: boolean;
}

export interface ListIntent extends ShapeIntent {
  readonly filters: readonly FilterTerm[];
  readonly sort: readonly SortTerm[];
  readonly search: string | null;
  /** The best hits are first; null = no search. */
  readonly words: string | null;
  readonly withExcerpt: boolean;
  /** Only these keys, in this order; null = all. */
  readonly ids: readonly number[] | null;
  readonly paging: Paging;
}
