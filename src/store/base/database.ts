/**
 * The interface of an open database for the rest of the program: reads as rows of raw values, writes in one
 * transaction. The implementation (Sequelize, its pool, the SQLite driver) stays in this folder.
 */
import type { Sequelize, Transaction } from 'sequelize';
import type { Asker } from '../../clock/fair-queue.js';

export type DialectName = 'sqlite' | 'mariadb';

/** A value as the driver gives it, before decoding: booleans are 0/1, dates text or integers, JSON text. */
export type RawValue = string | number | bigint | null | Buffer;
export type RawRow = readonly RawValue[];
export type Param = string | number | bigint | null | Buffer;

/** One statement with `?` placeholders. Text never contains a value that came from outside. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
  /**
   * The statement may look at many rows: it waits for its turn among all others that may, on SQLite it runs off the
   * event loop, and on MariaDB it is not prepared. 'search' has less time than the others; `over` names a table: on
   * SQLite the statement is heavy only while that table has more than a few rows.
   */
  readonly heavy?: Heavy;
  /** The caller, for the fair order of heavy statements; absent = the program itself. */
  readonly asker?: Asker;
}

export type Heavy = boolean | 'search' | { readonly over: string };

/** Where one query of a model runs; `transaction` goes into the options of the query. */
export interface ModelConnection {
  readonly sequelize: Sequelize;
  readonly transaction: Transaction;
}

export interface Reader {
  readonly dialect: DialectName;
  /** Rows in order, each an array of values in the order of the select list. */
  select(statement: Statement): Promise<readonly RawRow[]>;
  /**
   * Runs one query of a model of `table` on the connection that `select` would take, with the same limits, repeats and
   * errors. Called by src/store/models, and where an answer of the server needs the names of its columns.
   */
  query<T>(table: string, work: (connection: ModelConnection) => Promise<T>): Promise<T>;
  /**
   * A number that changes with every commit of any process that a read would see, at a fraction of the cost of a read:
   * a result that was read after it stays valid while the number is the same. All callers at the beginning of requests
   * that arrived together (src/clock/turns.ts) get the same number, unless this process commits in between; for
   * other callers it is read again. NaN when the database does not answer; absent where the database has no such
   * number.
   */
  version?(): number;
  /**
   * The same where the database has to be asked for it, by a statement that all callers of a moment share: what was read
   * after it stays valid while a later call gives the same number. Worth its cost only for what takes much longer to read.
   */
  laterVersion?(): Promise<number>;
  /** The number that `laterVersion` gave last, without asking. */
  knownVersion?(): number;
}

export interface WriteResult {
  readonly changes: number;
  /** Id that an INSERT of one row made by counting; after other statements it says nothing. */
  readonly lastId: number;
}

/** Inside a write transaction: reads see its own writes. */
export interface Tx extends Reader {
  run(statement: Statement): Promise<WriteResult>;
  /** The span that it runs in, as text of the header traceparent; absent without tracing. */
  readonly traceparent?: string | undefined;
}

export interface WriteOptions<T> {
  /**
   * Asked in a new transaction when the connection died during COMMIT, so that its effect is unknown:
   * looks for the transaction's own unique id and gives the result of the work, or undefined when nothing was kept
   * (then the work is repeated). Without it the write ends as `unavailable`.
   */
  readonly outcome?: (tx: Tx) => Promise<T | undefined>;
  /**
   * The commit may be undone by a failure of power until the next one that may not; the end of a process never undoes
   * it. Saves SQLite the wait for the disk, for work that is then simply done again.
   */
  readonly mayBeUndone?: boolean;
  /**
   * The work changes something by one statement only, which is a transaction by itself: MariaDB is asked once and not
   * three times. When the connection dies the statement may have taken effect, so done again it must find that out.
   */
  readonly isOneStatement?: boolean;
  /**
   * The work sends statements only and uses no models, so that SQLite may run them on a thread: each costs a
   * message more, and no other work waits for the disk. For work for which no answer waits.
   */
  readonly aside?: boolean;
}

/** For work that may take effect twice: it is repeated after a COMMIT whose answer was lost. */
export const repeatable: WriteOptions<never> = Object.freeze({ outcome: async () => undefined });

/** Which replicas have seen enough to be read. */
export interface ReplicaGate {
  /** The number that a replica must have reached, which is not asked for while it is 0; null: none is read now. */
  wanted(): number | null;
  /** Asks a replica for the number that it has reached. */
  readonly reached: Statement;
}

export interface PoolUse {
  readonly size: number;
  readonly using: number;
  readonly waiting: number;
}

export interface Database extends Reader {
  readonly sequelize: Sequelize;
  /** Double-encoded texts are read as they were meant, so a text may be stored in two forms. Default: no. */
  readonly repairsTexts?: boolean;
  readonly primary: Reader;
  /** Reads on replicas where the gate lets it, else on the primary; absent where there are no replicas. */
  readonly replicas?: (gate: ReplicaGate) => Reader;
  /**
   * Runs `work` in one write transaction (BEGIN IMMEDIATE or READ COMMITTED) and repeats the whole of it on deadlock,
   * lock timeout and busy. `work` must have no effect outside the database and must not call `write` again.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions<T>): Promise<T>;
  /** Resolves when a trivial query answers; throws AppError database_unreachable otherwise. */
  ping(): Promise<void>;
  /**
   * Null for a request that would find a connection to read with; else resolves when it would. For large answers, before
   * anything is done for them (src/store/mariadb/door.ts). Absent for an embedded database.
   */
  entrance?(): Promise<void> | null;
  /** null for an embedded database, which has no pool. */
  poolUse(): PoolUse | null;
  close(): Promise<void>;
}

/** The same reader on behalf of a caller, so that heavy statements of different callers share the time fairly. */
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
