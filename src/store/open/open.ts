/** Opens the content tables and the program's own tables, and finds out which program owns the content tables. */
import { type MariadbAddress, maskDatabaseUrl, parseDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import { hasTable, readTables, type Tables } from '../base/columns.js';
import type { Database, Reader } from '../base/database.js';
import { type StoreLimits, servingLimits } from '../base/limits.js';

/** own: made by our migrations; attached: made by the CMS; empty: no content tables yet. */
export type StoreKind = 'own' | 'attached' | 'empty';

export interface Store {
  readonly content: Database;
  /** The same Database as `content` unless another URL is given. */
  readonly own: Database;
  readonly kind: StoreKind;
  readonly prefix: string;
  readonly tables: Tables;
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  readonly databaseUrl: string;
  readonly ownDatabaseUrl?: string;
  readonly readUrls?: readonly string[];
  readonly prefix: string;
  /** Only an attached site in MariaDB has double-encoded texts. */
  readonly repairEncoding?: boolean;
  readonly limits?: StoreLimits;
  readonly create?: boolean;
}

export const ledgerTable = 'hcd_migrations';

/** Every release of the CMS since 2.7 has these columns; without them nothing can be served. */
const neededColumns = [
  'id',
  'type',
  'pagetitle',
  'longtitle',
  'description',
  'alias',
  'published',
  'pub_date',
  'unpub_date',
  'parent',
  'isfolder',
  'introtext',
  'content',
  'template',
  'menuindex',
  'createdby',
  'createdon',
  'editedby',
  'editedon',
  'deleted',
  'deletedon',
  'deletedby',
  'publishedon',
  'publishedby',
  'menutitle',
  'hidemenu',
  'class_key',
  'context_key',
  'content_type',
  'uri',
  'uri_override',
  'properties',
];

/** Throws the errors of openDatabase, and database_not_ready that names what a content table lacks. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { prefix, limits, create, databaseUrl, readUrls = [], repairEncoding = false } = options;
  const common = { ...(limits === undefined ? {} : { limits }), ...(create === undefined ? {} : { create }) };
  const content = await openDatabase({ url: databaseUrl, readUrls, repairEncoding, ...common });
  const opened = [content];
  const close = async () => {
    await Promise.all(opened.map((database) => database.close()));
  };
  try {
    const { ownDatabaseUrl } = options;
    const separate = ownDatabaseUrl !== undefined && ownDatabaseUrl !== options.databaseUrl;
    const own = separate ? await openDatabase({ url: ownDatabaseUrl, ...common }) : content;
    if (separate) opened.push(own);
    const tables = await readTables(content.primary, prefix);
    const kind = await findKind({ tables, own, prefix });
    if (repairEncoding && (kind === 'own' || content.dialect === 'sqlite')) {
      const message = 'Only an attached site in MariaDB can be double-encoded: remove HCD_REPAIR_ENCODING';
      throw new AppError('configuration_invalid', { message });
    }
    if (kind !== 'empty') checkContentTable({ tables, prefix, url: options.databaseUrl });
    return { content, own, kind, prefix, tables, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A content table that no step of the ledger made belongs to a CMS. */
async function findKind(found: { tables: Tables; own: Database; prefix: string }): Promise<StoreKind> {
  if (!found.tables.has(`${found.prefix}site_content`)) return 'empty';
  const steps = await readLedger(found.own.primary);
  return steps.some(({ name }) => name.includes('-content-')) ? 'own' : 'attached';
}

export interface LedgerRow {
  readonly name: string;
  /** Unix milliseconds; null while the step is not complete. */
  readonly appliedAt: number | null;
  readonly writtenBy: string | null;
}

/** The steps of the database, which `migrations/migrate.ts` takes; none in a database without the program's tables. */
export async function readLedger(reader: Reader): Promise<LedgerRow[]> {
  if (!(await hasTable(reader, ledgerTable))) return [];
  const rows = await reader.select({ sql: `SELECT * FROM ${ledgerTable} ORDER BY name`, params: [] });
  return rows.map(([name, _startedAt, appliedAt = null, writtenBy = null]) => ({
    name: String(name),
    appliedAt: appliedAt === null ? null : Number(appliedAt),
    writtenBy: writtenBy === null ? null : String(writtenBy),
  }));
}

function checkContentTable(found: { tables: Tables; prefix: string; url: string }): void {
  const name = `${found.prefix}site_content`;
  const columns = found.tables.get(name)?.columns;
  const missing = neededColumns.filter((column) => columns?.has(column) !== true);
  if (missing.length === 0) return;
  throw new AppError('database_not_ready', {
    message: `The table ${name} in ${maskDatabaseUrl(found.url)} lacks the columns ${missing.join(', ')}: it is not a content table of MODX 2.7 or newer. Correct the database URL or HCD_CONTENT_PREFIX.`,
  });
}

export interface OpenDatabaseOptions extends Pick<OpenStoreOptions, 'repairEncoding'> {
  readonly url: string;
  /** For reads outside transactions; MariaDB only. */
  readonly readUrls?: readonly string[];
  readonly limits?: StoreLimits;
  readonly create?: boolean;
}

/** Throws configuration_invalid for a bad URL or an unsafe SQLite, database_unreachable that says what to do. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, limits = servingLimits, repairEncoding = false } = options;
  const address = parseDatabaseUrl(url);
  const replicas = (options.readUrls ?? []).map(parseReplica);
  // Loaded here, so that a program with one kind of database does not pay for the other.
  if (address.dialect === 'mariadb') {
    const { openMariadbDatabase } = await import('../mariadb/mariadb-database.js');
    return openMariadbDatabase({ address, url, replicas, limits, repairEncoding });
  }
  if (replicas.length > 0) {
    throw new AppError('configuration_invalid', {
      message: 'Read replicas need a MariaDB database: remove HCD_DATABASE_READ_URLS',
    });
  }
  const { openSqliteDatabase } = await import('../sqlite/sqlite-database.js');
  return openSqliteDatabase({ address, url, limits, create: options.create ?? true });
}

function parseReplica(url: string): MariadbAddress {
  const address = parseDatabaseUrl(url);
  if (address.dialect === 'mariadb') return address;
  throw new AppError('configuration_invalid', {
    message: `A read replica must be a MariaDB database, not ${maskDatabaseUrl(url)}`,
  });
}
