/** Checks of the integrity of the database, the ledger of migrations, and the tables that they made. */
import { AppError } from '../../errors/app-error.js';
import { readTables, type Table } from '../../store/base/columns.js';
import type { Database } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { migrationStatus } from '../../store/migrations/migrate.js';
import { checkCopyFinished } from '../models/copy-progress.js';
import { type CheckWork, type Found, type StoreCheck, selectSlowly } from './check.js';

const restore = 'Stop servers and workers, and restore a backup: hcd restore FILE';

export const engineChecks: readonly StoreCheck[] = [
  {
    name: 'engine',
    severity: 'error',
    about: 'The database engine finds damage',
    fix: restore,
    async *find(work) {
      const { content, own } = work.store;
      for (const database of new Set([content, own])) {
        yield* database.dialect === 'sqlite' ? checkFile(work, database) : checkTables(work, database);
      }
    },
  },
  {
    name: 'migrations',
    severity: 'error',
    about: 'The schema is not that of this version',
    fix: 'hcd migrate',
    isGate: true,
    find: findSteps,
  },
  {
    name: 'tables',
    severity: 'error',
    about: 'Tables, columns or indexes are missing that the migrations made',
    fix: restore,
    find: findMissing,
  },
];

const mostProblems = 1000;

async function* checkFile(work: CheckWork, database: Database): AsyncGenerator<Found> {
  for (const [text] of await selectSlowly(work, database, `PRAGMA integrity_check(${mostProblems})`)) {
    if (text !== 'ok') yield { table: null, key: null, detail: String(text) };
  }
  // Only tables of extras have foreign keys.
  for (const [table, row, parent] of await selectSlowly(work, database, 'PRAGMA foreign_key_check')) {
    const key = typeof row === 'number' ? row : null;
    yield { table: String(table), key, detail: `refers to a row of ${parent} that does not exist` };
  }
}

async function* checkTables(work: CheckWork, database: Database): AsyncGenerator<Found> {
  for (const { name, engine } of await knownTables(work, database)) {
    // Other engines keep writers waiting meanwhile: their rows are not read one by one.
    const how = engine === 'InnoDB' ? '' : ' QUICK';
    const rows = await selectSlowly(work, database, `CHECK TABLE ${dialectOf('mariadb').quote(name)}${how}`);
    for (const [, , kind, text] of rows) {
      if (/^(error|warning)$/i.test(String(kind))) yield { table: name, key: null, detail: String(text) };
    }
  }
}

async function knownTables({ store, pattern, tables }: CheckWork, database: Database): Promise<Table[]> {
  const made = [...(await readTables(pattern.content, '')).keys()];
  return made.flatMap((name) => {
    const isOwn = name.startsWith('hcd_');
    return (isOwn ? store.own : store.content) === database ? (tables.get(name) ?? []) : [];
  });
}

async function* findSteps({ run, store }: CheckWork): AsyncGenerator<Found> {
  for (const { name, state } of await migrationStatus(run)) {
    const found = { table: 'hcd_migrations', key: name };
    if (state === 'pending') yield { ...found, detail: 'is not applied' };
    if (state === 'unknown') {
      yield { ...found, detail: 'was applied by a newer version', fix: 'Install the newer version of hcd' };
    }
  }
  try {
    await checkCopyFinished(store);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield { table: 'hcd_copy', key: null, detail: error.message, fix: 'Run the same hcd db copy again' };
  }
}

async function* findMissing({ store, pattern, tables }: CheckWork): AsyncGenerator<Found> {
  for (const [name, made] of await readTables(pattern.content, '')) {
    // Each version of a CMS has other columns; doctor says what is missing.
    if (store.kind === 'attached' && !name.startsWith('hcd_')) continue;
    const table = tables.get(name);
    if (table === undefined) {
      yield { table: name, key: null, detail: 'the table is missing' };
      continue;
    }
    for (const column of made.columns.keys()) {
      if (!table.columns.has(column)) yield { table: name, key: null, detail: `the column ${column} is missing` };
    }
    for (const { columns, unique } of made.indexes) {
      const isThere = table.indexes.some((one) => String(one.columns) === String(columns) && one.unique === unique);
      const kind = unique ? 'unique index' : 'index';
      if (!isThere) yield { table: name, key: null, detail: `the ${kind} on ${columns.join(', ')} is missing` };
    }
  }
}
