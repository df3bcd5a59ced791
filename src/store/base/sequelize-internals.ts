/**
 * The one typed view of members that Sequelize 6 has but does not declare. The store opens and ends transactions
 * itself, because Sequelize prints to the console when that fails; its Transaction object only carries the connection,
 * so that models can take part.
 */
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
  /** One pool, or two where there are replicas. */
  readonly pool: PoolMembers | { readonly read: PoolMembers; readonly write: PoolMembers };
  getConnection(options: { uuid?: string; type?: 'SELECT'; useMaster?: boolean }): Promise<object>;
  releaseConnection(connection: object): void;
  destroyConnection(connection: object): Promise<void>;
}

/** The undeclared members of Sequelize's connection manager. */
export function connectionManager(sequelize: Sequelize): ConnectionManagerMembers {
  return sequelize.connectionManager as unknown as ConnectionManagerMembers;
}

/**
 * Lets names of tables hold a `$`. Sequelize reads one as a parameter, also inside quotes, unless a letter or digit of
 * ASCII is before it, and `$$` as a `$`.
 */
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

/** The connections of the pool, or of both pools where there are replicas. */
export function poolUse(sequelize: Sequelize): { size: number; using: number; waiting: number } {
  const { pool } = connectionManager(sequelize);
  const pools = 'read' in pool ? [pool.read, pool.write] : [pool];
  const sum = (member: keyof PoolMembers): number => pools.reduce((total, one) => total + one[member], 0);
  return { size: sum('size'), using: sum('using'), waiting: sum('waiting') };
}

/** Takes a connection for a transaction that is not begun yet. */
export async function carryTransaction(sequelize: Sequelize): Promise<Transaction> {
  const transaction = new Transaction(sequelize, {});
  const members = membersOf(transaction);
  const connection = await connectionManager(sequelize).getConnection({ uuid: members.id });
  Reflect.set(connection, 'uuid', members.id);
  members.connection = connection;
  return transaction;
}

/** Leads the queries of models to a connection that the store took itself; Sequelize never begins or releases it. */
export function carryConnection(sequelize: Sequelize, connection: object): Transaction {
  const transaction = new Transaction(sequelize, {});
  membersOf(transaction).connection = connection;
  return transaction;
}

/** Refuses further queries of models on a carried connection. */
export function endTransaction(transaction: Transaction, outcome: 'commit' | 'rollback'): void {
  membersOf(transaction).finished = outcome;
}

export function connectionOf(transaction: Transaction): object {
  const { connection } = membersOf(transaction);
  if (connection === undefined) throw new Error('the transaction has no connection');
  return connection;
}

/** Whether Sequelize ended the transaction by itself, as it does after a deadlock in one of its own statements. */
export function isFinished(transaction: Transaction): boolean {
  return membersOf(transaction).finished !== undefined;
}

/** Gives the connection back after COMMIT or ROLLBACK. */
export function releaseTransaction(transaction: Transaction, outcome: 'commit' | 'rollback'): void {
  endTransaction(transaction, outcome);
  membersOf(transaction).cleanup();
}

/** Throws the connection away, because its state is not known. */
export async function discardTransaction(transaction: Transaction): Promise<void> {
  const members = membersOf(transaction);
  members.finished = 'rollback';
  await members.forceCleanup();
}

function membersOf(transaction: Transaction): TransactionMembers {
  return transaction as unknown as TransactionMembers;
}
