/** The Database port over MariaDB or MySQL, on connections of Sequelize's own pool. */

import type { Connection } from 'mariadb';
import { Sequelize } from 'sequelize';
import { systemClock, type Timer } from '../../clock/clock.js';
import { Turns, type WaitingLine } from '../../clock/waiting-line.js';
import { AppError } from '../../errors/app-error.js';
import { joined } from '../../values/joined.js';
import { perObject } from '../../values/kept-values.js';
import type {
  Database,
  ModelConnection,
  PoolUse,
  RawRow,
  Reader,
  ReplicaGate,
  Statement,
  Tx,
  WriteOptions,
} from '../base/database.js';
import type { StoreFailure } from '../base/error-codes.js';
import { classifyFailure, toAppError, toModelError, toStartError } from '../base/errors.js';
import { HeavyQueue, tooSlow } from '../base/heavy-queue.js';
import { carryConnection, connectionManager, keepDollarsInNames, poolUse } from '../base/sequelize-internals.js';
import { type OpenTransaction, runTransaction, tellCommit, writeTurns } from '../base/transaction.js';
import { CommitMark } from './commit-mark.js';
import { Door } from './door.js';
import { createMariadbModule, type MariadbModule } from './driver-module.js';
import { executeRows, limitedText, SilentConnections, toConnection } from './execute.js';
import { type MariadbOptions, sequelizeOptions } from './pool-options.js';
import { beginInTurn } from './transactions.js';

type Route = ReplicaGate | null;

const lookIntervalMs = 250;
/** After a replica failed. */
const replicaPauseMs = 5000;
/** The primary would still answer. */
const replicaFailures: ReadonlySet<StoreFailure> = new Set([
  ...(['gone', 'unreachable', 'unknown_host', 'denied', 'no_database'] as const),
  ...(['busy', 'schema'] as const),
]);
/** The server may not answer the goodbye. */
const closeLimitMs = 2000;

/** Throws database_unreachable, which says what to do. */
export async function openMariadbDatabase(options: MariadbOptions): Promise<Database> {
  const driver = await createMariadbModule(options.limits, options.repairEncoding);
  const database = new MariadbDatabase(options, driver);
  try {
    await database.connect();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

class MariadbDatabase implements Database {
  readonly dialect = 'mariadb';
  readonly sequelize: Sequelize;
  readonly primary: Reader = this;
  readonly repairsTexts: boolean;
  readonly replicas?: (gate: ReplicaGate) => Reader;
  readonly laterVersion?: () => Promise<number>;
  readonly knownVersion?: () => number;
  /** What a replica had when its connection was last asked. */
  readonly #seenOn = perObject<object, { generation: number }>(() => ({ generation: 0 }));
  #noReplicaBefore = Number.NEGATIVE_INFINITY;
  /** Next to the pool, so that a ping waits for no other work. */
  readonly #pinger: Sequelize;
  readonly #options: MariadbOptions;
  readonly #driver: MariadbModule;
  readonly #silent: SilentConnections;
  readonly #look: Timer;
  readonly #turns: WaitingLine;
  readonly #heavy: HeavyQueue;
  /** Results arrive on ten connections in one turn of the event loop, and each may be a long list to write. */
  readonly #results = new Turns(systemClock);
  readonly #door: Door;
  #closed = false;

  constructor(options: MariadbOptions, driver: MariadbModule) {
    this.#options = options;
    this.repairsTexts = options.repairEncoding;
    this.#driver = driver;
    this.#silent = new SilentConnections({ driver, answer: options.limits.answer });
    this.sequelize = new Sequelize(sequelizeOptions(options, driver));
    keepDollarsInNames(this.sequelize);
    this.#pinger = new Sequelize(
      sequelizeOptions({ ...options, replicas: [], limits: { ...options.limits, connections: 1 } }, driver),
    );
    const { connections, busy } = options.limits;
    // Readers keep half of the connections from writers, and short reads keep half from long ones.
    const half = Math.max(1, Math.floor(connections / 2));
    this.#turns = writeTurns({ places: half, wait: busy });
    this.#heavy = new HeavyQueue({ places: half, limits: options.limits });
    this.#door = new Door({ clock: systemClock, connections, use: () => poolUse(this.sequelize) });
    if (options.replicas.length > 0) {
      this.replicas = (gate) => ({
        dialect: 'mariadb',
        select: (statement) => this.#read(statement, gate),
        query: (table, work) => this.#query(table, work, gate),
      });
    } else {
      // On the connection for pings, so that a look waits for no read.
      const look = (statement: Statement) =>
        this.#readOnce((connection) => executeRows(connection, statement), { sequelize: this.#pinger });
      const mark = new CommitMark(look, systemClock);
      this.laterVersion = () => mark.read();
      this.knownVersion = () => mark.latest;
    }
    this.sequelize.addHook('beforeQuery', (_options, query) => this.#silent.begins(connectionIn(query)));
    this.sequelize.addHook('afterQuery', (_options, query) => this.#silent.ends(connectionIn(query)));
    this.#look = systemClock.every({
      intervalMs: lookIntervalMs,
      work: async () => {
        this.#silent.cutSilent();
        this.#door.look();
      },
      onError: () => {},
    });
  }

  select(statement: Statement): Promise<readonly RawRow[]> {
    return this.#read(statement, null);
  }

  query<T>(table: string, work: (connection: ModelConnection) => Promise<T>): Promise<T> {
    return this.#query(table, work, null);
  }

  write<T>(work: (tx: Tx) => Promise<T>, options: WriteOptions<T> = {}): Promise<T> {
    const begin = () => this.#begin(options.isOneStatement ?? false);
    const committed = (tx: Tx) => tellCommit(this, tx);
    return runTransaction({ begin, work, options, limit: this.#options.limits.busy, committed });
  }

  connect(): Promise<void> {
    return this.#ask(this.sequelize);
  }

  readonly ping = joined(() => this.#ask(this.#pinger));

  entrance(): Promise<void> | null {
    return this.#door.pass();
  }

  poolUse(): PoolUse {
    return poolUse(this.sequelize);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#look.stop();
    this.#heavy.close();
    // A pool with a frozen or lost server would wait for its goodbye.
    const closing = Promise.allSettled([this.sequelize.close(), this.#pinger.close()]);
    await Promise.race([closing, elapsed(closeLimitMs)]);
    this.#driver.cutAll();
    await Promise.race([closing, elapsed(closeLimitMs)]);
  }

  #read(statement: Statement, route: Route): Promise<readonly RawRow[]> {
    if (statement.heavy === undefined || statement.heavy === false) return this.#readRows(statement, route);
    return this.#heavy.run(statement, (limit) => {
      const { statement: most } = this.#options.limits;
      const isShorter = limit > 0 && (most === 0 || limit < most);
      const limited = isShorter ? { ...statement, sql: limitedText(statement.sql, limit) } : statement;
      const rows = this.#readRows(limited, route).catch((error: unknown) => {
        throw classifyFailure(error) === 'timeout' ? tooSlow(error) : error;
      });
      return { rows, freed: rows.catch(() => undefined) };
    });
  }

  #readRows(statement: Statement, route: Route): Promise<readonly RawRow[]> {
    return this.#readAgain((connection) => executeRows(connection, statement), route);
  }

  #query<T>(table: string, work: (connection: ModelConnection) => Promise<T>, route: Route): Promise<T> {
    const { sequelize } = this;
    const ask = async (connection: Connection) => {
      try {
        return await work({ sequelize, transaction: carryConnection(sequelize, connection) });
      } catch (error) {
        throw toModelError(error, table);
      }
    };
    return this.#readAgain(ask, route);
  }

  /** A connection that died in the pool says nothing about the server. */
  async #readAgain<T>(read: (connection: Connection) => Promise<T>, route: Route): Promise<T> {
    try {
      const found = route === null ? undefined : await this.#readReplica(read, route);
      if (found !== undefined) return found.value;
      return await this.#readOnce(read).catch((error: unknown) => {
        if (classifyFailure(error) === 'gone') return this.#readOnce(read);
        throw error;
      });
    } catch (error) {
      throw this.#toError(error);
    }
  }

  async #readReplica<T>(
    read: (connection: Connection) => Promise<T>,
    { wanted, reached }: ReplicaGate,
  ): Promise<{ readonly value: T } | undefined> {
    const least = wanted();
    if (least === null || systemClock.elapsed() < this.#noReplicaBefore) return undefined;
    const readIfReached = async (connection: Connection) => {
      const seen = this.#seenOn(connection);
      if (least > seen.generation) {
        const [row] = await executeRows(connection, reached);
        seen.generation = Number(row?.[0] ?? 0);
      }
      return least > seen.generation ? undefined : { value: await read(connection) };
    };
    try {
      return await this.#readOnce(readIfReached, { useMaster: false });
    } catch (error) {
      if (!replicaFailures.has(classifyFailure(error))) throw error;
      this.#noReplicaBefore = systemClock.elapsed() + replicaPauseMs;
      return undefined;
    }
  }

  async #ask(sequelize: Sequelize): Promise<void> {
    try {
      const ask = (connection: Connection) => executeRows(connection, { sql: 'SELECT 1', params: [] });
      await this.#readOnce(ask, { sequelize });
    } catch (error) {
      throw toStartError(error, this.#options);
    }
  }

  async #readOnce<T>(
    read: (connection: Connection) => Promise<T>,
    {
      useMaster = true,
      sequelize = this.sequelize,
    }: { readonly useMaster?: boolean; readonly sequelize?: Sequelize } = {},
  ): Promise<T> {
    const manager = connectionManager(sequelize);
    const connection = toConnection(await manager.getConnection({ type: 'SELECT', useMaster }));
    try {
      const found = await this.#silent.run(connection, () => read(connection));
      // Waiting keeps the connection, so that at most as many results wait as the pool has places.
      if (sequelize === this.sequelize) await this.#results.pass();
      manager.releaseConnection(connection);
      this.#door.look();
      return found;
    } catch (error) {
      if (connection.isValid()) manager.releaseConnection(connection);
      else await manager.destroyConnection(connection);
      this.#door.look();
      throw error;
    }
  }

  async #begin(isOneStatement: boolean): Promise<OpenTransaction> {
    const give = await this.#turns.take();
    const endTurn = () => {
      give();
      this.#door.look();
    };
    try {
      return await beginInTurn({ sequelize: this.sequelize, silent: this.#silent, endTurn }, isOneStatement);
    } catch (error) {
      endTurn();
      throw this.#closed ? this.#toError(error) : error;
    }
  }

  /** Once closed, the pool refuses with an error without a code. */
  #toError(error: unknown): AppError {
    return this.#closed ? new AppError('unavailable', { details: { retryAfter: 5 }, cause: error }) : toAppError(error);
  }
}

function connectionIn(query: { readonly connection?: unknown }): Connection {
  return toConnection(query.connection);
}

function elapsed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => systemClock.after(milliseconds, resolve));
}
