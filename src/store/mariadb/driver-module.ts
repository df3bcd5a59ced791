/** The mariadb package as Sequelize's driver, with session settings and a way to cut a silent connection. */
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { Connection, ConnectionConfig, FieldInfo } from 'mariadb';
import { systemClock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import { isAscii, repairedText } from '../../values/double-encoding.js';
import type { StoreLimits } from '../base/limits.js';

const sqlMode = 'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/** Variables of one server only are in comments that only it reads (`M!` MariaDB; 5.7 or 8 MySQL). */
function sessionStatements(limits: StoreLimits): readonly string[] {
  const statement = limits.statement;
  return [
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    [
      `SET SESSION sql_mode = '${sqlMode}', time_zone = '+00:00', innodb_lock_wait_timeout = 3, wait_timeout = 600`,
      '/*M!100300 , idle_transaction_timeout = 30 */',
      `/*M!100300 , max_statement_time = ${statement / 1000} */`,
      `/*!50708 , max_execution_time = ${statement} */`,
      // Otherwise MySQL shows for a day the next id of the first question.
      '/*!80003 , information_schema_stats_expiry = 0 */',
    ].join(' '),
  ];
}

/** A Galera node may be behind after a failure: waits until it has applied every acknowledged write. */
async function catchUp(connection: Connection): Promise<void> {
  const [found] = await connection.query<[name: string, value: string][]>({
    sql: "SHOW VARIABLES LIKE 'wsrep_on'",
    rowsAsArray: true,
  });
  if (found?.[1] !== 'ON') return;
  await connection.query('SET SESSION wsrep_sync_wait = 1');
  await connection.query('SELECT 1');
  await connection.query('SET SESSION wsrep_sync_wait = DEFAULT');
}

function checkServerVersion(text: string): void {
  // Old MariaDB announces itself as "5.5.5-10.3.1-MariaDB", to please old clients.
  const version = text.replace(/^5\.5\.5-/, '');
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  const isMariadb = /mariadb/i.test(version);
  const reached = Number(major) * 100 + Number(minor);
  if (reached >= (isMariadb ? 1003 : 507)) return;
  throw new AppError('database_unreachable', {
    message: `The database server is version ${version}. MariaDB 10.3 or MySQL 5.7 or newer is needed: update the server.`,
  });
}

export interface MariadbModule {
  readonly module: { createConnection(config: ConnectionConfig): Promise<Connection> };
  /** A running statement fails at once, whatever the server does. */
  cut(connection: object): void;
  cutAll(): void;
}

export async function createMariadbModule(limits: StoreLimits, repairEncoding: boolean): Promise<MariadbModule> {
  const { createConnection } = await import('mariadb');
  const sockets = new Map<object, Socket>();
  /** Bytes of max_allowed_packet: the server closes the connection on larger statements. */
  let packet: number | undefined;

  async function open(config: ConnectionConfig): Promise<Connection> {
    let socket: Socket | undefined;
    // The driver would open a socket file by itself, and that connection could not be cut.
    const { socketPath: _opened, ...rest } = config;
    const connection = await createConnection({
      ...rest,
      ...(packet === undefined ? {} : { maxAllowedPacket: packet }),
      // It would print warnings to the console.
      logger: { warning: () => {} },
      // Errors are logged, and parameters may be ids of sessions or digests of passwords.
      logParam: false,
      // The driver's own destroy() asks the server first, and waits for the answer without a limit.
      stream: () => {
        socket = connect({ ...addressOf(config), keepAlive: true });
        // Else preparing and executing in one go waits 40 ms for an acknowledgement.
        socket.setNoDelay(true);
        return socket;
      },
    });
    if (socket !== undefined) {
      sockets.set(connection, socket);
      socket.once('close', () => sockets.delete(connection));
    }
    const timer = systemClock.after(limits.connect, () => socket?.destroy(silence()));
    try {
      checkServerVersion(connection.serverVersion());
      for (const statement of sessionStatements(limits)) await connection.query(statement);
      await catchUp(connection);
      if (packet === undefined) {
        const sql = 'SELECT @@max_allowed_packet';
        const [row] = await connection.query<[number][]>({ sql, rowsAsArray: true });
        packet = Number(row?.[0]);
        await connection.end();
        return await open(config);
      }
    } catch (error) {
      socket?.destroy();
      throw error;
    } finally {
      timer.stop();
    }
    refuseLarge(connection, packet);
    return repairEncoding ? repairTexts(connection) : connection;
  }

  return {
    module: { createConnection: open },
    cut(connection) {
      sockets.get(connection)?.destroy(silence());
    },
    cutAll() {
      for (const socket of sockets.values()) socket.destroy(silence());
    },
  };
}

/** The server closes the connection on a larger statement, often before its answer can be read. */
function refuseLarge(connection: Connection, packet: number): void {
  for (const name of ['query', 'execute'] as const) {
    const ask = connection[name].bind(connection);
    connection[name] = async (...[sql, values]: Parameters<typeof ask>) => {
      const texts = [typeof sql === 'string' ? sql : sql.sql, ...(Array.isArray(values) ? values : [])];
      if (bytesOf(texts) >= packet) throw Object.assign(new Error('larger than max_allowed_packet'), { errno: 1153 });
      return ask(sql, values) as never;
    };
  }
}

function bytesOf(values: readonly unknown[]): number {
  let bytes = 0;
  for (const value of values) {
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
    else if (value instanceof Uint8Array) bytes += value.length;
  }
  return bytes;
}

function silence(): Error {
  return Object.assign(new Error('the server does not answer'), { code: 'ETIMEDOUT' });
}

function addressOf(config: ConnectionConfig): NetConnectOpts {
  return config.socketPath ? { path: config.socketPath } : { host: config.host ?? '', port: config.port ?? 3306 };
}

const ours = /^hcd_/i;
const change = /^\s*(?:INSERT(?: IGNORE)? INTO|REPLACE INTO|UPDATE)\s+`?(?!hcd_)[^`\s(]+/i;

/** Repairs the texts of results and refuses to write other than ASCII. */
function repairTexts(connection: Connection): Connection {
  for (const name of ['query', 'execute'] as const) {
    const ask = connection[name].bind(connection);
    connection[name] = async (...[sql, values]: Parameters<typeof ask>) => {
      refuseMixing(typeof sql === 'string' ? sql : sql.sql, values);
      const result: unknown = await ask(sql, values);
      if (Array.isArray(result) && 'meta' in result) repairRows(result, result.meta as FieldInfo[]);
      return result as never;
    };
  }
  return connection;
}

function repairRows(rows: Record<string | number, unknown>[], columns: FieldInfo[]): void {
  columns.forEach((column, at) => {
    if (ours.test(column.orgTable())) return;
    const key = Array.isArray(rows[0]) ? at : column.name();
    for (const row of rows) row[key] = typeof row[key] === 'string' ? (repairedText(row[key]) ?? row[key]) : row[key];
  });
}

/** Sequelize writes some values into the text of its statements. */
function refuseMixing(sql: string, values: unknown): void {
  const start = change.exec(sql)?.[0];
  if (start === undefined || isAscii.test(`${sql.slice(start.length)}${values}`)) return;
  const message =
    'Only ASCII text can be written while HCD_REPAIR_ENCODING is on: use a copy by hcd db copy --repair-encoding';
  throw new AppError('validation_failed', { message });
}
