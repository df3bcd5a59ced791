/** Sends POST requests to the program inside this process and notes the statements of each transaction. */
import { startSite } from '../../commands/serve/start-site.js';
import { systemClock } from '../../src/clock/clock.js';
import { buildRegistry } from '../../src/content/objects/core-objects.js';
import type { Database, Tx } from '../../src/store/base/database.js';
import type { Store } from '../../src/store/open/open.js';
import { rootSecret } from '../outbox/outbox-site.js';
import { type RecordedStatement, toStatement } from '../record.js';
import { type Writer, writeFrom } from './write-load.js';

export type Transactions = (readonly RecordedStatement[])[];

/** The transactions of so many requests, in their order. */
export async function recordWrites(
  store: Store,
  { key, requests }: { readonly key: string; readonly requests: number },
): Promise<Transactions> {
  const transactions: Transactions = [];
  const noted = noting(store.content, transactions);
  const running = await startSite({
    store: { ...store, content: noted, own: noted },
    registry: buildRegistry([]),
    env: { HCD_GATEWAY_RATE_LIMIT_ENABLED: '0' },
    clock: systemClock,
    log: () => undefined,
    secret: rootSecret,
    version: '0.0.0',
    apis: ['gateway'],
    host: '127.0.0.1',
    port: 0,
    limits: { announceMs: 0 },
  });
  try {
    const writer: Writer = { port: running.server.port, key };
    await writeFrom(writer, { requests, connections: 1 });
  } finally {
    await running.close();
  }
  // The program also writes when its key was last used, for example.
  return transactions.filter((statements) => statements.some(({ sql }) => sql.includes('site_content')));
}

/** The same database; each transaction notes its statements. */
function noting(database: Database, transactions: Transactions): Database {
  return passing(database, (name, args) => {
    const [work, ...rest] = args;
    if (name !== 'write' || typeof work !== 'function') return args;
    const noted = (tx: Tx): unknown => {
      const statements: RecordedStatement[] = [];
      transactions.push(statements);
      const noting = passing(tx, (_name, given) => {
        const statement = toStatement(given[0]);
        if (statement !== undefined) statements.push(statement);
        return given;
      });
      return Reflect.apply(work, undefined, [noting]);
    };
    return [noted, ...rest];
  });
}

/** The same object; its methods get the arguments that `change` gives. */
function passing<T extends object>(
  whole: T,
  change: (name: string | symbol, args: readonly unknown[]) => readonly unknown[],
): T {
  return new Proxy(whole, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => Reflect.apply(member, target, change(name, args));
    },
  });
}
