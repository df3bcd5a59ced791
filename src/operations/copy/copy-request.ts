/** The request and the report of a copy; plain data shared by its steps. */
import type { Clock } from '../../clock/clock.js';
import { maintenanceLimits } from '../../store/base/limits.js';
import type { MigrationRun } from '../../store/migrations/migrate.js';
import type { Migration } from '../../store/migrations/migration.js';
import type { OpenStoreOptions, Store } from '../../store/open/open.js';

/** Their rows are worth little elsewhere. Names without prefix. */
export const passingTables = Object.freeze(['session', 'manager_log'] as const);
export type PassingTable = (typeof passingTables)[number];

/** core: the tables that the migrations know; all: those of extras too. */
export type TableChoice = 'core' | 'all';

export interface CopyChoice {
  readonly tables: TableChoice;
  readonly include: readonly PassingTable[];
  /** Repair double-encoded texts of the content; absent = copy them as they are. */
  readonly repairEncoding?: true;
}

export interface CopyRequest extends CopyChoice {
  readonly source: Store;
  readonly target: Store;
  /** All of the program. */
  readonly migrations: readonly Migration[];
  readonly sourceName: string;
  readonly runOf: (store: Store) => MigrationRun;
  readonly clock: Clock;
  /** Rows copied and read back so far, and all rows to copy and to read back. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface TableReport {
  /** Real name in the target. */
  readonly table: string;
  readonly kind: 'core' | 'extra' | 'own';
  /** At the end of the table's copy. */
  readonly source_rows: number;
  readonly copied: number;
  /** The target, read back, holds exactly the rows of the source, as many as should be there. */
  readonly verified: boolean;
  readonly seconds: number;
  /** Rows that an earlier, interrupted run had copied and that were still the same in the source. */
  readonly resumed_rows: number;
  /** Rows left out because the target takes only one row with their values. */
  readonly duplicates: number;
  /** NULLs that became the default of a column that takes no NULL. */
  readonly nulls_filled: number;
  /** With --repair-encoding: double-encoded texts that were repaired. */
  readonly texts_repaired?: number;
  /** With --repair-encoding: texts that are double-encoded in part and stayed; columns and keys of the first ones. */
  readonly texts_unclear?: readonly string[];
  /** Columns of the source for which the target has no place. */
  readonly columns_lost: readonly string[];
}

export interface SkippedTable {
  /** Real name in the source. */
  readonly table: string;
  readonly rows: number;
  readonly reason: string;
}

export interface CopyReport {
  readonly tables: readonly TableReport[];
  readonly skipped: readonly SkippedTable[];
  /** Whole sentences about what is not exactly as in the source. */
  readonly notes: readonly string[];
  readonly complete: boolean;
}

/** Statements may take as long as they need. */
export function copyStoreOptions(options: Omit<OpenStoreOptions, 'limits'>): OpenStoreOptions {
  return { ...options, limits: maintenanceLimits };
}

/** Whole sentences about what is not exactly as in the source. */
export function noteTables(tables: readonly Omit<TableReport, 'seconds'>[]): string[] {
  return tables.flatMap(({ table, columns_lost: lost, duplicates, nulls_filled: filled, ...texts }) => [
    ...(texts.texts_repaired ? [`${table}: ${texts.texts_repaired} double-encoded texts were repaired.`] : []),
    ...(texts.texts_unclear?.length
      ? [`${table}: texts that are double-encoded in part stayed as they are: ${texts.texts_unclear.join(', ')}.`]
      : []),
    ...(lost.length === 0 ? [] : [`${table}: the target has no place for the columns ${lost.join(', ')}.`]),
    ...(duplicates === 0 ? [] : [`${table}: ${duplicates} rows were left out whose unique values an earlier row has.`]),
    ...(filled === 0
      ? []
      : [`${table}: ${filled} NULLs became the default of their column, which does not accept NULL.`]),
  ]);
}
