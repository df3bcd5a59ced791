/** Refuses a source that cannot be copied from, or that is the target itself. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DatabaseAddress, maskDatabaseUrl, parseDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import { readTables } from '../../store/base/columns.js';
import type { Database } from '../../store/base/database.js';
import { checkMigrated, type MigrationRun } from '../../store/migrations/migrate.js';
import type { Store } from '../../store/open/open.js';
import { hasTable } from '../../store/state/state.js';
import { readProgress } from '../models/copy-progress.js';

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
