/** The beginning and the end of a write transaction, whose turn has come. */
import type { Sequelize } from 'sequelize';
import { toAppError, toModelError } from '../base/errors.js';
import {
  carryTransaction,
  connectionOf,
  discardTransaction,
  endTransaction,
  isFinished,
  releaseTransaction,
} from '../base/sequelize-internals.js';
import type { OpenTransaction } from '../base/transaction.js';
import { executeChange, executeRows, type SilentConnections, toConnection } from './execute.js';

interface Parts {
  readonly sequelize: Sequelize;
  readonly silent: SilentConnections;
  readonly endTurn: () => void;
}

export async function beginInTurn(
  { sequelize, silent, endTurn }: Parts,
  isOneStatement: boolean,
): Promise<OpenTransaction> {
  const transaction = await carryTransaction(sequelize);
  const connection = toConnection(connectionOf(transaction));
  const command = (sql: string) => silent.run(connection, () => connection.query(sql));
  const rollback = async () => {
    if (!isFinished(transaction)) await undo();
    endTurn();
  };
  const undo = async () => {
    try {
      if (!connection.isValid()) throw new Error('nothing to roll back on a dead connection');
      // First, because a model's later statement would be committed by itself.
      endTransaction(transaction, 'rollback');
      await command('ROLLBACK');
      releaseTransaction(transaction, 'rollback');
    } catch {
      await discardTransaction(transaction).catch(() => undefined);
    }
  };
  try {
    if (!isOneStatement) await command('START TRANSACTION');
  } catch (error) {
    await rollback();
    throw error;
  }
  const own = { sequelize, transaction };
  return {
    tx: {
      dialect: 'mariadb',
      select: (statement) => silent.run(connection, () => executeRows(connection, statement)).catch(rethrow),
      run: (statement) => silent.run(connection, () => executeChange(connection, statement)).catch(rethrow),
      query: (table, work) =>
        silent
          .run(connection, () => work(own))
          .catch((error: unknown) => {
            throw toModelError(error, table);
          }),
    },
    async commit() {
      if (!isOneStatement) await command('COMMIT');
      releaseTransaction(transaction, 'commit');
      endTurn();
    },
    rollback,
  };
}

function rethrow(error: unknown): never {
  throw toAppError(error);
}
