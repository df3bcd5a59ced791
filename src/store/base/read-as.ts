/** Marks what is read on behalf of a caller, so that heavy statements of different callers share the time fairly. */
import type { Reader } from './database.js';
import type { Asker } from './fair-queue.js';

/** The same reader, asked by the caller. */
export function readAs(reader: Reader, asker: Asker): Reader {
  const { version } = reader;
  return {
    dialect: reader.dialect,
    select: (statement) =>
      reader.select(statement.heavy === undefined || statement.heavy === false ? statement : { ...statement, asker }),
    query: (table, work) => reader.query(table, work),
    ...(version === undefined ? {} : { version: () => version.call(reader) }),
  };
}
