/** Counts that lists need, remembered so that equal questions share one. */
import { AppError } from '../../errors/app-error.js';
import { compileLookedCount, type Looked } from '../query/compile.js';
import type { RowPlan } from '../query/plan.js';
import type { Predicate } from '../query/predicate.js';
import type { SqlStatement } from '../query/sql-statement.js';
import { type ContentReader, keyColumn, type TotalQuestion } from './select-rows.js';

/** A total counted among a bounded number of rows or values that meet `where`. */
export interface CountedFrom {
  readonly looked: Looked;
  readonly where: Predicate;
}

export const mostLooked = 10_000;

export interface Count {
  readonly statement: SqlStatement;
  readonly question: TotalQuestion;
}

export function countBy(table: string, statement: SqlStatement): Count {
  return { statement, question: { table, text: JSON.stringify([statement.sql, statement.params]) } };
}

export function rememberedCount(reader: ContentReader, { statement, question }: Count): Promise<number> {
  return reader.totals.get(question, async () => Number((await reader.db.select(statement))[0]?.[0] ?? 0));
}

export function remembered(reader: ContentReader, table: string, statement: SqlStatement): Promise<number> {
  return rememberedCount(reader, countBy(table, statement));
}

/** Null if the database does not answer in time. */
export async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unavailable') return null;
    throw error;
  }
}

export function countLooked(
  reader: ContentReader,
  { definition }: Pick<RowPlan, 'definition'>,
  looked: Looked,
): Promise<number> {
  const of = { table: reader.table(definition), key: keyColumn(definition) };
  const heavy = looked.most > mostLooked && { over: of.table.name };
  return remembered(reader, of.table.name, { ...compileLookedCount(looked, of, reader.dialect), heavy });
}
