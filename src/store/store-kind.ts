/** Which store this is: our own or one attached to a CMS, and whether it was ever used. */
import { AppError } from '../errors/app-error.js';
import type { Database } from './database.js';
import { hasTable, readLedger, sqliteTables } from './ledger.js';

/** `own`: our migrations made the content tables. `attached`: a CMS did, and its tables are never altered. */
export type StoreKind = 'own' | 'attached';

export interface ContentStore {
  readonly content: Database;
  /** Holds the ledger; the same object as `content` unless a database of its own is configured. */
  readonly own: Database;
  readonly kind: StoreKind;
  /** Prefix of the content tables. */
  readonly prefix: string;
}

/** Whose content tables these are: a content table that no step of ours made means attached. */
export async function detectStoreKind(store: Omit<ContentStore, 'kind'>): Promise<StoreKind> {
  const steps = (await readLedger(store.own.primary)).filter((row) => row.name.includes('-content-'));
  if (await hasTable(store.content.primary, `${store.prefix}site_content`))
    return steps.length > 0 ? 'own' : 'attached';
  if (steps.some((row) => row.appliedAt !== null)) {
    throw new AppError('database_not_ready', {
      message: `The ledger says that the content tables were made, but there is no table ${store.prefix}site_content. Check HCD_CONTENT_PREFIX and the database addresses.`,
    });
  }
  return 'own';
}

/**
 * Whether this is an embedded store without a single row: new, or left by a first start that was interrupted. Only such
 * a store is migrated without being asked to.
 */
export async function isEmptyEmbedded(store: ContentStore): Promise<boolean> {
  if (store.kind !== 'own') return false;
  for (const database of new Set([store.content, store.own])) {
    if (database.dialect !== 'sqlite') return false;
    for (const table of await sqliteTables(database)) {
      const [row] = await database.select({ sql: `SELECT EXISTS (SELECT 1 FROM "${table}") AS used`, params: [] });
      if (Number(row?.[0]) !== 0) return false;
    }
  }
  return true;
}
