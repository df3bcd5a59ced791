/** Reads that all see one moment of a database; engines without transactions, such as MyISAM, cannot. */
import type { Connection } from 'mariadb';
import type { Database, Reader } from '../../store/base/database.js';
import { toAppError } from '../../store/base/errors.js';
import { carryTransaction, connectionOf, discardTransaction } from '../../store/base/sequelize-internals.js';
import { executeRows } from '../../store/mariadb/execute.js';
import type { Store } from '../../store/open/open.js';

export interface Snapshot extends Reader {
  /** Never throws. */
  end(): Promise<void>;
}

export async function openSnapshots({ content, own }: Pick<Store, 'content' | 'own'>): Promise<{
  readonly readers: { readonly content: Reader; readonly own: Reader };
  readonly end: () => Promise<void>;
}> {
  const first = await openSnapshot(content);
  try {
    const second = own === content ? first : await openSnapshot(own);
    const end = async (): Promise<void> => {
      await first.end();
      await second.end();
    };
    return { readers: { content: first, own: second }, end };
  } catch (error) {
    await first.end();
    throw error;
  }
}

/** On SQLite only the snapshot may read through the read connection of `database` until it ends. */
function openSnapshot(database: Database): Promise<Snapshot> {
  return database.dialect === 'sqlite' ? sqliteSnapshot(database) : mariadbSnapshot(database);
}

async function sqliteSnapshot(database: Database): Promise<Snapshot> {
  await database.select({ sql: 'BEGIN', params: [] });
  // The moment is that of the first read.
  await database.select({ sql: 'SELECT COUNT(*) FROM sqlite_schema', params: [] });
  return {
    dialect: 'sqlite',
    select: (statement) => database.select({ ...statement, heavy: false }),
    query: (table, work) => database.query(table, work),
    async end() {
      await database.select({ sql: 'COMMIT', params: [] }).catch(() => undefined);
    },
  };
}

/** Minutes pass between two reads, and the server must not take the connection for idle. */
const sessionStatements = [
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'SET SESSION wait_timeout = 86400, net_write_timeout = 600 /*M!100300 , idle_transaction_timeout = 0 */',
  'START TRANSACTION WITH CONSISTENT SNAPSHOT',
];

async function mariadbSnapshot(database: Database): Promise<Snapshot> {
  const carrier = await carryTransaction(database.sequelize);
  // Sequelize types its connections as plain objects.
  const connection = connectionOf(carrier) as Connection;
  // Its session settings are not those of the pool, so the connection goes with the snapshot.
  const end = () => discardTransaction(carrier).catch(() => undefined);
  try {
    for (const sql of sessionStatements) await connection.query(sql);
  } catch (error) {
    await end();
    throw toAppError(error);
  }
  return {
    dialect: 'mariadb',
    async select(statement) {
      try {
        return await executeRows(connection, statement);
      } catch (error) {
        throw toAppError(error);
      }
    },
    query: (_table, work) => work({ sequelize: database.sequelize, transaction: carrier }),
    end,
  };
}
