/** Backs up a whole store as of one moment, while others write to it. */
import { AppError } from '../../errors/app-error.js';
import { checkNotNewer, type MigrationRun, migrationStatus } from '../../store/migrations/migrate.js';
import type { Store } from '../../store/open/open.js';
import { planCopy, readKnown, type TablePlan } from '../copy/plan-copy.js';
import { readBatches } from '../copy-tables/read-rows.js';
import { openSnapshot, type Snapshot } from '../copy-tables/snapshot.js';
import { checkCopyFinished } from '../models/copy-progress.js';
import { packBackup } from './container.js';
import { type BackupHead, type BackupPart, type BackupTotals, writeLines } from './content-lines.js';
import { storedColumns } from './stored-table.js';

interface BackupRequest {
  readonly store: Store;
  readonly pattern: Store;
  readonly runOf: (store: Store) => MigrationRun;
  readonly version: string;
  /** ISO 8601 UTC. */
  readonly created: string;
  readonly passphrase: Buffer | null;
  readonly onProgress: (rows: number, total: number) => void;
}

export interface TakenBackup extends BackupTotals {
  /** Whole sentences about what the backup does not hold. */
  readonly notes: readonly string[];
}

/** `write` must take all bytes. Throws database_not_ready for pending migrations, database_newer for a newer store. */
export async function takeBackup(
  request: BackupRequest,
  write: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<TakenBackup> {
  const { store, pattern } = request;
  const migrations = await readMigrations(request);
  await checkCopyFinished(store);
  const snapshots: Snapshot[] = [];
  try {
    const content = await openSnapshot(store.content);
    snapshots.push(content);
    const own = store.own === store.content ? content : await openSnapshot(store.own);
    if (own !== content) snapshots.push(own);
    const plan = await planCopy({
      // Sessions of the CMS are worth nothing elsewhere; its log is part of the history of the site.
      choice: { tables: 'all', include: ['manager_log'] },
      source: { content, own, prefix: store.prefix },
      target: { prefix: '' },
      known: await readKnown(pattern),
    });
    const head = { version: request.version, created: request.created, migrations };
    await write(packBackup(writeLines(partsOf(request, { head, tables: plan.tables })), request.passphrase));
    return {
      tables: plan.tables.length,
      rows: plan.tables.reduce((sum, { rows }) => sum + rows, 0),
      notes: plan.notes.filter((note) => !note.startsWith('The source has no ')),
    };
  } finally {
    for (const snapshot of snapshots) await snapshot.end();
  }
}

async function readMigrations({ store, runOf }: BackupRequest): Promise<string[]> {
  const run = runOf(store);
  const steps = await migrationStatus(run);
  checkNotNewer(
    run,
    steps.filter(({ state }) => state === 'unknown'),
  );
  const applied = steps.filter(({ state }) => state === 'applied').map(({ name }) => name);
  if (applied.length > 0) return applied;
  throw new AppError('database_not_ready', {
    message: 'The database has no store of hcd to back up. Run: hcd migrate',
  });
}

async function* partsOf(
  { onProgress }: BackupRequest,
  { head, tables }: { head: BackupHead; tables: readonly TablePlan[] },
): AsyncGenerator<BackupPart> {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  yield { kind: 'head', head };
  for (const { kind: group, name, source, reader } of tables) {
    yield { kind: 'table', table: { group, name, shape: source } };
    for await (const { rows } of readBatches(reader, { table: source, columns: storedColumns(source) })) {
      yield { kind: 'rows', rows, line: 0 };
      done += rows.length;
      onProgress(done, total);
    }
  }
}
