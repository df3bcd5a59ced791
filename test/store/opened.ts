/** Databases opened by a test and closed when it is done. */
import { onTestFinished } from 'vitest';
import type { Database, Param, RawRow, Reader } from '../../src/store/base/database.js';
import { servingLimits } from '../../src/store/base/limits.js';
import { type OpenDatabaseOptions, openDatabase } from '../../src/store/open/open.js';
import { patientLimits } from '../support/patient-limits.js';

/** Opens a database for the running test; nothing is given up because it takes long unless `limits` say so. */
export async function opened(options: OpenDatabaseOptions): Promise<Database> {
  const database = await openDatabase({ limits: patientLimits, ...options });
  onTestFinished(() => database.close());
  return database;
}

/** The same with the limits of a server, for tests of how soon it gives up. */
export function openedForServing(options: OpenDatabaseOptions): Promise<Database> {
  return opened({ ...options, limits: servingLimits });
}

/** Runs statements one by one, each in a transaction of its own. */
export async function run(database: Database, ...statements: readonly string[]): Promise<void> {
  for (const sql of statements) await database.write((tx) => tx.run({ sql, params: [] }));
}

/** Rows of a statement. */
export function rows(database: Reader, sql: string, ...params: readonly Param[]): Promise<readonly RawRow[]> {
  return database.select({ sql, params });
}
