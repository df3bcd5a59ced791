/** The beginning and the end of a write transaction of a SQLite file, whose turn has come. */
import type { Sequelize } from 'sequelize';
import type { ModelConnection, Statement, WriteOptions, WriteResult } from '../base/database.js';
import { toAppError, toModelError } from '../base/errors.js';
import type { StoreLimits } from '../base/limits.js';
import { carryConnection, endTransaction } from '../base/sequelize-internals.js';
import type { OpenTransaction, SharedSync } from '../base/transaction.js';
import { type SqliteConnection, whileBusy } from './connection.js';
import type { SequelizeFace } from './sequelize-face.js';
import type { StatementThread } from './thread.js';
import { copyWhenFull, type LogMover } from './write-ahead-log.js';

export type BeginOptions = Pick<WriteOptions<unknown>, 'mayBeUndone' | 'aside'>;

interface Turn {
  readonly log: LogMover;
  readonly limits: StoreLimits;
  readonly endTurn: () => void;
}

interface ModelParts {
  readonly face: SequelizeFace;
  readonly sequelize: Sequelize;
  readonly disk: SharedSync;
}

export async function beginAside(
  { writer, log, endTurn, limits }: Turn & { readonly writer: StatementThread },
  { mayBeUndone }: BeginOptions,
): Promise<OpenTransaction> {
  const command = (sql: string) => writer.run({ sql, params: [] });
  // FULL: a commit is on the disk when it returns. NORMAL: a later one that is FULL, or a sync, takes it along.
  await command(`PRAGMA synchronous = ${mayBeUndone ? 'NORMAL' : 'FULL'}`);
  await whileBusy(() => command('BEGIN IMMEDIATE'), limits.busy);
  return {
    tx: {
      dialect: 'sqlite',
      select: (statement) => writer.select(statement).catch(rethrow),
      run: (statement) => writer.run(statement).catch(rethrow),
      query: async (table) => {
        throw new Error(`a write of ${table} that stands aside uses no models`);
      },
    },
    async commit() {
      await command('COMMIT');
      endTurn();
      log.look();
    },
    async rollback() {
      // Some failures end the transaction by themselves, and a lost thread takes it along.
      await command('ROLLBACK').catch(() => undefined);
      endTurn();
    },
  };
}

export async function beginInTurn(
  { face, sequelize, disk, log, endTurn }: Turn & ModelParts,
  { mayBeUndone }: BeginOptions,
): Promise<OpenTransaction> {
  const connection = await face.connect();
  let models: ModelConnection | undefined;
  // First, because a model's later statement would be committed by itself.
  const endModels = (outcome: 'commit' | 'rollback') => {
    if (models !== undefined) endTransaction(models.transaction, outcome);
  };
  const finish = () => {
    connection.close();
    endTurn();
  };
  try {
    await connection.use((open) => open.exec('BEGIN IMMEDIATE'));
  } catch (error) {
    finish();
    throw error;
  }
  const select = (statement: Statement) => connection.use((open) => open.rows(statement.sql, statement.params));
  const run = (statement: Statement): Promise<WriteResult> =>
    connection.use((open) => open.statement(statement.sql).run(statement.params));
  return {
    tx: {
      dialect: 'sqlite',
      select: (statement) => select(statement).catch(rethrow),
      run: (statement) => run(statement).catch(rethrow),
      query: (table, work) => {
        models ??= { sequelize, transaction: carryConnection(sequelize, connection) };
        return work(models).catch((error: unknown) => {
          throw toModelError(error, table);
        });
      },
    },
    async commit() {
      endModels('commit');
      const isCopying = !log.isFarBehind;
      await connection.use((open) => commit(open, isCopying));
      finish();
      log.look();
    },
    ...(mayBeUndone ? {} : { durable: () => disk.wait() }),
    async rollback() {
      // A full disk ends the transaction by itself; a connection still inside one is closed.
      endModels('rollback');
      await connection.use((open) => open.inTransaction && open.exec('ROLLBACK')).catch(() => undefined);
      finish();
    },
  };
}

function commit(connection: SqliteConnection, isCopying: boolean): void {
  if (!isCopying) connection.exec('PRAGMA wal_autocheckpoint = 0');
  try {
    connection.exec('COMMIT');
  } finally {
    if (!isCopying) connection.exec(copyWhenFull);
  }
}

function rethrow(error: unknown): never {
  throw toAppError(error);
}
