/** Undeclared members of Sequelize 6. The store ends transactions itself: Sequelize prints to the console. */
import { type Sequelize, Transaction } from 'sequelize';

interface TransactionMembers {
  connection: object | undefined;
  finished: 'commit' | 'rollback' | undefined;
  id: string;
  cleanup(): void;
  forceCleanup(): Promise<void>;
}

interface PoolMembers {
  readonly size: number;
  readonly using: number;
  readonly waiting: number;
}

interface ConnectionManagerMembers {
  /** Two pools if there are replicas. */
  readonly pool: PoolMembers | { readonly read: PoolMembers; readonly write: PoolMembers };
  getConnection(options: { uuid?: string; type?: 'SELECT'; useMaster?: boolean }): Promise<object>;
  releaseConnection(connection: object): void;
  destroyConnection(connection: object): Promise<void>;
}

export function connectionManager(sequelize: Sequelize): ConnectionManagerMembers {
  return sequelize.connectionManager as unknown as ConnectionManagerMembers;
}

/** Sequelize reads `$` as a parameter even inside quotes, unless an ASCII letter or digit is before it. */
export function keepDollarsInNames(sequelize: Sequelize): void {
  const { dialect } = sequelize as unknown as { readonly dialect: { Query: QueryClass } };
  const { Query } = dialect;
  const doubled = (name: string): string => name.replace(/\B\$/g, '$$$$');
  dialect.Query = class extends Query {
    static override formatBindParameters(sql: string, ...rest: unknown[]): unknown {
      return Query.formatBindParameters(sql.replace(/`[^`]*`/g, doubled), ...rest);
    }
  };
}

interface QueryClass {
  new (...parts: never[]): object;
  formatBindParameters(sql: string, ...rest: unknown[]): unknown;
}

export function poolUse(sequelize: Sequelize): { size: number; using: number; waiting: number } {
  const { pool } = connectionManager(sequelize);
  const pools = 'read' in pool ? [pool.read, pool.write] : [pool];
  const sum = (member: keyof PoolMembers): number => pools.reduce((total, one) => total + one[member], 0);
  return { size: sum('size'), using: sum('using'), waiting: sum('waiting') };
}

export async function carryTransaction(sequelize: Sequelize): Promise<Transaction> {
  const transaction = new Transaction(sequelize, {});
  const members = membersOf(transaction);
  const connection = await connectionManager(sequelize).getConnection({ uuid: members.id });
  Reflect.set(connection, 'uuid', members.id);
  members.connection = connection;
  return transaction;
}

/** Sequelize never begins or releases a connection that the store took. */
export function carryConnection(sequelize: Sequelize, connection: object): Transaction {
  const transaction = new Transaction(sequelize, {});
  membersOf(transaction).connection = connection;
  return transaction;
}

export function endTransaction(transaction: Transaction, outcome: 'commit' | 'rollback'): void {
  membersOf(transaction).finished = outcome;
}

export function connectionOf(transaction: Transaction): object {
  const { connection } = membersOf(transaction);
  if (connection === undefined) throw new Error('the transaction has no connection');
  return connection;
}

/** Sequelize ends the transaction by itself after a deadlock in one of its own statements. */
export function isFinished(transaction: Transaction): boolean {
  return membersOf(transaction).finished !== undefined;
}

export function releaseTransaction(transaction: Transaction, outcome: 'commit' | 'rollback'): void {
  endTransaction(transaction, outcome);
  membersOf(transaction).cleanup();
}

export async function discardTransaction(transaction: Transaction): Promise<void> {
  const members = membersOf(transaction);
  members.finished = 'rollback';
  await members.forceCleanup();
}

function membersOf(transaction: Transaction): TransactionMembers {
  return transaction as unknown as TransactionMembers;
}
