/** Loads a backup next to the store, then replaces it. A process that dies leaves the old store or the new one. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../../clock/clock.js';
import { maskDatabaseUrl, parseDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import type { Database } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { maintenanceLimits } from '../../store/base/limits.js';
import { type OpenStoreOptions, openDatabase, type Store } from '../../store/open/open.js';
import { checkUnused, removeFile, replaceFile } from '../../store/sqlite/replace-file.js';
import { findUsed } from '../copy/check-databases.js';
import { readShapes } from '../copy-tables/read-shapes.js';
import { countRows } from '../copy-tables/rows.js';
import { type LoadRequest, loadBackup } from './load-backup.js';
import type { BackupTotals } from './take-backup.js';

interface RestoreRequest extends LoadRequest {
  readonly openStore: (options: OpenStoreOptions) => Promise<Store>;
  /** Nothing is replaced once it has aborted. */
  readonly stop: AbortSignal;
  /** Throws unless a store that holds something may be replaced; the text says what it holds. */
  readonly confirm: (found: string) => Promise<void>;
}

/** Throws target_in_use, target_not_empty and errors of reading a backup, before anything was changed. */
export async function restoreBackup(request: RestoreRequest): Promise<BackupTotals> {
  const address = parseDatabaseUrl(request.url);
  return address.dialect === 'sqlite' ? restoreSqlite(request, resolve(address.path)) : restoreMariadb(request);
}

async function restoreSqlite(request: RestoreRequest, path: string): Promise<BackupTotals> {
  const next = `${path}.restore`;
  await checkUnused(path);
  // Left by a restore that died, or open in one that runs.
  await checkUnused(next);
  const found = existsSync(path) ? await findInFile(request) : undefined;
  if (found !== undefined) await request.confirm(found);
  await removeFile(next);
  let isDone = false;
  try {
    const database = await openDatabase({ url: `sqlite:${next}`, limits: maintenanceLimits });
    request.stop.addEventListener('abort', () => void database.close(), { once: true });
    // Each row is written once and read once: a cache of pages would only take memory.
    const smallCache = { sql: 'PRAGMA cache_size = -2000', params: [] };
    await database.select(smallCache);
    await database.write((tx) => tx.select(smallCache));
    const totals = await loadBackup(request, {
      database,
      prefixes: { content: request.prefix, own: 'hcd_' },
      nameOf: ({ kind, name }) => (kind === 'own' ? name : request.prefix + name),
    }).finally(() => database.close());
    request.stop.throwIfAborted();
    await replaceFile(path, next);
    isDone = true;
    return totals;
  } finally {
    if (!isDone) await removeFile(next);
  }
}

async function findInFile({ url, prefix, migrations, openStore }: RestoreRequest): Promise<string | undefined> {
  let store: Store | undefined;
  try {
    store = await openStore({ databaseUrl: url, prefix, limits: maintenanceLimits, create: false });
    return describeUsed((await findUsed(store, migrations)) ?? (await findForeign(store)));
  } catch (error) {
    if (error instanceof AppError) return 'a file that cannot be read as a store';
    throw error;
  } finally {
    await store?.close();
  }
}

/** A table of another program, which goes with the file. */
async function findForeign({ content, prefix }: Store): Promise<string | undefined> {
  for (const name of (await readShapes(content.primary, '')).keys()) {
    if (name.startsWith(prefix) || name.startsWith('hcd_')) continue;
    if ((await countRows(content.primary, name)) > 0) return name;
  }
  return undefined;
}

function describeUsed(table: string | undefined): string | undefined {
  return table === undefined ? undefined : `rows, for example in the table ${table}`;
}

/** New tables, and old ones that wait for their removal; never the prefix of content. */
const staging = 'hcd_restore_';
const prefixes = { content: `${staging}c_`, own: `${staging}o_`, extra: `${staging}x_`, old: `${staging}old_` };

/** One statement exchanges the new tables and the old ones. */
async function restoreMariadb(request: RestoreRequest): Promise<BackupTotals> {
  const { url, prefix, migrations } = request;
  // With one connection it knows which connections are not its own.
  const limits = { ...maintenanceLimits, connections: 1 };
  const store = await request.openStore({ databaseUrl: url, prefix, limits });
  const database = store.content;
  await checkConnections(database);
  if (store.kind === 'attached') {
    throw new AppError('target_not_empty', {
      message: `${maskDatabaseUrl(url)} holds the tables of a CMS with the prefix "${prefix}", which a restore never replaces`,
    });
  }
  const found = describeUsed(await findUsed(store, migrations));
  if (found !== undefined) await request.confirm(found);
  await dropStaging(database);
  const extras: string[] = [];
  try {
    const totals = await loadBackup(request, {
      database,
      prefixes,
      nameOf({ kind, name }) {
        if (kind === 'core') return prefixes.content + name;
        if (kind === 'own') return prefixes.own + name.slice('hcd_'.length);
        // Their own names could be too long with the prefix.
        if (!extras.includes(name)) extras.push(name);
        return prefixes.extra + extras.indexOf(name);
      },
    });
    const names = new Map(extras.map((name, at) => [prefixes.extra + at, request.prefix + name]));
    await checkConnections(database);
    request.stop.throwIfAborted();
    await exchange(database, { names, prefix: request.prefix });
    await dropStaging(database);
    return totals;
  } catch (error) {
    await dropStaging(database).catch(() => undefined);
    throw error;
  }
}

async function exchange(
  database: Database,
  { names, prefix }: { names: ReadonlyMap<string, string>; prefix: string },
): Promise<void> {
  const realName = (table: string): string => {
    if (table.startsWith(prefixes.own)) return `hcd_${table.slice(prefixes.own.length)}`;
    return names.get(table) ?? prefix + table.slice(prefixes.content.length);
  };
  const tables = [...(await readShapes(database.primary, '')).keys()];
  const fresh = tables.filter((table) => table.startsWith(staging)).map((table) => [table, realName(table)] as const);
  const taken = new Set(fresh.map(([, name]) => name));
  const isOld = (table: string): boolean =>
    taken.has(table) || table.startsWith('hcd_') || (prefix !== '' && table.startsWith(prefix));
  const old = tables
    .filter((table) => !table.startsWith(staging) && isOld(table))
    .map((table, at) => [table, prefixes.old + at] as const);
  const { quote } = dialectOf('mariadb');
  const moves = [...old, ...fresh].map(([from, to]) => `${quote(from)} TO ${quote(to)}`);
  await database.write(async (tx) => {
    // A transaction that another program left open would hold the tables for a day.
    await tx.run({ sql: 'SET SESSION lock_wait_timeout = 10', params: [] });
    await tx.run({ sql: `RENAME TABLE ${moves.join(', ')}`, params: [] });
  });
}

async function dropStaging(database: Database): Promise<void> {
  const { quote } = dialectOf('mariadb');
  for (const table of (await readShapes(database.primary, staging)).keys()) {
    await database.write((tx) => tx.run({ sql: `DROP TABLE IF EXISTS ${quote(table)}`, params: [] }));
  }
}

/** A process that has just ended is still listed for a moment. */
const attempts = 20;
const pauseMs = 100;

const others = `SELECT user, host FROM information_schema.processlist
  WHERE db = DATABASE() AND id <> CONNECTION_ID() ORDER BY id`;

/** The pool of `database` must have one connection. Only a user with the right PROCESS sees other users. */
async function checkConnections(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await database.primary.select({ sql: others, params: [] });
    if (found.length === 0) return;
    if (attempt < attempts) {
      await systemClock.sleep(pauseMs);
      continue;
    }
    const places = found.slice(0, 3).map(([user, host]) => `${user}@${host}`);
    throw new AppError('target_in_use', {
      message: `Other programs use the database (${places.join(', ')}${found.length > 3 ? ', …' : ''})`,
    });
  }
}
