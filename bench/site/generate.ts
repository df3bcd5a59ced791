/**
 * Makes the generated site on a database, or finds the one that an earlier run made: sites are kept by database, size
 * and the text of the migrations and generator, so that a change of either makes a new one.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import mariadb from 'mariadb';
import { migrationRun } from '../../commands/open-store.js';
import { buildIndexes } from '../../src/content/indexing/keep-indexes.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import { migrateUp } from '../../src/store/migrations/migrate.js';
import { openStore } from '../../src/store/open/open.js';
import { type BulkLoader, type BulkTable, smallTables } from './bulk.js';
import { openMariadbLoader, withoutIndexes } from './bulk-mariadb.js';
import { openSqliteLoader } from './bulk-sqlite.js';
import { resourceRow, tvValuesOf, usualParagraphs } from './site-shape.js';

export type DatabaseName = 'sqlite' | 'mariadb';

export interface SiteRequest {
  readonly database: DatabaseName;
  readonly count: number;
  /** Paragraphs of each content; those of an ordinary site when left out. */
  readonly paragraphs?: number;
  /** Folder of the kept sites. */
  readonly folder: string;
  /** URL of the private server, for MariaDB. */
  readonly serverUrl: string;
  readonly say: (text: string) => void;
}

export const prefix = 'modx_';
export const rootSecret = 'the root secret of the bench, 0123456789abcdef';

/** The database URL of the site, made now or found. */
export async function provideSite(request: SiteRequest): Promise<string> {
  const { database, count, folder, say, paragraphs = usualParagraphs } = request;
  const length = paragraphs === usualParagraphs ? '' : `_${paragraphs}`;
  const name = `site_${count}${length}_${schemaKey()}`;
  const mark = join(folder, `${database}-${name}.ready`);
  const url = database === 'sqlite' ? `sqlite:${join(folder, `${name}.sqlite`)}` : `${request.serverUrl}/${name}`;
  if (existsSync(mark)) return url;
  say(`making a site of ${count} resources on ${database}`);
  await mkdir(folder, { recursive: true });
  if (database === 'sqlite') await generateSqlite({ ...request, path: join(folder, `${name}.sqlite`) });
  else await generateMariadb({ ...request, name, url });
  await writeFile(mark, '');
  return url;
}

/** Short digest of everything that decides what a site looks like. */
function schemaKey(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const hash = createHash('sha256');
  const add = (folder: string, isWanted: (name: string) => boolean) => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (isWanted(name)) hash.update(readFileSync(join(folder, name)));
    }
  };
  const isSource = (name: string) => /\.[jt]s$/.test(name);
  add(join(here, '../../migrations'), isSource);
  add(here, (name) => isSource(name) && /^(site-shape|bulk)/.test(name));
  return hash.digest('hex').slice(0, 12);
}

async function generateSqlite({ path, ...request }: SiteRequest & { readonly path: string }): Promise<void> {
  const unfinished = path.replace(/sqlite$/, 'part.sqlite');
  await openFreshSite({ ...request, name: basename(unfinished, '.sqlite') });
  await withLoader(openSqliteLoader(unfinished, prefix), async (loader) => {
    for (const table of allTables(request)) await loader.fill(table);
  });
  await indexContent(`sqlite:${unfinished}`);
  // Statistics of an empty full-text index would make SQLite read all of it at each merge.
  await withLoader(openSqliteLoader(unfinished, prefix), (loader) => loader.analyze());
  await rename(unfinished, path);
}

async function withLoader(loader: BulkLoader, use: (loader: BulkLoader) => Promise<void>): Promise<void> {
  try {
    await use(loader);
  } finally {
    await loader.close();
  }
}

async function generateMariadb({
  name,
  url,
  ...request
}: SiteRequest & { readonly name: string; readonly url: string }): Promise<void> {
  await openFreshSite({ ...request, name });
  await withLoader(await openMariadbLoader(url, prefix), async (loader) => {
    for (const table of allTables(request)) await loader.fill(table);
    await loader.analyze();
  });
  await withoutIndexes(url, ['hcd_search', 'hcd_tv_values'], () => indexContent(url));
}

export interface DatabaseRequest extends Pick<SiteRequest, 'database' | 'folder' | 'serverUrl'> {
  readonly name: string;
}

/** URL of an empty database; throws away what an earlier run left under the name. */
export async function emptyDatabase({ database, folder, serverUrl, name }: DatabaseRequest): Promise<string> {
  if (database === 'sqlite') {
    const path = join(folder, `${name}.sqlite`);
    for (const rest of ['', '-wal', '-shm']) await rm(`${path}${rest}`, { force: true });
    return `sqlite:${path}`;
  }
  const { hostname, port, username } = new URL(serverUrl);
  const connection = await mariadb.createConnection({ host: hostname, port: Number(port), user: username });
  await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
  await connection.query(`CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  await connection.end();
  return `${serverUrl}/${name}`;
}

/** URL of a site without content. */
export async function openFreshSite(request: DatabaseRequest): Promise<string> {
  const databaseUrl = await emptyDatabase(request);
  await migrate(databaseUrl);
  return databaseUrl;
}

async function migrate(databaseUrl: string): Promise<void> {
  const store = await openStore({ databaseUrl, prefix, limits: maintenanceLimits });
  try {
    await migrateUp(migrationRun(store));
  } finally {
    await store.close();
  }
}

async function indexContent(databaseUrl: string): Promise<void> {
  const store = await openStore({ databaseUrl, prefix, limits: maintenanceLimits });
  try {
    await buildIndexes(store, new AbortController().signal);
  } finally {
    await store.close();
  }
}

type Shape = Pick<SiteRequest, 'count' | 'paragraphs' | 'say'>;

function allTables(shape: Shape): readonly BulkTable[] {
  const { count } = shape;
  const columns = Object.keys(resourceRow(1, count));
  return [
    ...smallTables(),
    { name: 'site_content', columns, rows: resourceRows(shape) },
    { name: 'site_tmplvar_contentvalues', columns: ['tmplvarid', 'contentid', 'value'], rows: tvValueRows(count) },
  ];
}

function* resourceRows({ count, paragraphs, say }: Shape): Generator<readonly (string | number)[]> {
  for (let id = 1; id <= count; id++) {
    if (id % 250_000 === 0) say(`  ${id} resources`);
    yield Object.values(resourceRow(id, count, paragraphs));
  }
}

function* tvValueRows(count: number): Generator<readonly (string | number)[]> {
  for (let id = 1; id <= count; id++) {
    for (const { tv, value } of tvValuesOf(id)) yield [tv, id, value];
  }
}
