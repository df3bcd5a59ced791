/** Loads the store in a backup into new tables: unseals its file, checks it, and copies it table by table. */
import { AppError } from '../../errors/app-error.js';
import type { Database, Reader } from '../../store/base/database.js';
import { maintenanceLimits } from '../../store/base/limits.js';
import { buildTables } from '../../store/migrations/migrate.js';
import type { Migration } from '../../store/migrations/migration.js';
import { openDatabase, readLedger } from '../../store/open/open.js';
import { copyTables } from '../copy/copy-table.js';
import { type CopyPlan, knownPrefix, knownTables, planCopy, type TablePlan } from '../copy/plan-copy.js';
import type { TableShapes } from '../copy-tables/table-shape.js';
import { type Bytes, unpackBackup } from './container.js';
import { problemOf, withStoreFile, writeStoreFile } from './store-file.js';
import { type BackupTotals, backupChoice, totalsOf } from './take-backup.js';

export interface LoadRequest {
  readonly file: Bytes;
  readonly passphrase: Buffer | null;
  readonly url: string;
  /** That the content tables have in the end. */
  readonly prefix: string;
  readonly migrations: readonly Migration[];
  readonly version: string;
  readonly onProgress: (rows: number, total: number) => void;
}

interface LoadTarget {
  readonly database: Database;
  /** Under which the migrations make the new tables. */
  readonly prefixes: { readonly content: string; readonly own: string };
  nameOf(table: Pick<TablePlan, 'kind' | 'name'>): string;
}

/** Also applies the migrations that the backup lacks. */
export function loadBackup(request: LoadRequest, target: LoadTarget): Promise<BackupTotals> {
  return withStoreFile(request.url, async (path) => {
    await writeStoreFile(path, unpackBackup(request.file, request.passphrase));
    const file = await openDatabase({ url: `sqlite:${path}`, limits: maintenanceLimits }).catch(refuseFile);
    try {
      return await loadFile(request, { file: checkedReader(file), target });
    } finally {
      await file.close();
    }
  });
}

/** What cannot be read is the fault of the file. */
function checkedReader(file: Database): Reader {
  return {
    dialect: 'sqlite',
    select: (statement) => file.select(statement).catch(refuseFile),
    query: (table, work) => file.query(table, work).catch(refuseFile),
  };
}

function refuseFile(cause: unknown): never {
  if (!(cause instanceof AppError)) throw cause;
  throw new AppError('backup_invalid', { message: 'The store in the backup cannot be read', cause });
}

async function loadFile(
  { prefix, migrations, version, onProgress }: LoadRequest,
  { file, target }: { readonly file: Reader; readonly target: LoadTarget },
): Promise<BackupTotals> {
  await checkFile(file);
  const steps = await stepsOf(file, migrations);
  const { database, prefixes } = target;
  await buildTables(database, { steps, prefixes, version });
  const source = { content: file, own: file, prefix: knownPrefix };
  const known = await knownTables(steps);
  const plan = await planCopy({
    ...{ choice: backupChoice, source, known },
    target: { prefix: '', dialect: database.dialect },
  });
  checkPlan(plan, { prefix, known: known.content });
  const tables = plan.tables.map((table) => ({ ...table, name: target.nameOf(table) }));
  const copied = await copyTables(tables, { target: database }, onProgress);
  await buildTables(database, { steps: migrations.slice(steps.length), prefixes, version });
  return totalsOf(copied, plan.notes);
}

async function checkFile(file: Reader): Promise<void> {
  let problem = await problemOf(file);
  if (problem === undefined) {
    // Their conditions are expressions.
    await file.select({ sql: 'PRAGMA ignore_check_constraints = ON', params: [] });
    const [row] = await file.select({ sql: 'PRAGMA integrity_check(1)', params: [] });
    if (row?.[0] !== 'ok') problem = String(row?.[0]);
  }
  if (problem !== undefined) {
    throw new AppError('backup_invalid', { message: `The store in the backup is refused: ${problem}` });
  }
}

async function stepsOf(file: Reader, known: readonly Migration[]): Promise<readonly Migration[]> {
  const ledger = await readLedger(file);
  const newer = ledger.find(({ name }) => !known.some((step) => step.name === name));
  if (newer !== undefined) {
    throw new AppError('backup_newer', {
      message: `The backup was written by hcd ${newer.writtenBy} and holds migration ${newer.name}, which this program does not know`,
    });
  }
  const last = known.findLastIndex((step) => ledger.some(({ name }) => name === step.name));
  if (last < 0) throw new AppError('backup_invalid', { message: 'The backup names no migration' });
  return known.slice(0, last + 1);
}

/** Names of tables that differ in case only are one name in some databases. */
function checkPlan(
  { tables, skipped }: CopyPlan,
  { prefix, known }: { readonly prefix: string; readonly known: TableShapes },
): void {
  const unknown =
    skipped.find(({ table }) => table !== `${knownPrefix}session`)?.table ??
    tables.find(
      ({ kind, name }) =>
        kind === 'extra' && (known.has(knownPrefix + name.toLowerCase()) || /^(hcd|sqlite)_/i.test(prefix + name)),
    )?.name;
  if (unknown === undefined) return;
  throw new AppError('backup_invalid', { message: `The backup holds a table ${unknown}, which hcd does not know` });
}
