/** A check of `hcd db check`: a row of data and a function that goes through the store in bounded parts. */
import type { Clock } from '../../clock/clock.js';
import type { Environment } from '../../config/definitions.js';
import type { Tables } from '../../store/base/columns.js';
import type { Database, RawRow, Statement } from '../../store/base/database.js';
import type { MigrationRun } from '../../store/migrations/migrate.js';
import type { Store } from '../../store/open/open.js';

export interface CheckWork {
  readonly store: Store;
  readonly run: MigrationRun;
  /** Holds nothing but what the migrations put there. */
  readonly pattern: Pick<Store, 'content'>;
  /** By real name, as they are. */
  readonly tables: Tables;
  /** The configured root secret; null = the one in the database. */
  readonly secret: string | null;
  readonly env: Environment;
  readonly clock: Clock;
  readonly isRepairing: boolean;
  /** Call it after each statement that may take long. */
  readonly onStep: () => void;
}

export interface Found {
  readonly table: string | null;
  /** Of the row; null for a finding about the table. */
  readonly key: string | number | null;
  readonly detail: string;
  readonly fix?: string;
  readonly isRepaired?: boolean;
}

export interface StoreCheck {
  /** Stable, for scripts. */
  readonly name: string;
  readonly severity: 'error' | 'warning';
  readonly about: string;
  readonly fix: string;
  /** Not on the tables of a CMS, which keeps them by its own rules. */
  readonly isOfOwnStore?: boolean;
  /** After a finding the other checks would be meaningless. */
  readonly isGate?: boolean;
  readonly find: (work: CheckWork) => AsyncIterable<Found>;
}

export const repairs = 'hcd db check --repair';

export const batchSize = 500;

export async function selectSlowly(
  { onStep }: CheckWork,
  { primary }: Database,
  sql: string,
  params: Statement['params'] = [],
): Promise<readonly RawRow[]> {
  const rows = await primary.select({ sql, params, heavy: true });
  onStep();
  return rows;
}

/** All rows, in parts. A part begins after the id, the first value, that is given for the mark, and has `batchSize` rows. */
export async function* rowsById(work: CheckWork, database: Database, sql: string): AsyncGenerator<RawRow> {
  for (let after = -1; ; ) {
    const rows = await selectSlowly(work, database, sql, [after]);
    yield* rows;
    if (rows.length < batchSize) return;
    after = Number(rows.at(-1)?.[0]);
  }
}

/** The key of a row as findings name it: a number, or parts with slashes between them. */
export function keyOf(parts: RawRow): string | number {
  const [first] = parts;
  return parts.length === 1 && typeof first === 'number' ? first : parts.map(String).join('/');
}
