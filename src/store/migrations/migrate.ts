/** Applies, reverts and reports migrations. Step and ledger row succeed or fail together as far as possible. */
import { AppError } from '../../errors/app-error.js';
import { hasTable } from '../base/columns.js';
import type { Database, Tx } from '../base/database.js';
import { toAppError } from '../base/errors.js';
import { type LedgerRow, readLedger, type Store } from '../open/open.js';
import { createLedger, isApplied, recordApplied, recordStarted, removeRecord, sqliteTables } from './ledger.js';
import type { Migration, MigrationContext, MigrationTarget } from './migration.js';
import type { Transact } from './migration-session.js';

/** Content steps never run on an attached store. */
export type MigrationStore = Pick<Store, 'content' | 'own' | 'kind' | 'prefix'>;

export interface MigrationRun extends MigrationStore {
  readonly migrations: readonly Migration[];
  readonly version: string;
  readonly onStep?: (step: MigrationStep) => void;
  /** How long to wait for another runner on MariaDB; default 60. */
  readonly lockSeconds?: number;
}

export interface MigrationStep {
  readonly name: string;
  readonly direction: Direction;
}

interface MigrationStatus {
  readonly name: string;
  readonly target: MigrationTarget | null;
  readonly state: 'applied' | 'pending' | 'not-applicable' | 'unknown';
  readonly appliedAt: string | null;
  readonly writtenBy: string | null;
}

export type Direction = 'up' | 'down';

const ownPrefix = 'hcd_';

/** Steps unknown to this program are last. Changes nothing. */
export async function migrationStatus(run: MigrationRun): Promise<MigrationStatus[]> {
  const ledger = await readLedger(run.own.primary);
  const rows = new Map(ledger.map((row) => [row.name, row]));
  const known = new Set(run.migrations.map((step) => step.name));
  return [
    ...run.migrations.map((step): MigrationStatus => {
      const { appliedAt = null, writtenBy = null } = rows.get(step.name) ?? {};
      const pending = isApplicable(run, step) ? 'pending' : 'not-applicable';
      return {
        name: step.name,
        target: step.target,
        state: appliedAt === null ? pending : 'applied',
        appliedAt: preciseTime(appliedAt),
        writtenBy: appliedAt === null ? null : writtenBy,
      };
    }),
    ...ledger
      .filter((row) => !known.has(row.name))
      .map(({ name, appliedAt, writtenBy }): MigrationStatus => {
        return { name, target: null, state: 'unknown', appliedAt: preciseTime(appliedAt), writtenBy };
      }),
  ];
}

/** Throws database_not_ready, with the command to run, unless exactly the known applicable steps are applied. */
export async function checkMigrated(run: MigrationRun): Promise<void> {
  const pending = await checkLedger(run, await readLedger(run.own.primary));
  const [first] = pending;
  if (first === undefined) return;
  const count = pending.length === 1 ? '1 migration is' : `${pending.length} migrations are`;
  throw new AppError('database_not_ready', { message: `${count} pending (from ${first.name}). Run: hcd migrate` });
}

export function migrateUp(run: MigrationRun): Promise<string[]> {
  return performAll(run, 'up');
}

/** Reverts the last step, or all down to and including `to`; the last one first. Throws usage for an unknown `to`. */
export function migrateDown(run: MigrationRun, to?: string): Promise<string[]> {
  return performAll(run, 'down', to);
}

/** What `migrateUp` or `migrateDown` would do and throw, without changes. */
export async function stepsToDo(run: MigrationRun, direction: Direction, to?: string): Promise<Migration[]> {
  return stepsOf(run, await readLedger(run.own.primary), { direction, to });
}

async function stepsOf(
  run: MigrationRun,
  ledger: readonly LedgerRow[],
  { direction, to }: { readonly direction: Direction; readonly to: string | undefined },
): Promise<Migration[]> {
  const pending = await checkLedger(run, ledger);
  if (direction === 'up') return pending;
  const applied = run.migrations.filter((step) => isApplicable(run, step) && !pending.includes(step));
  checkTarget(
    applied.map(({ name }) => name),
    to,
  );
  const oldest = to === undefined ? -1 : applied.findIndex(({ name }) => name === to);
  return applied.slice(oldest).toReversed();
}

function checkTarget(applied: readonly string[], to: string | undefined): void {
  if (to === undefined || applied.includes(to)) return;
  throw new AppError('usage', { message: `No applied migration is named ${to}; hcd migrate status lists them.` });
}

async function performAll(run: MigrationRun, direction: Direction, to?: string): Promise<string[]> {
  const done: string[] = [];
  const session = { database: run.own, lockSeconds: run.lockSeconds ?? 60 };
  // Loaded when steps run: a server that has none to run does not need it.
  const { withMigrationSession } = await import('./migration-session.js');
  try {
    await withMigrationSession(session, async (transact) => {
      const steps = await stepsOf(run, await transact(readLedger), { direction, to });
      await transact(createLedger);
      for (const migration of steps) {
        if (!(await performStep({ run, transact, migration, direction }))) continue;
        done.push(migration.name);
        run.onStep?.({ name: migration.name, direction });
      }
    });
  } catch (error) {
    throw toAppError(error);
  }
  return done;
}

interface StepCall {
  readonly run: MigrationRun;
  readonly transact: Transact;
  readonly migration: Migration;
  readonly direction: Direction;
}

/** For tables under prefixes that only the caller uses: without checks and without a lock. */
export async function buildTables(
  database: Database,
  {
    steps,
    prefixes,
    version,
  }: Pick<MigrationRun, 'version'> & {
    readonly steps: readonly Migration[];
    readonly prefixes: Record<MigrationTarget, string>;
  },
): Promise<void> {
  const ledger = `${prefixes.own}migrations`;
  await database.write((tx) => createLedger(tx, ledger));
  for (const step of steps) {
    await database.write(async (tx) => {
      await step.up(contextOf(prefixes[step.target], step, tx));
      await recordApplied(tx, { name: step.name, version, ledger });
    });
  }
}

/** False when another runner was faster. Failures name the step, unless the database is away. */
async function performStep(call: StepCall): Promise<boolean> {
  try {
    return await changeAndRecord(call);
  } catch (error) {
    const cause = toAppError(error);
    if (cause.code === 'unavailable') throw cause;
    throw new AppError('database_not_ready', {
      message: `Migration ${call.migration.name} failed. The steps before it are kept; correct the cause and run hcd migrate again.`,
      cause: error,
    });
  }
}

async function changeAndRecord(call: StepCall): Promise<boolean> {
  const { run, transact, migration, direction } = call;
  const database = migration.target === 'content' ? run.content : run.own;
  const entry = { name: migration.name, version: run.version };
  const isToDo = async (tx: Tx) => (await isApplied(tx, migration.name)) === (direction === 'down');

  // Else the ledger records the start: an interrupted step is repeated, and its tables are known as ours.
  const atomic = run.own.dialect === 'sqlite' && database === run.own;
  const begin = async (tx: Tx) => {
    const isBegun = await isToDo(tx);
    if (isBegun) await recordStarted(tx, entry);
    return isBegun;
  };
  if (!atomic && !(await transact(begin))) return false;

  return transact(async (tx) => {
    if (atomic ? !(await isToDo(tx)) : await isApplied(tx, migration.name)) return false;
    const prefix = prefixOf(run, migration);
    if (database === run.own) await migration[direction](contextOf(prefix, migration, tx));
    else await database.write((contentTx) => migration[direction](contextOf(prefix, migration, contentTx)));
    if (direction === 'up') await recordApplied(tx, entry);
    else await removeRecord(tx, migration.name);
    return true;
  });
}

export function prefixOf({ prefix }: Pick<MigrationStore, 'prefix'>, { target }: Pick<Migration, 'target'>): string {
  return target === 'content' ? prefix : ownPrefix;
}

function contextOf(prefix: string, migration: Migration, tx: Tx): MigrationContext {
  return {
    dialect: tx.dialect,
    prefix,
    run: async (sql) => {
      await tx.run({ sql, params: [] });
    },
    select: (sql) => tx.select({ sql, params: [] }),
    change: async (work) => {
      await tx.query(migration.name, ({ sequelize, transaction }) => work(sequelize.getQueryInterface(), transaction));
    },
  };
}

/** Throws database_not_ready when ledger, tables and known steps contradict each other. */
async function checkLedger(run: MigrationRun, ledger: readonly LedgerRow[]): Promise<Migration[]> {
  const pending = pendingSteps(run, ledger);
  const made = run.migrations.some((step) => step.target === 'content' && !pending.includes(step));
  const table = `${run.prefix}site_content`;
  if (run.kind !== 'attached' && made && !(await hasTable(run.content.primary, table))) {
    throw new AppError('database_not_ready', {
      message: `The ledger lists the content tables as created, but the table ${table} is missing. Check HCD_CONTENT_PREFIX and the database addresses.`,
    });
  }
  return pending;
}

function pendingSteps(run: MigrationRun, ledger: readonly LedgerRow[]): Migration[] {
  const known = new Map(run.migrations.map((step) => [step.name, step]));
  checkNotNewer(
    run,
    ledger.filter((row) => !known.has(row.name)),
  );
  const applied = new Set(ledger.filter((row) => row.appliedAt !== null).map((row) => row.name));
  const foreign = run.migrations.find((step) => applied.has(step.name) && !isApplicable(run, step));
  if (foreign !== undefined) {
    throw new AppError('database_not_ready', {
      message: `The ledger holds content migration ${foreign.name}, but the content tables belong to a CMS. Check HCD_DATABASE_URL and HCD_OWN_DATABASE_URL.`,
    });
  }
  const applicable = run.migrations.filter((step) => isApplicable(run, step));
  const pending = applicable.filter((step) => !applied.has(step.name));
  const [first] = pending;
  const later = applicable.findLast((step) => applied.has(step.name));
  if (first !== undefined && later !== undefined && applicable.indexOf(first) < applicable.indexOf(later)) {
    throw new AppError('database_not_ready', {
      message: `Migration ${first.name} is missing, although the later ${later.name} is applied. Restore a backup, or use the program that made this database.`,
    });
  }
  return pending;
}

export function checkNotNewer(
  { version }: Pick<MigrationRun, 'version'>,
  unknown: readonly Pick<LedgerRow, 'name' | 'writtenBy'>[],
): void {
  const [first, last] = [unknown[0], unknown.at(-1)];
  if (first === undefined || last === undefined) return;
  const { name: migration, writtenBy } = last;
  const [writer, needed] =
    writtenBy === null ? ['a newer hcd', 'the newer hcd'] : [`hcd ${writtenBy}`, `hcd ${writtenBy} or later`];
  throw new AppError('database_newer', {
    message: `The database is newer than this program (hcd ${version}): ${writer} wrote migration ${migration}. Install ${needed}, or revert with that version: hcd migrate down --to ${first.name}.`,
    details: { newer: { migration, writtenBy } },
  });
}

function isApplicable(store: MigrationStore, migration: Migration): boolean {
  return migration.target === 'own' || store.kind !== 'attached';
}

function preciseTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** New, or left by an interrupted first start. Only such a store is migrated automatically. */
export async function isEmptyEmbedded(store: MigrationStore): Promise<boolean> {
  if (store.kind === 'attached') return false;
  for (const database of new Set([store.content, store.own])) {
    if (database.dialect !== 'sqlite') return false;
    for (const table of await sqliteTables(database)) {
      const [row] = await database.select({ sql: `SELECT EXISTS (SELECT 1 FROM "${table}") AS used`, params: [] });
      if (Number(row?.[0]) !== 0) return false;
    }
  }
  return true;
}
