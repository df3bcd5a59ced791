/** Counts that lists need, remembered so that equal questions share one. */
import { AppError } from '../../errors/app-error.js';
import { type Candidates, compileCandidateCount } from '../query/compile.js';
import type { RowPlan } from '../query/plan.js';
import type { Predicate } from '../query/predicate.js';
import type { SqlStatement } from '../query/sql-statement.js';
import { type ContentReader, keyColumn, type Question } from './select-rows.js';

/** A total counted among a bounded number of rows or values that meet `where`. */
export interface CountedFrom {
  readonly candidates: Candidates;
  readonly where: Predicate;
}

export const mostCandidates = 10_000;

export function remembered(reader: ContentReader, table: string, statement: SqlStatement): Promise<number> {
  const question = { table, text: JSON.stringify([statement.sql, statement.params]) };
  return reader.totals.get(question, async () => Number((await reader.db.select(statement))[0]?.[0] ?? 0));
}

export async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unavailable') return null;
    throw error;
  }
}

export function countCandidates(
  reader: ContentReader,
  { definition }: Pick<RowPlan, 'definition'>,
  candidates: Candidates,
): Promise<number> {
  const of = { table: reader.table(definition), key: keyColumn(definition) };
  const heavy = candidates.most > mostCandidates && { over: of.table.name };
  return remembered(reader, of.table.name, { ...compileCandidateCount(candidates, of, reader.dialect), heavy });
}

/** Milliseconds: `times` the duration of the count, so that counting takes at most a hundredth of the time. */
const lifetime = { least: 5000, times: 100, most: 300_000 };
/** Milliseconds that a total may still be shown while it is counted again. */
const refreshTime = 10_000;
/** Milliseconds that a total may replace a count which the database did not finish in time. */
const standInLifetime = 600_000;
const capacity = 2000;

interface Entry<T> {
  readonly table: string;
  known: { readonly value: T; readonly countedAt: number; readonly lifetime: number } | null;
  counting: Promise<T> | null;
}

/** COUNT(*) is linear, so equal questions share an answer until their table changes, or for a short while. */
export class Counts<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Concurrent callers share one count. A slow count must not fail the list: the last total is used. */
  async get(question: Question, count: () => Promise<T>): Promise<T> {
    const entry = this.#entryOf(question);
    const { known } = entry;
    const hasAged = (most: number): boolean => known === null || this.#now() - known.countedAt >= most;
    if (known !== null && !hasAged(known.lifetime)) return known.value;
    entry.counting ??= this.#count(entry, count);
    const { counting } = entry;
    if (known !== null && !hasAged(known.lifetime + refreshTime)) {
      // Once the recent total has aged, the next caller gets the failure.
      counting.catch(() => undefined);
      return known.value;
    }
    try {
      return await counting;
    } catch (error) {
      const isSlow = error instanceof AppError && error.kind === 'unavailable';
      if (isSlow && known !== null && !hasAged(standInLifetime)) return known.value;
      throw error;
    }
  }

  clear(tables: ReadonlySet<string> | 'all'): void {
    // A count that began before the change may not include it: no further caller may share it, and it is not kept.
    for (const [text, { table }] of this.#entries) {
      if (tables === 'all' || tables.has(table)) this.#entries.delete(text);
    }
  }

  #entryOf({ table, text }: Question): Entry<T> {
    const found = this.#entries.get(text);
    if (found !== undefined) return found;
    if (this.#entries.size >= capacity) this.#entries.clear();
    const entry: Entry<T> = { table, known: null, counting: null };
    this.#entries.set(text, entry);
    return entry;
  }

  async #count(entry: Entry<T>, count: () => Promise<T>): Promise<T> {
    const countedAt = this.#now();
    try {
      const value = await count();
      const { least, times, most } = lifetime;
      const reused = Math.min(most, Math.max(least, times * (this.#now() - countedAt)));
      entry.known = { value, countedAt, lifetime: reused };
      return value;
    } finally {
      entry.counting = null;
    }
  }
}
