/** Opens one database from its URL. */

import { maskDatabaseUrl } from '../../config/database-url.js';
import { AppError } from '../../errors/app-error.js';
import type { Database } from '../base/database.js';
import { type MariadbAddress, parseDatabaseUrl } from '../base/database-url.js';
import { type StoreLimits, servingLimits } from '../base/limits.js';

export interface OpenDatabaseOptions {
  readonly url: string;
  /** Replicas that answer reads outside transactions; MariaDB only. */
  readonly readUrls?: readonly string[];
  /** Default: servingLimits. Migrations and copies take maintenanceLimits. */
  readonly limits?: StoreLimits;
  /** Make a missing SQLite file. Default: yes. */
  readonly create?: boolean;
}

/**
 * The open database. configuration_invalid for a bad URL or an unsafe SQLite; database_unreachable when it cannot be
 * opened, with a message that says what to do.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, limits = servingLimits } = options;
  const address = parseDatabaseUrl(url);
  const replicas = (options.readUrls ?? []).map(parseReplica);
  // Loaded here, so that a program that uses one kind of database does not pay for the other.
  if (address.dialect === 'mariadb') {
    const { openMariadbDatabase } = await import('../mariadb/mariadb-database.js');
    return openMariadbDatabase({ address, url, replicas, limits });
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
