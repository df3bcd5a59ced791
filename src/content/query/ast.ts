/** The checked intent of a read: what a caller asks for, in terms of field names, before anything is looked up. */
import type { Operator } from './operators.js';

/** One condition. Values are still text: their type is known only with the definition. */
export interface FilterTerm {
  readonly field: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export interface SortTerm {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** One include path: relation names from the queried object down; `tvs` is a separate request. */
export type IncludePath = readonly string[];

/** Which template variables to attach; absent names are skipped. */
export type TvRequest = { readonly kind: 'all' } | { readonly kind: 'named'; readonly names: readonly string[] };

/** Forms of values other than the stored ones. */
export interface ValueForm {
  /** Values of template variables by the type of the variable, not as texts. */
  readonly typed: boolean;
  /** Paths of files and relative links with the host, or from its root; null = as they are stored. */
  readonly urls: 'absolute' | 'site' | null;
  /** Addresses and values instead of links and settings. */
  readonly resolvesLinks: boolean;
  /** Texts without the tags that are left. */
  readonly stripsTags: boolean;
}

export type Paging =
  | { readonly kind: 'offset'; readonly limit: number; readonly offset: number }
  | { readonly kind: 'cursor'; readonly limit: number; readonly cursor: string };

/** What shapes the answer of a list, a single read or a page lookup alike. */
export interface ShapeIntent {
  /** null = every field that the caller may read. */
  readonly fields: readonly string[] | null;
  /** Fields that the records of an included relation are to have, by its dotted path. */
  readonly relationFields: ReadonlyMap<string, readonly string[]>;
  readonly include: readonly IncludePath[];
  /** Paths under which rows carry template variables; the empty path is the queried object itself. */
  readonly tvPaths: readonly IncludePath[];
  readonly tvs: TvRequest | null;
  /** Template variables in whose place the record comes that they name. */
  readonly tvRecords: readonly string[];
  /** null = values as they are stored. */
  readonly form: ValueForm | null;
  readonly context: string | null;
  readonly preview: boolean;
  readonly includeDeleted: boolean;
}

export interface TreeIntent extends ShapeIntent {
  /** Id of the resource whose children are the first level; 0 = the top of the site. */
  readonly root: number;
  /** Levels, from 1. */
  readonly depth: number;
  /** With the resources that the menu leaves out. */
  readonly withHidden: boolean;
}

export interface ListIntent extends ShapeIntent {
  readonly filters: readonly FilterTerm[];
  readonly sort: readonly SortTerm[];
  readonly search: string | null;
  /** Words to find, the best hits first; null = none asked for. */
  readonly words: string | null;
  /** With the part of the text around the words. */
  readonly withExcerpt: boolean;
  /** Only the records with these keys, in this order; null = all. */
  readonly ids: readonly number[] | null;
  readonly paging: Paging;
}
