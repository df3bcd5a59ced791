/** The port of an open database. Sequelize, its pool and the SQLite driver stay in this folder. */
import type { Sequelize, Transaction } from 'sequelize';
import type { Asker } from '../../clock/fair-queue.js';

export type DialectName = 'sqlite' | 'mariadb';

/** Before decoding: booleans are 0/1, dates text or integers, JSON text. */
export type RawValue = string | number | bigint | null | Buffer;
export type RawRow = readonly RawValue[];
export type Param = string | number | bigint | null | Buffer;

export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
  /** Waits for its turn; not prepared on MariaDB. 'search' has less time; `over` names a table that must be large. */
  readonly heavy?: Heavy;
  /** For the fair order of heavy statements; absent = the program itself. */
  readonly asker?: Asker;
}

export type Heavy = boolean | 'search' | { readonly over: string };

export interface ModelConnection {
  readonly sequelize: Sequelize;
  readonly transaction: Transaction;
}

export interface Reader {
  readonly dialect: DialectName;
  select(statement: Statement): Promise<readonly RawRow[]>;
  query<T>(table: string, work: (connection: ModelConnection) => Promise<T>): Promise<T>;
  /** Changes with every commit that a read would see. NaN without an answer; absent if there is no such number. */
  version?(): number;
  /** Costs a statement, which all callers of a moment share. */
  laterVersion?(): Promise<number>;
  knownVersion?(): number;
}

export interface WriteResult {
  readonly changes: number;
  /** Only after an INSERT of one row. */
  readonly lastId: number;
}

/** Reads see the transaction's own writes. */
export interface Tx extends Reader {
  run(statement: Statement): Promise<WriteResult>;
  /** Text of the header traceparent; absent without tracing. */
  readonly traceparent?: string | undefined;
}

export interface WriteOptions<T> {
  /** After a lost COMMIT: the result by its own id, or undefined to repeat the work. Default: `unavailable`. */
  readonly outcome?: (tx: Tx) => Promise<T | undefined>;
  /** A failure of power may undo the commit, the end of a process never does. Saves SQLite the wait for the disk. */
  readonly mayBeUndone?: boolean;
  /** MariaDB gets one request. After a lost connection the repetition must find out whether it took effect. */
  readonly isOneStatement?: boolean;
  /** Statements only, without models: SQLite may run them on a thread. For work that no answer waits for. */
  readonly aside?: boolean;
}

/** For work that may take effect twice. */
export const repeatable: WriteOptions<never> = Object.freeze({ outcome: async () => undefined });

export interface ReplicaGate {
  /** The number that a replica must have reached; 0 = any replica, null = none. */
  wanted(): number | null;
  readonly reached: Statement;
}

export interface PoolUse {
  readonly size: number;
  readonly using: number;
  readonly waiting: number;
}

export interface Database extends Reader {
  readonly sequelize: Sequelize;
  /** Double-encoded texts are repaired, so a text may be stored in two forms. */
  readonly repairsTexts?: boolean;
  readonly primary: Reader;
  /** Reads fall back to the primary. Absent without replicas. */
  readonly replicas?: (gate: ReplicaGate) => Reader;
  /** Repeated on deadlock, lock timeout and busy: `work` has no effect outside and does not call `write`. */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions<T>): Promise<T>;
  /** Throws AppError database_unreachable. */
  ping(): Promise<void>;
  /** Null if a connection is free to read with; see src/store/mariadb/door.ts. Absent for an embedded database. */
  entrance?(): Promise<void> | null;
  /** Null for an embedded database. */
  poolUse(): PoolUse | null;
  close(): Promise<void>;
}

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
