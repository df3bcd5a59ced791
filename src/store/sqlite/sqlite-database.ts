/** The Database port over one SQLite file. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Sequelize } from 'sequelize';
import { systemClock } from '../../clock/clock.js';
import { Turns, type WaitingLine } from '../../clock/waiting-line.js';
import type { SqliteAddress } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import type { Database, ModelConnection, RawRow, Reader, Statement, Tx, WriteOptions } from '../base/database.js';
import { classifyFailure, toAppError, toModelError, toStartError } from '../base/errors.js';
import type { StoreLimits } from '../base/limits.js';
import { carryConnection, keepDollarsInNames } from '../base/sequelize-internals.js';
import { type OpenTransaction, runTransaction, SharedSync, tellCommit, writeTurns } from '../base/transaction.js';
import { FileVersion, loadSqliteDriver, openConnection, type SqliteConnection, whileBusy } from './connection.js';
import type { SqliteDriver } from './driver.js';
import type { HeavyReader } from './heavy-reader.js';
import { ReadingFace, WriterConnection } from './sequelize-face.js';
import type { StatementThread } from './thread.js';
import { type BeginOptions, beginAside, beginInTurn, LogMover, syncLog } from './transactions.js';

interface SqliteOptions {
  readonly address: SqliteAddress;
  readonly url: string;
  readonly limits: StoreLimits;
  readonly create: boolean;
}

/** Throws database_unreachable that says what is wrong with the file. */
export async function openSqliteDatabase(options: SqliteOptions): Promise<Database> {
  const driver = await loadSqliteDriver();
  const path = resolve(options.address.path);
  const { limits } = options;
  try {
    if (options.create) await mkdir(dirname(path), { recursive: true });
    else if (!existsSync(path)) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    // The first connection makes the file and switches it to write-ahead logging, which needs the file for itself.
    const open: Parts['open'] = (mode) => openConnection({ driver, path, ...mode });
    const openReader = async () => whileBusy(() => open({ readonly: true }), limits.busy);
    const first = await whileBusy(() => open({ readonly: false }), limits.busy);
    // A file that is not a database shows by reading, not by opening.
    const reader = await openReader().finally(() => first.close());
    const writer = new WriterConnection({ driver, path, busyLimit: limits.busy });
    return new SqliteDatabase({
      path,
      driver,
      limits,
      open,
      reader,
      writer,
      toError: (error) => toStartError(error, options),
    });
  } catch (error) {
    throw toStartError(error, options);
  }
}

interface Parts {
  readonly path: string;
  readonly driver: SqliteDriver;
  readonly limits: StoreLimits;
  readonly open: (mode: { readonly readonly: boolean }) => SqliteConnection;
  readonly reader: SqliteConnection;
  readonly writer: WriterConnection;
  readonly toError: (error: unknown) => Error;
}

/** Rows; a thread would cost more for smaller tables. */
const fewRows = 2000;
/** Milliseconds. */
const sizeLifetime = 1000;

class SqliteDatabase implements Database {
  readonly dialect = 'sqlite';
  readonly sequelize: Sequelize;
  readonly #parts: Parts;
  readonly #reading: ModelConnection;
  /** Loaded with the first statement that may read every row: most commands have none. */
  #heavy: Promise<HeavyReader> | undefined;
  readonly #sizes = new Map<string, { readonly isLarge: boolean; readonly seenAt: number }>();
  readonly #turns: WaitingLine;
  /** Transactions wait for nothing outside, so those in line would all run in one turn of the event loop. */
  readonly #loop = new Turns(systemClock);
  readonly #disk: SharedSync;
  readonly #log: LogMover;
  readonly #threads = new Map<'write' | 'copy', StatementThread>();
  readonly #version: FileVersion;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#version = new FileVersion(parts.reader);
    this.#turns = writeTurns({ places: 1, wait: parts.limits.busy });
    this.#disk = new SharedSync({ sync: () => syncLog(parts.path), writeAgain: () => this.#moveLog() });
    this.#log = new LogMover({
      reader: parts.reader,
      turns: this.#turns,
      clock: systemClock,
      copy: async () => (await this.#thread('copy')).select({ sql: 'PRAGMA wal_checkpoint(PASSIVE)', params: [] }),
    });
    this.sequelize = new Sequelize({
      dialect: 'sqlite',
      // Each question brings its connection.
      dialectModule: {},
      storage: parts.path,
      logging: false,
      ...undeclared,
      retry: { max: 1 },
    });
    keepDollarsInNames(this.sequelize);
    const face = new ReadingFace(parts.reader, { path: parts.path, busyLimit: parts.limits.busy });
    this.#reading = { sequelize: this.sequelize, transaction: carryConnection(this.sequelize, face) };
  }

  get primary(): Reader {
    return this;
  }

  async select(statement: Statement): Promise<readonly RawRow[]> {
    this.#checkOpen();
    if (this.#isHeavy(statement)) {
      this.#heavy ??= loadHeavyReader(this.#parts);
      return (await this.#heavy).select(statement);
    }
    const { reader, limits } = this.#parts;
    try {
      return await whileBusy(() => reader.rows(statement.sql, statement.params), limits.busy);
    } catch (error) {
      throw toAppError(error);
    }
  }

  async query<T>(table: string, work: (connection: ModelConnection) => Promise<T>): Promise<T> {
    this.#checkOpen();
    try {
      return await work(this.#reading);
    } catch (error) {
      throw toModelError(error, table);
    }
  }

  #isHeavy({ heavy = false }: Statement): boolean {
    if (typeof heavy !== 'object') return heavy !== false;
    const { over } = heavy;
    const now = systemClock.elapsed();
    const known = this.#sizes.get(over);
    if (known !== undefined && now - known.seenAt < sizeLifetime) return known.isLarge;
    let isLarge = true;
    try {
      isLarge =
        this.#parts.reader.rows(`SELECT 1 FROM \`${over.replaceAll('`', '``')}\` LIMIT 1 OFFSET ${fewRows}`, [])
          .length > 0;
    } catch {
      // The statement reports any failure, off the event loop.
    }
    this.#sizes.set(over, { isLarge, seenAt: now });
    return isLarge;
  }

  version(): number {
    return this.#closed ? Number.NaN : this.#version.read();
  }

  write<T>(work: (tx: Tx) => Promise<T>, options: WriteOptions<T> = {}): Promise<T> {
    const begin = () => this.#begin(options);
    const committed = (tx: Tx) => {
      this.#version.forget();
      return tellCommit(this, tx);
    };
    const { busy: limit } = this.#parts.limits;
    const failed = (error: unknown) => {
      if (classifyFailure(error) === 'full') this.#log.lookForSpace();
      throw error;
    };
    return runTransaction({ begin, work, options, limit, committed }).catch(failed).finally(this.#version.forget);
  }

  async ping(): Promise<void> {
    try {
      this.#parts.reader.rows('SELECT 1', []);
    } catch (error) {
      throw this.#parts.toError(error);
    }
  }

  poolUse(): null {
    return null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#threads.values()].map((thread) => thread.close());
    await Promise.all([this.#heavy?.then((heavy) => heavy.close()), ...threads]);
    // The last connection to close should be able to write, so that it can fold the log into the file.
    this.#parts.reader.close();
    await this.sequelize.close();
    this.#parts.writer.close();
    this.#removeLog();
  }

  /** Only a writing connection removes the log when it is the last to close, and a command that reads has had none. */
  #removeLog(): void {
    const { path, open } = this.#parts;
    if (!existsSync(`${path}-wal`) || !existsSync(path)) return;
    try {
      open({ readonly: false }).close();
    } catch {
      // Another process has the file open and handles the log. Closing never fails.
    }
  }

  /** Copies the whole log into the file, which SQLite then syncs. */
  #moveLog(): void {
    const connection = this.#parts.open({ readonly: false });
    try {
      const [[isBusy] = [1]] = connection.rows('PRAGMA wal_checkpoint(TRUNCATE)', []);
      if (isBusy !== 0) throw new AppError('unavailable', { details: { retryAfter: 5 } });
    } finally {
      connection.close();
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw new AppError('unavailable', { details: { retryAfter: 5 } });
  }

  async #begin(options: BeginOptions): Promise<OpenTransaction> {
    this.#checkOpen();
    const endTurn = await this.#turns.take();
    try {
      await this.#loop.pass();
      this.#checkOpen();
      const { writer, limits } = this.#parts;
      const turn = { log: this.#log, limits, endTurn };
      if (options.aside) return await beginAside({ ...turn, writer: await this.#thread('write') }, options);
      return await beginInTurn({ ...turn, writer, sequelize: this.sequelize, disk: this.#disk }, options);
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  /** Copying has its own thread: a write that waited for it would hold up all other writes. */
  async #thread(task: 'write' | 'copy'): Promise<StatementThread> {
    const { driver, path } = this.#parts;
    const { StatementThread } = await import('./thread.js');
    // The database may have been closed meanwhile.
    this.#checkOpen();
    const known = this.#threads.get(task);
    if (known !== undefined && !known.isLost) return known;
    const thread = new StatementThread({ driver, path, writes: true });
    this.#threads.set(task, thread);
    return thread;
  }
}

async function loadHeavyReader(parts: Parts): Promise<HeavyReader> {
  const { HeavyReader } = await import('./heavy-reader.js');
  return new HeavyReader(parts);
}

/** Missing in the types of Sequelize. The connection sets this pragma; Sequelize would not wait for it. */
const undeclared = { foreignKeys: false };
