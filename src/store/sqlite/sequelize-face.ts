/** Gives a SQLite driver the interface of the sqlite3 package, which Sequelize needs. */
import { copyWhenFull, openConnection, type SqliteConnection, whileBusy } from './connection.js';
import type { SqliteDriver, SqliteParam, SqliteParams, SqliteStatement } from './driver.js';

/** One writer works at a time. */
const keptConnections = 1;

type Callback = (this: unknown, error: Error | null, rows?: readonly object[]) => void;

export interface SequelizeFace {
  readonly module: object;
  /** `close` keeps the connection for the next transaction. */
  connect(): Promise<FaceDatabase>;
  /** Closes connections in use when they are returned. */
  close(): void;
}

interface Source {
  take(): Promise<SqliteConnection>;
  giveBack(connection: SqliteConnection): void;
  readonly busyLimit: number;
}

export function createSequelizeFace(options: {
  readonly driver: SqliteDriver;
  readonly path: string;
  readonly busyLimit: number;
}): SequelizeFace {
  const kept: SqliteConnection[] = [];
  let closed = false;
  const source: Source = {
    busyLimit: options.busyLimit,
    async take() {
      return kept.pop() ?? (await whileBusy(() => openWriter(options), options.busyLimit));
    },
    giveBack(connection) {
      if (closed || connection.inTransaction || kept.length >= keptConnections) connection.close();
      else kept.push(connection);
    },
  };
  class Database extends FaceDatabase {
    constructor(filename: string, _mode: number, callback: (error: Error | null) => void) {
      super({ source, filename, callback });
    }
  }
  return {
    module: { OPEN_READONLY: 1, OPEN_READWRITE: 2, OPEN_CREATE: 4, Database },
    connect: () =>
      new Promise((resolve, reject) => {
        const face = new FaceDatabase({
          source,
          filename: options.path,
          callback: (error) => (error === null ? resolve(face) : reject(error)),
        });
      }),
    close() {
      closed = true;
      for (const connection of kept.splice(0)) connection.close();
    },
  };
}

/** The store waits for the disk (SharedSync in ../base/transaction.ts), and copies the log early. */
function openWriter({ driver, path }: { readonly driver: SqliteDriver; readonly path: string }): SqliteConnection {
  const connection = openConnection({ driver, path, readonly: false });
  connection.exec('PRAGMA synchronous = NORMAL');
  connection.exec(copyWhenFull);
  return connection;
}

/** The `this` of callbacks. Sequelize checks the name of this class before it uses lastID. */
class Statement {
  lastID = 0;
  changes = 0;
}

/** The Database class of sqlite3, as far as Sequelize 6 uses it. Calls run one after the other. */
class FaceDatabase {
  readonly filename: string;
  readonly #source: Source;
  readonly #connection: Promise<SqliteConnection>;
  #opened: SqliteConnection | undefined;
  #last: Promise<unknown>;
  #calls = 0;

  constructor(options: {
    readonly source: Source;
    readonly filename: string;
    readonly callback: (error: Error | null) => void;
  }) {
    this.filename = options.filename;
    this.#source = options.source;
    this.#connection = options.source.take();
    this.#last = this.#connection.then(
      (connection) => {
        this.#opened = connection;
        options.callback(null);
      },
      (error: unknown) => options.callback(toError(error)),
    );
  }

  /** In turn with the calls of Sequelize, and again while the file is busy. */
  use<T>(work: (connection: SqliteConnection) => T): Promise<T> {
    const opened = this.#calls === 0 ? this.#opened : undefined;
    this.#calls += 1;
    const run = (connection: SqliteConnection) => whileBusy(() => work(connection), this.#source.busyLimit);
    const result = opened === undefined ? this.#last.then(() => this.#connection).then(run) : run(opened);
    const end = () => {
      this.#calls -= 1;
    };
    this.#last = result.then(end, end);
    return result;
  }

  run(sql: string, ...rest: readonly unknown[]): this {
    return this.#execute(sql, rest);
  }

  all(sql: string, ...rest: readonly unknown[]): this {
    return this.#execute(sql, rest);
  }

  exec(sql: string, callback?: Callback): this {
    this.use((connection) => connection.exec(sql)).then(
      () => callback?.call(new Statement(), null),
      (error: unknown) => callback?.call(new Statement(), toError(error)),
    );
    return this;
  }

  serialize(work?: () => void): void {
    work?.();
  }

  /** The next transaction uses this connection with its statements if nothing is pending. */
  close(callback?: (error: Error | null) => void): void {
    if (this.#opened !== undefined && this.#calls === 0) {
      this.#source.giveBack(this.#opened);
      callback?.(null);
      return;
    }
    this.#last
      .then(() => this.#connection)
      .then(
        (connection) => {
          this.#source.giveBack(connection);
          callback?.(null);
        },
        () => callback?.(null),
      );
  }

  #execute(sql: string, rest: readonly unknown[]): this {
    const callback = rest.find(isCallback);
    const params = rest[0] === callback ? [] : toParams(rest[0]);
    const statement = new Statement();
    this.use((connection) => execute({ connection, sql, params, statement })).then(
      (rows) => callback?.call(statement, null, rows),
      (error: unknown) => callback?.call(statement, toError(error)),
    );
    return this;
  }
}

/** Sequelize would read the types of a table before each read, which raw rows do not need. */
class ReadingFace extends FaceDatabase {
  override all(sql: string, ...rest: readonly unknown[]): this {
    const callback = rest.at(-1);
    if (!sql.startsWith('PRAGMA table_info(') || !isCallback(callback)) return super.all(sql, ...rest);
    callback.call(new Statement(), null, []);
    return this;
  }
}

export function faceOf(
  connection: SqliteConnection,
  { path, busyLimit }: { readonly path: string; readonly busyLimit: number },
): FaceDatabase {
  const source = { take: async () => connection, giveBack: () => {}, busyLimit };
  return new ReadingFace({ source, filename: path, callback: () => {} });
}

function execute(call: {
  connection: SqliteConnection;
  sql: string;
  params: SqliteParams;
  statement: Statement;
}): readonly object[] {
  const prepared = prepare(call);
  if (!prepared.returnsRows) {
    const { changes, lastId } = prepared.run(call.params);
    call.statement.changes = changes;
    call.statement.lastID = lastId;
    return [];
  }
  const { columns } = prepared;
  const rows = prepared.rows(call.params).map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
  if (call.sql.startsWith('SELECT')) return rows;
  const [counts] = call.connection.rows('SELECT changes(), last_insert_rowid()', []);
  call.statement.changes = Number(counts?.[0]);
  call.statement.lastID = Number(counts?.[1]);
  return rows;
}

/** Sequelize writes values into SELECT and DELETE, so each text is used once. A NUL would end it. */
function prepare({ connection, sql, params }: Parameters<typeof execute>[0]): SqliteStatement {
  if (!/^(?:SELECT|DELETE)/.test(sql) || Object.keys(params).length > 0) return connection.statement(sql);
  return connection.prepare(sql.replaceAll('\0', "'||char(0)||'"));
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}

function toParams(values: unknown): SqliteParams {
  if (Array.isArray(values)) return values.map(toParam);
  if (typeof values !== 'object' || values === null) return [];
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.replace(/^[$:@]/, ''), toParam(value)]),
  );
}

function toParam(value: unknown): SqliteParam {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`a value of type ${typeof value} cannot be bound`);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
