/** Write transactions of a SQLite file, whose turn has come, and its log, which is copied off the event loop. */
import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
import type { Sequelize } from 'sequelize';
import type { Clock } from '../../clock/clock.js';
import type { WaitingLine } from '../../clock/waiting-line.js';
import type { ModelConnection, Statement, WriteOptions, WriteResult } from '../base/database.js';
import { toAppError, toModelError } from '../base/errors.js';
import type { StoreLimits } from '../base/limits.js';
import { carryConnection, endTransaction } from '../base/sequelize-internals.js';
import type { OpenTransaction, SharedSync } from '../base/transaction.js';
import { copyWhenFull, mostLogPages, type SqliteConnection, whileBusy } from './connection.js';
import type { WriterConnection } from './sequelize-face.js';
import type { StatementThread } from './thread.js';

export type BeginOptions = Pick<WriteOptions<unknown>, 'mayBeUndone' | 'aside'>;

interface Turn {
  readonly log: LogMover;
  readonly limits: StoreLimits;
  readonly endTurn: () => void;
}

interface ModelParts {
  readonly writer: WriterConnection;
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
  { writer, sequelize, disk, log, endTurn }: Turn & ModelParts,
  { mayBeUndone }: BeginOptions,
): Promise<OpenTransaction> {
  const face = await writer.take();
  let models: ModelConnection | undefined;
  // First, because a model's later statement would be committed by itself.
  const endModels = (outcome: 'commit' | 'rollback') => {
    if (models !== undefined) endTransaction(models.transaction, outcome);
  };
  const finish = () => {
    writer.giveBack(face);
    endTurn();
  };
  try {
    await face.use((open) => open.exec('BEGIN IMMEDIATE'));
  } catch (error) {
    finish();
    throw error;
  }
  const select = (statement: Statement) => face.use((open) => open.rows(statement.sql, statement.params));
  const run = (statement: Statement): Promise<WriteResult> =>
    face.use((open) => open.statement(statement.sql).run(statement.params));
  return {
    tx: {
      dialect: 'sqlite',
      select: (statement) => select(statement).catch(rethrow),
      run: (statement) => run(statement).catch(rethrow),
      query: (table, work) => {
        models ??= { sequelize, transaction: carryConnection(sequelize, face) };
        return work(models).catch((error: unknown) => {
          throw toModelError(error, table);
        });
      },
    },
    async commit() {
      endModels('commit');
      const isCopying = !log.isFarBehind;
      await face.use((open) => commit(open, isCopying));
      finish();
      log.look();
    },
    ...(mayBeUndone ? {} : { durable: () => disk.wait() }),
    async rollback() {
      // A full disk ends the transaction by itself; a connection still inside one is closed.
      endModels('rollback');
      await face.use((open) => open.inTransaction && open.exec('ROLLBACK')).catch(() => undefined);
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

/** The log holds every commit that is not in the file yet. SQLite has no locks on it, so it can be closed again. */
export async function syncLog(path: string): Promise<void> {
  const log = openLog(path);
  if (log === null) return;
  try {
    await new Promise<void>((resolve, reject) => fdatasync(log, (error) => (error ? reject(error) : resolve())));
  } finally {
    closeSync(log);
  }
}

/** Null when the last connection removed the log, after a sync of the file. */
function openLog(path: string): number | null {
  try {
    // Takes microseconds, and less than a thread would.
    return openSync(`${path}-wal`, 'r+');
  } catch (error) {
    if (existsSync(`${path}-wal`)) throw error;
    return null;
  }
}

/** Pages, as many as SQLite itself would wait for. */
const batchSize = 1000;
const pauseMs = 1000;
/** As a caller of its own, it waits for one write only. */
const logMover = { group: '', caller: 'log' };

interface LogMoverParts {
  readonly reader: SqliteConnection;
  readonly turns: WaitingLine;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** On a thread; others may read and write meanwhile. */
  readonly copy: () => Promise<unknown>;
}

/** SQLite would copy in the commit that fills the log, and every request would wait for the disk. */
export class LogMover {
  readonly #parts: LogMoverParts;
  #isMoving = false;
  #left = 0;
  #triedAt = Number.NEGATIVE_INFINITY;
  #hasThread = true;
  #isFarBehind = false;

  constructor(parts: LogMoverParts) {
    this.#parts = parts;
  }

  /** True: commits leave the copying to the thread. */
  get isFarBehind(): boolean {
    return this.#isFarBehind && this.#hasThread;
  }

  look(): void {
    const left = this.#pages();
    this.#left = Math.min(this.#left, left);
    this.#isFarBehind = left > mostLogPages;
    const mayGoOn = this.#isFarBehind && this.#parts.clock.elapsed() - this.#triedAt >= pauseMs;
    if (left >= this.#left + batchSize || mayGoOn) this.#begin(left);
  }

  /** Copied pages give their space to later writes; without a commit nothing else would copy. Never throws. */
  lookForSpace(): void {
    const left = this.#pages();
    if (left > 0) this.#begin(left);
  }

  #begin(left: number): void {
    if (this.#isMoving) return;
    this.#left = left;
    this.#triedAt = this.#parts.clock.elapsed();
    this.#isMoving = true;
    const end = (hasThread: boolean) => {
      this.#isMoving = false;
      this.#hasThread = hasThread;
      this.#left = Math.min(this.#left, this.#pages());
    };
    // After a failure it tries again when there is as much more; in the end SQLite copies the log.
    this.#move().then(
      () => end(true),
      () => end(false),
    );
  }

  #pages(): number {
    try {
      const [[, pages, copied] = []] = this.#parts.reader.rows('PRAGMA wal_checkpoint(NOOP)', []);
      return Number(pages) - Number(copied);
    } catch {
      return 0;
    }
  }

  async #move(): Promise<void> {
    const { turns, copy } = this.#parts;
    await copy();
    // SQLite restarts the log only when all of it is copied, so the rest is copied while writers wait.
    const endTurn = await turns.take({ asker: logMover });
    try {
      await copy();
    } finally {
      endTurn();
    }
  }
}
