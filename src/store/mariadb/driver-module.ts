/**
 * The module that Sequelize opens MariaDB connections through: the mariadb package, with session settings applied
 * and a way to cut a connection whose server stopped answering.
 */
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { Connection, ConnectionConfig } from 'mariadb';
import { systemClock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { StoreLimits } from '../base/limits.js';
import { repairTexts } from './repair-texts.js';

const sqlMode = 'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/**
 * Statements that prepare a new connection. Variables that only one of the two servers knows stand in comments that
 * only that server reads (`M!` MariaDB; a plain version of 5.7 or 8 MySQL).
 */
function sessionStatements(limits: StoreLimits): readonly string[] {
  const statement = limits.statement;
  return [
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    [
      `SET SESSION sql_mode = '${sqlMode}', time_zone = '+00:00', innodb_lock_wait_timeout = 3, wait_timeout = 600`,
      '/*M!100300 , idle_transaction_timeout = 30 */',
      `/*M!100300 , max_statement_time = ${statement / 1000} */`,
      `/*!50708 , max_execution_time = ${statement} */`,
      // Otherwise MySQL tells for a day what the next id was when it was first asked.
      '/*!80003 , information_schema_stats_expiry = 0 */',
    ].join(' '),
  ];
}

/**
 * Where the server is a node of a Galera cluster, waits until it has applied everything that any node has acknowledged:
 * after a failure the next node may still be behind. From then on the connection sees every write, because all writes go
 * to one node.
 */
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

/** Throws database_unreachable for servers that lack what the store relies on. */
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
  /** To be handed to Sequelize as `dialectModule`. */
  readonly module: { createConnection(config: ConnectionConfig): Promise<Connection> };
  /** Destroys the socket; a statement that is under way fails at once, whatever the server does. */
  cut(connection: object): void;
  /** Cuts every connection that is still open. */
  cutAll(): void;
}

/** The module for one database. */
export async function createMariadbModule(limits: StoreLimits, repairEncoding: boolean): Promise<MariadbModule> {
  const { createConnection } = await import('mariadb');
  const sockets = new Map<object, Socket>();
  /** Bytes of max_allowed_packet: the driver refuses larger statements, for which the server closes the connection. */
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
      // Its errors are logged, and the log must not contain parameters such as ids of sessions or digests of passwords.
      logParam: false,
      // The driver's own destroy() first asks the server to kill the statement, and waits for the answer without a limit.
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

function silence(): Error {
  return Object.assign(new Error('the server does not answer'), { code: 'ETIMEDOUT' });
}

function addressOf(config: ConnectionConfig): NetConnectOpts {
  return config.socketPath ? { path: config.socketPath } : { host: config.host ?? '', port: config.port ?? 3306 };
}
