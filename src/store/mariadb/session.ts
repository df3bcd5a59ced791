/** Settings of every connection to MariaDB or MySQL, and the servers that are too old. */
import { AppError } from '../../errors/app-error.js';
import type { StoreLimits } from '../base/limits.js';

const sqlMode = 'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/**
 * Statements that prepare a new connection. Variables that only one of the two servers knows stand in comments that
 * only that server reads (`M!` MariaDB; a plain version of 5.7 or 8 MySQL).
 */
export function sessionStatements(limits: StoreLimits): readonly string[] {
  const statement = limits.statement;
  return [
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    [
      `SET SESSION sql_mode = '${sqlMode}', time_zone = '+00:00', innodb_lock_wait_timeout = 3, wait_timeout = 600`,
      '/*M!100300 , idle_transaction_timeout = 30 */',
      `/*M!100300 , max_statement_time = ${statement / 1000} */`,
      `/*!50708 , max_execution_time = ${statement} */`,
      // Otherwise MySQL tells for a day what the next id was when it was first asked.
      '/*!80003 , information_schema_stats_expiry = 0 */',
    ].join(' '),
  ];
}

/** Throws database_unreachable for servers that lack what the store relies on. */
export function checkServerVersion(text: string): void {
  // Old MariaDB announces itself as "5.5.5-10.3.1-MariaDB", to please old clients.
  const version = text.replace(/^5\.5\.5-/, '');
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  const isMariadb = /mariadb/i.test(version);
  const reached = Number(major) * 100 + Number(minor);
  if (reached >= (isMariadb ? 1003 : 507)) return;
  throw new AppError('database_unreachable', {
    message: `The database server is version ${version}. MariaDB 10.3 or MySQL 5.7 or newer is needed: update the server.`,
  });
}
