/** Gives a connection to a SQLite file the interface of the sqlite3 package, which Sequelize needs. */
import { copyWhenFull, openConnection, type SqliteConnection, whileBusy } from './connection.js';
import type { SqliteDriver, SqliteParam, SqliteParams, SqliteStatement } from './driver.js';

type Callback = (this: unknown, error: Error | null, rows?: readonly object[]) => void;

interface WriterOptions {
  readonly driver: SqliteDriver;
  readonly path: string;
  readonly busyLimit: number;
}

/** The connection of the writer, of which there is one at a time, with its statements. */
export class WriterConnection {
  readonly #options: WriterOptions;
  #kept: SqliteConnection | undefined;
  #isClosed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async take(): Promise<FaceDatabase> {
    const connection = this.#kept ?? (await whileBusy(() => openWriter(this.#options), this.#options.busyLimit));
    this.#kept = undefined;
    return new FaceDatabase(connection, this.#options);
  }

  giveBack({ connection }: FaceDatabase): void {
    if (this.#isClosed || connection.inTransaction || this.#kept !== undefined) connection.close();
    else this.#kept = connection;
  }

  /** A connection in use is closed when it is given back. */
  close(): void {
    this.#isClosed = true;
    this.#kept?.close();
    this.#kept = undefined;
  }
}

/** The store waits for the disk (SharedSync in ../base/transaction.ts), and copies the log early. */
function openWriter({ driver, path }: WriterOptions): SqliteConnection {
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
  readonly connection: SqliteConnection;
  readonly #busyLimit: number;
  #last: Promise<unknown> = Promise.resolve();
  #calls = 0;

  constructor(connection: SqliteConnection, { path, busyLimit }: Pick<WriterOptions, 'path' | 'busyLimit'>) {
    this.filename = path;
    this.connection = connection;
    this.#busyLimit = busyLimit;
  }

  /** In turn with the calls of Sequelize, and again while the file is busy. */
  use<T>(work: (connection: SqliteConnection) => T): Promise<T> {
    const run = () => whileBusy(() => work(this.connection), this.#busyLimit);
    const result = this.#calls === 0 ? run() : this.#last.then(run);
    this.#calls += 1;
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
export class ReadingFace extends FaceDatabase {
  override all(sql: string, ...rest: readonly unknown[]): this {
    const callback = rest.at(-1);
    if (!sql.startsWith('PRAGMA table_info(') || !isCallback(callback)) return super.all(sql, ...rest);
    callback.call(new Statement(), null, []);
    return this;
  }
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
