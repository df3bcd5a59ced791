/** Backs up a whole store as of one moment, while others write to it: its copy in a SQLite file, sealed. */
import { AppError } from '../../errors/app-error.js';
import type { Database } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { maintenanceLimits } from '../../store/base/limits.js';
import { buildTables, checkNotNewer, type MigrationRun, migrationStatus } from '../../store/migrations/migrate.js';
import type { Migration } from '../../store/migrations/migration.js';
import { openDatabase, type Store } from '../../store/open/open.js';
import { checkFolded } from '../../store/sqlite/replace-file.js';
import { type CopiedTable, copyTables } from '../copy/copy-table.js';
import { type CopyChoice, knownPrefix, noteTables, ownPrefix, planCopy, readKnown } from '../copy/plan-copy.js';
import { openSnapshots } from '../copy-tables/snapshot.js';
import { checkCopyFinished } from '../models/copy-progress.js';
import { readBackupFile } from './backup-file.js';
import { packBackup } from './container.js';
import { problemOf, withStoreFile } from './store-file.js';

interface BackupRequest {
  readonly store: Store;
  readonly url: string;
  readonly run: MigrationRun;
  readonly passphrase: Buffer | null;
  readonly onProgress: (rows: number, total: number) => void;
}

export type BackupTotals = ReturnType<typeof totalsOf>;

/** Sessions of the CMS are worth nothing elsewhere; its log is part of the history of the site. */
export const backupChoice: CopyChoice = { tables: 'all', include: ['manager_log'] };

/** `write` must take all bytes. Throws database_not_ready for pending migrations, database_newer for a newer store. */
export async function takeBackup(request: BackupRequest, write: (bytes: AsyncIterable<Buffer>) => Promise<void>) {
  const { store, url, run, passphrase } = request;
  const steps = await appliedSteps(run);
  await checkCopyFinished(store);
  return withStoreFile(url, async (path) => {
    const file = await openDatabase({ url: `sqlite:${path}`, limits: maintenanceLimits });
    const taken = await fillFile(request, { file, steps }).finally(() => file.close());
    await checkFolded(path);
    await write(packBackup(readBackupFile(path), passphrase));
    return taken;
  });
}

/** A site of a CMS has no content steps, but its backup gets them. */
async function appliedSteps(run: MigrationRun): Promise<readonly Migration[]> {
  const steps = await migrationStatus(run);
  checkNotNewer(
    run,
    steps.filter(({ state }) => state === 'unknown'),
  );
  const last = run.migrations.findLastIndex(({ name }) =>
    steps.some((step) => step.name === name && step.state === 'applied'),
  );
  if (last >= 0) return run.migrations.slice(0, last + 1);
  throw new AppError('database_not_ready', {
    message: 'The database has no store of hcd to back up. Run: hcd migrate',
  });
}

async function fillFile(
  { store, run, onProgress }: BackupRequest,
  { file, steps }: { readonly file: Database; readonly steps: readonly Migration[] },
) {
  await buildTables(file, { steps, prefixes: { content: knownPrefix, own: ownPrefix }, version: run.version });
  await removeActiveParts(file);
  const { readers, end } = await openSnapshots(store);
  try {
    const plan = await planCopy({
      choice: backupChoice,
      source: { ...readers, prefix: store.prefix },
      // The file holds what only MariaDB enforces; a restore into SQLite names it.
      target: { prefix: knownPrefix, dialect: 'mariadb' },
      known: await readKnown({ content: file, own: file, prefix: knownPrefix }),
    });
    const tables = await copyTables(plan.tables, { target: file, keepsLargeIntegers: true }, onProgress);
    const problem = await problemOf(file);
    if (problem !== undefined) {
      throw new AppError('refused', { message: `The store cannot be backed up: ${problem}` });
    }
    return totalsOf(tables, [...plan.notes, ...noteTables(tables)]);
  } finally {
    await end();
  }
}

export function totalsOf(tables: readonly CopiedTable[], notes: readonly string[]) {
  return { tables: tables.length, rows: tables.reduce((sum, { copied }) => sum + copied, 0), notes };
}

/** A restore makes triggers and indexes of words again, and refuses a file that has any. */
async function removeActiveParts(file: Database): Promise<void> {
  const sql = "SELECT type, name FROM sqlite_schema WHERE type = 'trigger' OR (type = 'table' AND rootpage = 0)";
  for (const [type, name] of await file.select({ sql, params: [] })) {
    await file.write((tx) => tx.run({ sql: `DROP ${type} ${dialectOf('sqlite').quote(String(name))}`, params: [] }));
  }
}
