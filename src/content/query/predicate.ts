/**
 * Conditions over columns. The second half decides in memory whether a changed row can meet a condition; unknown values
 * count as met, so only the answer "no" is certain.
 */

import { perObject } from '../../values/per-object.js';
import type { FieldDefinition, ObjectDefinition } from '../objects/definition.js';
import type { ChosenWords } from '../rules/common-words.js';
import type { SearchTerms } from '../rules/search-words.js';

export type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
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

/** The conditions that must all be met. */
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
    default:
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

type Cell = string | number | null;

/** By column; an absent column may hold anything. */
export type Cells = ReadonlyMap<string, Cell>;

/** False only when no row with these values meets the condition. */
export type MayMatch = (cells: Cells) => boolean;

type FoldText = (text: string) => string;

interface ColumnRules {
  readonly fold: FoldText;
  readonly mayHoldNull: (column: string) => boolean;
}

/** Larger numbers of a field of type `number` may be stored rounded. */
const largestExact = 2 ** 24;

export function cellsOf(definition: ObjectDefinition, values: Readonly<Record<string, unknown>>): Cells {
  const cells = new Map<string, Cell>();
  for (const [name, value] of Object.entries(values)) {
    const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
    const cell = field === undefined ? undefined : cellOf(field, value);
    if (field !== undefined && cell !== undefined) cells.set(field.column, cell);
  }
  return cells;
}

function cellOf(field: FieldDefinition, value: unknown): Cell | undefined {
  switch (field.type) {
    case 'boolean':
      return value === true || value === 1 ? 1 : value === false || value === 0 ? 0 : undefined;
    case 'integer':
      return value === null && field.nullable ? null : typeof value === 'number' ? value : undefined;
    case 'number':
      if (value === null && field.nullable) return null;
      return Number.isInteger(value) && Math.abs(Number(value)) < largestExact ? Number(value) : undefined;
    case 'string':
      // Some columns drop trailing spaces.
      if (typeof value === 'string') return value.endsWith(' ') ? undefined : value;
      return value === null && field.nullable ? null : undefined;
    case 'datetime':
      // Times in the database's own type may be unset in several ways.
      if (field.storage !== 'unix') return undefined;
      return value === null ? 0 : typeof value === 'number' ? value : undefined;
    case 'json':
      return undefined;
  }
}

export function mayMatch(predicate: Predicate, rules: ColumnRules): MayMatch {
  const { fold } = rules;
  switch (predicate.kind) {
    case 'nothing':
      return () => false;
    case 'all':
    case 'any': {
      const parts = predicate.of.map((part) => mayMatch(part, rules));
      const holdsFor = predicate.kind === 'all' ? 'every' : 'some';
      return (cells) => parts[holdsFor]((part) => part(cells));
    }
    case 'null': {
      const { ref, unset, negated } = predicate;
      // If the column may be NULL but the field may not, NULL was read as an empty value.
      const hidesNull = unset === null && !ref.nullable && rules.mayHoldNull(ref.column);
      return onCell(ref, (cell) => (cell === unset) !== negated || (hidesNull && (cell === '' || cell === 0)));
    }
    case 'compare': {
      const { comparison, value } = predicate;
      return onCell(predicate.ref, (cell) => {
        if (cell === null) return false;
        return typeof cell !== typeof value || holds[comparison](compareCells(cell, value));
      });
    }
    case 'in':
      return isMember(predicate);
    case 'like': {
      const pattern = wildcards(fold(predicate.pattern));
      return onText([predicate.ref], fold, (text) => fits([...text], pattern));
    }
    case 'contains': {
      const part = fold(predicate.text);
      return onText(predicate.refs, fold, (text) => text.includes(part));
    }
    case 'words':
    case 'tv_member':
    case 'resource_groups':
      // A change names neither long texts nor the template variables and groups of its row.
      return () => true;
  }
}

function onCell({ column }: ColumnRef, decide: (cell: Cell) => boolean): MayMatch {
  return (cells) => {
    const cell = cells.get(column);
    return cell === undefined || decide(cell);
  };
}

const foldedTexts = perObject<Cells, Map<string, string>>(() => new Map());

function onText(refs: readonly ColumnRef[], fold: FoldText, decide: (folded: string) => boolean): MayMatch {
  return (cells) => {
    const texts = foldedTexts(cells);
    return refs.some(({ column }) => {
      const cell = cells.get(column);
      if (cell === undefined || cell === null) return cell === undefined;
      const text = texts.get(column) ?? fold(String(cell));
      texts.set(column, text);
      return decide(text);
    });
  };
}

function isMember({ ref, values, negated }: Extract<Predicate, { kind: 'in' }>): MayMatch {
  const members = new Set(values);
  const types = new Set(values.map((value) => typeof value));
  return onCell(ref, (cell) => {
    if (cell === null) return false;
    // The databases compare text and numbers differently.
    if (types.size > 1 || !types.has(typeof cell)) return true;
    return members.has(cell) !== negated;
  });
}

const holds: Readonly<Record<Comparison, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  neq: (order) => order !== 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

/** Text by code point, numbers by value, NULL first: the order of every store. */
export function compareCells(left: Cell, right: Cell): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  if (typeof left === 'string' && typeof right === 'string') {
    return left === right ? 0 : Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)));
  }
  return Math.sign(Number(left) - Number(right));
}

const many = Symbol('%');
const one = Symbol('_');
type Piece = string | typeof many | typeof one;

function wildcards(pattern: string): Piece[] {
  return [...pattern].map((letter) => (letter === '%' ? many : letter === '_' ? one : letter));
}

/** After a failure the last `%` takes one more letter. Time is bounded by the product of both lengths. */
function fits(letters: readonly string[], pattern: readonly Piece[]): boolean {
  let letter = 0;
  let piece = 0;
  let retryPiece = -1;
  let retryLetter = 0;
  while (letter < letters.length) {
    const expected = pattern[piece];
    if (expected === many) {
      retryPiece = piece + 1;
      retryLetter = letter;
      piece = retryPiece;
    } else if (piece < pattern.length && (expected === one || expected === letters[letter])) {
      letter += 1;
      piece += 1;
    } else if (retryPiece >= 0) {
      retryLetter += 1;
      letter = retryLetter;
      piece = retryPiece;
    } else {
      return false;
    }
  }
  return pattern.slice(piece).every((rest) => rest === many);
}

interface Essential {
  readonly column: string;
  readonly values: readonly Scalar[];
}

/** `columns` are in order of preference; null if the condition names none of their values. */
export function essentialValues(predicate: Predicate, columns: readonly string[]): Essential | null {
  let found: Essential | null = null;
  for (const part of conditionsIn(predicate)) {
    const named = namedValues(part);
    if (named === null) continue;
    const rank = columns.indexOf(named.column);
    if (rank >= 0 && (found === null || rank < columns.indexOf(found.column))) found = named;
  }
  return found;
}

function namedValues(predicate: Predicate): Essential | null {
  if (predicate.kind === 'compare' && predicate.comparison === 'eq') {
    return { column: predicate.ref.column, values: [predicate.value] };
  }
  if (predicate.kind === 'in' && !predicate.negated) return { column: predicate.ref.column, values: predicate.values };
  return null;
}
