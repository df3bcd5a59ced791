/** The times that MariaDB keeps of its tables. */
import type { Reader } from '../../store/base/database.js';

/** They keep the time of their last change. */
const timedEngines: ReadonlySet<string> = new Set(['INNODB', 'MYISAM']);

export interface TableTime {
  readonly mark: string;
  /** A further change may have the same time, or this one may not be visible yet. */
  readonly isRecent: boolean;
}

/** By name; tables without a time, and those that the user of the database may not see, are left out. */
export async function readTimes(reader: Reader, tables: readonly string[]): Promise<ReadonlyMap<string, TableTime>> {
  const marks = tables.map(() => '?').join(', ');
  const rows = await reader.select({
    sql: `SELECT TABLE_NAME, ENGINE, UNIX_TIMESTAMP(CREATE_TIME), UNIX_TIMESTAMP(UPDATE_TIME), UNIX_TIMESTAMP()
FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (${marks})`,
    params: tables,
  });
  const times = new Map<string, TableTime>();
  for (const [name, engine, made, changed, now] of rows) {
    if (!timedEngines.has(String(engine).toUpperCase())) continue;
    // The server forgets the time when it restarts; that counts as a change.
    times.set(String(name), { mark: `${made} ${changed}`, isRecent: Number(changed) + 1 >= Number(now) });
  }
  return times;
}
