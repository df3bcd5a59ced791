/**
 * Asks the program itself, inside this process, and notes which statements it sent to the database for each answer. A
 * yardstick made from them follows every change of the planner by itself.
 */
import { startSite } from '../commands/serve/start-site.js';
import { type Clock, systemClock } from '../src/clock/clock.js';
import { buildRegistry } from '../src/content/objects/core-objects.js';
import { gatewayBase } from '../src/gateway/endpoints/api.js';
import type { Param, Reader, Tx } from '../src/store/base/database.js';
import { servingLimits } from '../src/store/base/limits.js';
import { openStore, type Store } from '../src/store/open/open.js';
import { ask, load, type Question } from './load.js';
import type { Scenario } from './scenarios.js';
import { prefix, rootSecret } from './site/generate.js';

/** Settings of every server of the bench, so that both contexts and all cursors work. */
export const siteSettings = Object.freeze({
  HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,docs',
  HCD_GATEWAY_MAX_OFFSET: '1000000000',
});
export const basePath = gatewayBase('/api');

export interface RecordedStatement {
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
}

export interface Variant {
  /** Path and query on the server. */
  readonly path: string;
  readonly body: Buffer;
  /** Statements of the first answer, the total among them. */
  readonly first: readonly RecordedStatement[];
  /** Statements of the same question asked again at once: the total is known then. */
  readonly again: readonly RecordedStatement[];
}

export interface Recorder {
  readonly database: Reader;
  /** Every variant of the scenario; throws an Error for an answer that is not 200. */
  record(scenario: Scenario, count: number): Promise<readonly Variant[]>;
  close(): Promise<void>;
}

const cursorPages = 16;
/** Milliseconds for which no total is kept. */
const longerThanTotals = 3_600_000;

export async function openRecorder(databaseUrl: string): Promise<Recorder> {
  // Cursors are taken from far into large sites, by an offset that may need longer than an answer may take.
  const store = await openStore({ databaseUrl, prefix, limits: { ...servingLimits, statement: 0, answer: 0 } });
  const noted: RecordedStatement[] = [];
  const content = passing(store.content, (_name, args) => note(args, noted));
  // The clock moves only between questions: whether a total is known must not depend on how fast the machine is.
  let elapsed = 0;
  const running = await serveInside(
    { ...store, content, own: store.own === store.content ? content : store.own },
    { env: { HCD_GATEWAY_CACHE_ENABLED: '0', ...siteSettings }, clock: { ...systemClock, elapsed: () => elapsed } },
  );
  // Otherwise its look at the settings would be taken for a part of some answer.
  running.site.live.stop();

  const askNoting = async (path: string) => {
    noted.length = 0;
    const body = await fetchBytes(running.server.port, path);
    return { body, statements: [...noted] };
  };
  const variant = async (path: string): Promise<Variant> => {
    elapsed += longerThanTotals;
    const first = await askNoting(path);
    const again = await askNoting(path);
    return { path, body: again.body, first: first.statements, again: again.statements };
  };
  return {
    database: store.content,
    async record(scenario, count) {
      const paths = scenario.paths(count).map((path) => basePath + path);
      const asked = scenario.byCursor ? await walkByCursor(paths, async (path) => (await askNoting(path)).body) : paths;
      const variants: Variant[] = [];
      for (const path of asked) variants.push(await variant(path));
      return variants;
    },
    async close() {
      await running.close();
      await store.close();
    },
  };
}

/** The pages that follow the given ones, each named by the cursor that the page before it gave. */
async function walkByCursor(starts: readonly string[], ask: (path: string) => Promise<Buffer>): Promise<string[]> {
  const paths: string[] = [];
  for (const start of starts) {
    const bare = start.replace(/[?&]offset=\d+/, (found) => found.slice(0, 1)).replace(/[?&]$/, '');
    let body = await ask(start);
    for (let page = 0; page < cursorPages; page++) {
      const cursor = nextCursor(body);
      if (cursor === undefined) break;
      const path = `${bare}${bare.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`.replace('?&', '?');
      paths.push(path);
      body = await ask(path);
    }
  }
  return paths;
}

function nextCursor(body: Buffer): string | undefined {
  const parsed: { meta?: { next_cursor?: string | null } } = JSON.parse(body.toString('utf8'));
  return parsed.meta?.next_cursor ?? undefined;
}

export interface WritesRequest {
  readonly databaseUrl: string;
  readonly requests: number;
  readonly question: (turn: number) => Question;
}

/** The transactions of so many requests of one writer, in their order. */
export async function recordWrites({ databaseUrl, ...asked }: WritesRequest): Promise<RecordedStatement[][]> {
  const store = await openStore({ databaseUrl, prefix });
  const transactions: RecordedStatement[][] = [];
  const noted = passing(store.content, (name, [work, ...rest]) => {
    if (name !== 'write' || typeof work !== 'function') return [work, ...rest];
    const transaction = (tx: Tx): unknown => {
      const statements: RecordedStatement[] = [];
      transactions.push(statements);
      return Reflect.apply(work, undefined, [passing(tx, (_name, args) => note(args, statements))]);
    };
    return [transaction, ...rest];
  });
  const env = { HCD_GATEWAY_RATE_LIMIT_ENABLED: '0' };
  const running = await serveInside({ ...store, content: noted, own: noted }, { env, clock: systemClock });
  try {
    await load({ port: running.server.port, connections: 1, ...asked });
  } finally {
    await running.close();
    await store.close();
  }
  // The program also writes when its key was last used, for example.
  return transactions.filter((statements) => statements.some(({ sql }) => sql.includes('site_content')));
}

interface Inside {
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

function serveInside(store: Store, inside: Inside) {
  return startSite({
    ...{ store, registry: buildRegistry([]), log: () => undefined, secret: rootSecret, version: '0.0.0' },
    ...{ apis: ['gateway'], host: '127.0.0.1', port: 0, limits: { announceMs: 0 }, ...inside },
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

/** Notes the statement among the arguments, if there is one. */
function note(args: readonly unknown[], noted: RecordedStatement[]): readonly unknown[] {
  const [value] = args;
  if (typeof value === 'object' && value !== null && 'sql' in value && 'params' in value) {
    const { sql, params } = value;
    if (typeof sql === 'string' && Array.isArray(params)) {
      const plain = params.map((param: Param) => (typeof param === 'number' || param === null ? param : String(param)));
      noted.push({ sql, params: plain });
    }
  }
  return args;
}

/** Body of a GET; throws an Error unless the answer is 200. */
async function fetchBytes(port: number, path: string): Promise<Buffer> {
  const { status, body } = await ask(port, { path });
  if (status === 200) return body;
  throw new Error(`${path} answered ${status}: ${body.toString('utf8').slice(0, 500)}`);
}
