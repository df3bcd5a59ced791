/**
 * The rows that an answer depends on, as a cache compares them with changed rows. Unknown values meet every condition, so
 * only the answer "no" is certain.
 */
import { foldText } from '../../store/sqlite/fold.js';
import { perObject } from '../../values/kept-values.js';
import type { FieldDefinition, ObjectDefinition } from '../objects/definition.js';
import { type ColumnRef, comparisons, conditionsIn, type Predicate, type Scalar } from '../query/predicate.js';
import type { ContentReader, RowSet } from './select-rows.js';

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
        return typeof cell !== typeof value || comparisons[comparison].holds(compareCells(cell, value));
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

function onText(refs: readonly ColumnRef[], fold: FoldText, decide: (folded: string) => boolean): MayMatch {
  return (cells) =>
    refs.some(({ column }) => {
      const cell = cells.get(column);
      return cell === undefined || (cell !== null && decide(fold(String(cell))));
    });
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

export function wildcards(pattern: string): Piece[] {
  return [...pattern].map((letter) => (letter === '%' ? many : letter === '_' ? one : letter));
}

/** After a failure the last `%` takes one more letter. Time is bounded by the product of both lengths. */
export function fits(letters: readonly string[], pattern: readonly Piece[]): boolean {
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

/** The values that each matching row has in the first of these columns that the condition names; null if in none. */
function essentialValues(predicate: Predicate, columns: readonly string[]): Essential | null {
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

interface RowDependency {
  readonly set: string;
  /** Equal for equal conditions. */
  readonly text: string;
  /** No row without one of these values meets the condition; null = it names none, or too many. */
  readonly only: { readonly column: string; readonly values: readonly Scalar[] } | null;
  readonly includes: (row: Cells) => boolean;
}

const mostValues = 64;

export function dependenciesOf(
  reader: Pick<ContentReader, 'table'>,
  sets: readonly RowSet[],
): () => readonly RowDependency[] {
  return () => sets.map((set) => dependencyOf(reader, set));
}

function dependencyOf(reader: Pick<ContentReader, 'table'>, { definition, where }: RowSet): RowDependency {
  const table = reader.table(definition);
  const set = table.name;
  const essential = essentialValues(where, telling(definition));
  let matcher: MayMatch | null = null;
  return {
    set,
    text: `${set} ${JSON.stringify(where)}`,
    only: essential !== null && essential.values.length <= mostValues ? essential : null,
    includes(row) {
      matcher ??= mayMatch(where, { fold: foldText, mayHoldNull: table.mayHoldNull });
      return matcher(row);
    },
  };
}

/** The most distinctive columns first. Flags and contexts are the same for most rows. */
const telling = perObject(({ fields, primaryKey, visibility }: ObjectDefinition): readonly string[] => {
  const rest = Object.keys(fields).filter((name) => name !== visibility.context && fields[name]?.type !== 'boolean');
  return [...new Set([primaryKey, 'uri', ...rest])].flatMap((name) => fields[name]?.column ?? []);
});
