/** Refuses sources that cannot be copied, and targets that are neither empty nor an unfinished copy of the same source. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DatabaseAddress, maskDatabaseUrl, parseDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import { hasTable, readTables } from '../../store/base/columns.js';
import type { Database } from '../../store/base/database.js';
import { checkMigrated, type MigrationRun } from '../../store/migrations/migrate.js';
import type { Migration } from '../../store/migrations/migration.js';
import { readLedger, type Store } from '../../store/open/open.js';
import { readShapes } from '../copy-tables/read-shapes.js';
import { countRows } from '../copy-tables/rows.js';
import { readFinished, readProgress } from '../models/copy-progress.js';
import { mapColumns } from './column-map.js';
import { type CopyChoice, type CopyRequest, ownPrefix, withPattern } from './plan-copy.js';
import { digestTable } from './row-form.js';

/** `finished`: perhaps by a process that ended before it could report it. Throws refused with what is in the way. */
export async function checkTarget(
  { target, migrations }: Pick<CopyRequest, 'target' | 'migrations'>,
  { url, run }: { readonly url: string; readonly run: string },
): Promise<'new' | 'resumed' | 'finished'> {
  const progress = await readProgress(target.own.primary);
  if (progress !== null) {
    if (progress.run === run) return 'resumed';
    throw new AppError('refused', {
      message: `${maskDatabaseUrl(url)} holds an unfinished copy that was started with other options (${describeRun(progress.run)}). Continue it with the same --from, --from-prefix, --tables and --include, or name an empty database.`,
    });
  }
  if ((await readFinished(target.own.primary))?.run === run) return 'finished';
  const used = await findUsed(target, migrations);
  if (used === undefined) return 'new';
  throw new AppError('refused', {
    message: `${maskDatabaseUrl(url)} is not empty: the table ${used} holds rows that did not come from this copy. Name an empty database, or drop and create this one.`,
  });
}

export function changedSince(url: string, table: string): AppError {
  return new AppError('refused', {
    message: `${maskDatabaseUrl(url)} is not empty: a copy of this source was completed there, and the table ${table} has changed since in one of them. Name an empty database, or drop and create this one.`,
  });
}

export function runText(sourceName: string, { tables, include, repairEncoding }: CopyChoice): string {
  return JSON.stringify({ source: sourceName, tables, include: [...include].sort(), repairEncoding });
}

function describeRun(text: string): string {
  const run: unknown = JSON.parse(text);
  if (typeof run !== 'object' || run === null) return text;
  return Object.entries(run)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') || 'nothing' : String(value)}`)
    .join(', ');
}

/** A table with other rows than the migrations of the target have put there; undefined without one. */
export async function findUsed(target: Store, migrations: readonly Migration[]): Promise<string | undefined> {
  const applied = (await readLedger(target.own.primary)).flatMap(({ name, appliedAt }) =>
    appliedAt === null ? [] : name,
  );
  const steps = migrations.filter(({ name }) => applied.includes(name));
  const { content, prefix } = target;
  return withPattern({ steps, prefix }, async (pattern) => {
    for (const tables of [prefix, ownPrefix]) {
      const known = await readShapes(pattern.content.primary, tables);
      for (const table of (await readShapes(content.primary, tables)).values()) {
        if (table.name === 'hcd_migrations' || table.name === 'hcd_copy') continue;
        const rows = await countRows(content.primary, table.name);
        if (rows === 0) continue;
        const same = known.get(table.name);
        if (same === undefined || rows !== (await countRows(pattern.content.primary, same.name))) return table.name;
        // A changed setting must not be lost.
        const { targetColumns: columns, kinds } = mapColumns(same, table);
        const here = await digestTable(content.primary, { table, columns, kinds });
        if (!here.isSame(await digestTable(pattern.content.primary, { table: same, columns, kinds })))
          return table.name;
      }
    }
    return undefined;
  });
}

/** Throws refused for a store without content or with an unfinished copy; database_not_ready for pending migrations. */
export async function checkSource(
  source: Store,
  { url, runOf }: { url: string; runOf: (store: Store) => MigrationRun },
): Promise<void> {
  if (source.kind === 'empty') throw await noContent(source, url);
  if (await hasTable(source.own.primary, 'hcd_migrations')) await checkMigrated(runOf(source));
  if ((await readProgress(source.own.primary)) !== null) {
    throw new AppError('refused', {
      message: `${maskDatabaseUrl(url)} is itself an unfinished copy. Finish that copy first.`,
    });
  }
}

async function noContent(source: Store, url: string): Promise<AppError> {
  const ending = 'site_content';
  const tables = [...(await readTables(source.content.primary, '')).keys()].filter((name) => name.endsWith(ending));
  const prefixes = tables.map((name) => name.slice(0, -ending.length));
  const hint =
    prefixes.length === 0
      ? 'Correct the address.'
      : `It has content tables with the prefix ${prefixes.map((prefix) => `"${prefix}"`).join(', ')}: name it with --from-prefix.`;
  return new AppError('refused', {
    message: `${maskDatabaseUrl(url)} has no content tables with the prefix "${source.prefix}". ${hint}`,
  });
}

/** Compares addresses by their text; opens nothing. Throws refused. */
export function checkAddresses(from: string, to: string): void {
  if (placeOf(parseDatabaseUrl(from)) === placeOf(parseDatabaseUrl(to))) throw sameDatabase(to);
}

/** One database may have two addresses, such as a link or another host name. Throws refused. */
export async function checkPlaces(
  source: Database,
  target: Database,
  urls: { from: string; to: string },
): Promise<void> {
  if (source.dialect !== target.dialect) return;
  const places =
    source.dialect === 'sqlite'
      ? [fileOf(urls.from), fileOf(urls.to)]
      : await Promise.all([source, target].map(serverOf));
  if (places[0] === places[1]) throw sameDatabase(urls.to);
}

function placeOf(address: DatabaseAddress): string {
  if (address.dialect === 'sqlite') return `sqlite:${resolve(address.path)}`;
  return `mariadb://${address.socketPath ?? `${address.host.toLowerCase()}:${address.port}`}/${address.database}`;
}

export function sourceNameOf(url: string, prefix: string): string {
  return `${placeOf(parseDatabaseUrl(url))} ${prefix}`;
}

function fileOf(url: string): string {
  const address = parseDatabaseUrl(url);
  if (address.dialect !== 'sqlite') return url;
  const { dev, ino } = statSync(address.path, { bigint: true });
  return `${dev}:${ino}`;
}

async function serverOf(database: Database): Promise<string> {
  const sql = 'SELECT @@hostname, @@port, @@socket, @@datadir, DATABASE()';
  const [row] = await database.primary.select({ sql, params: [] });
  return JSON.stringify(row);
}

function sameDatabase(url: string): AppError {
  return new AppError('refused', {
    message: `--from and --to name the same database, ${maskDatabaseUrl(url)}. Name another one to copy to.`,
  });
}
