/** Exclusive use of the own database, by a named lock on MariaDB, since DDL ends row locks; Galera shares no lock. */
import type { Sequelize, Transaction } from 'sequelize';
import { AppError } from '../../errors/app-error.js';
import type { Database, Tx } from '../base/database.js';
import { carryTransaction, connectionOf, discardTransaction, releaseTransaction } from '../base/sequelize-internals.js';
import { executeChange, executeRows, toConnection } from '../mariadb/execute.js';

/** On MariaDB a DDL statement commits earlier statements, and each later one commits by itself. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Throws database_not_ready when another MariaDB runner holds the lock for more than `lockSeconds`. */
export async function withMigrationSession(
  session: { readonly database: Database; readonly lockSeconds: number },
  work: (transact: Transact) => Promise<void>,
): Promise<void> {
  const { database, lockSeconds } = session;
  if (database.dialect === 'sqlite') return work((step) => database.write(step));
  await withConnection(database.sequelize, async (tx) => {
    await takeLock(tx, lockSeconds);
    await work((step) => transact(tx, step));
    await releaseLock(tx);
  });
}

/** Outside a transaction: the server ends idle ones. */
async function withConnection(sequelize: Sequelize, work: (tx: Tx) => Promise<void>): Promise<void> {
  const carrier = await carryTransaction(sequelize);
  try {
    await work(connectionTx(sequelize, carrier));
  } catch (error) {
    // Ends the connection, and with it its lock and whatever is not committed.
    await discardTransaction(carrier);
    throw error;
  }
  releaseTransaction(carrier, 'commit');
}

async function transact<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  await execute(tx, 'START TRANSACTION');
  const result = await work(tx);
  await execute(tx, 'COMMIT');
  return result;
}

/** The whole server shares named locks, so the name holds the database's. MySQL 9 no longer has MD5. */
const lockName = "CONCAT('hcd-migrate-', LEFT(SHA2(DATABASE(), 256), 32))";

async function takeLock(tx: Tx, seconds: number): Promise<void> {
  for (let waited = 0; waited < seconds; waited += 1) {
    const [row] = await tx.select({ sql: `SELECT GET_LOCK(${lockName}, 1) AS taken`, params: [] });
    if (Number(row?.[0]) === 1) return;
  }
  throw new AppError('database_not_ready', {
    message: `Another process has been migrating this database for more than ${seconds} s. Wait until it is done, then run hcd migrate again.`,
  });
}

async function releaseLock(tx: Tx): Promise<void> {
  await tx.select({ sql: `SELECT RELEASE_LOCK(${lockName}) AS released`, params: [] });
}

/** Not every server can prepare what a migration sends. */
function connectionTx(sequelize: Sequelize, transaction: Transaction): Tx {
  const connection = toConnection(connectionOf(transaction));
  return {
    dialect: 'mariadb',
    select: (statement) => executeRows(connection, { ...statement, heavy: true }),
    run: (statement) => executeChange(connection, { ...statement, heavy: true }),
    query: (_table, work) => work({ sequelize, transaction }),
  };
}

async function execute(tx: Tx, sql: string): Promise<void> {
  await tx.run({ sql, params: [] });
}
