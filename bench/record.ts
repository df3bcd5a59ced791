/**
 * Asks the program itself, inside this process, and notes which statements it sent to the database for each answer. A
 * yardstick made from them follows every change of the planner by itself.
 */
import { get, type IncomingMessage } from 'node:http';
import { startSite } from '../commands/serve/start-site.js';
import { systemClock } from '../src/clock/clock.js';
import { buildRegistry } from '../src/content/objects/core-objects.js';
import { gatewayBase } from '../src/gateway/endpoints/api.js';
import type { Database, Param, Reader } from '../src/store/base/database.js';
import { servingLimits } from '../src/store/base/limits.js';
import { openStore } from '../src/store/open/open.js';
import { prefix } from './generate.js';
import type { Scenario } from './scenarios.js';

/** Settings of every server of the bench, so that both contexts and all cursors work. */
export const siteSettings = Object.freeze({
  HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,docs',
  HCD_GATEWAY_MAX_OFFSET: '1000000000',
  // One caller asks more often than any limit allows.
  HCD_GATEWAY_RATE_LIMIT_ENABLED: '0',
});
export const rootSecret = 'the root secret of the bench';
export const basePath = gatewayBase('/api');

export interface RecordedStatement {
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
  readonly heavy: boolean;
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
  const content = noting(store.content, noted);
  // The clock moves only between questions: whether a total is known must not depend on how fast the machine is.
  let elapsed = 0;
  const running = await startSite({
    store: { ...store, content, own: store.own === store.content ? content : store.own },
    registry: buildRegistry([]),
    env: { HCD_GATEWAY_CACHE_ENABLED: '0', ...siteSettings },
    clock: { ...systemClock, elapsed: () => elapsed },
    log: () => undefined,
    secret: rootSecret,
    version: '0.0.0',
    apis: ['gateway'],
    host: '127.0.0.1',
    port: 0,
    limits: { announceMs: 0 },
  });
  // Otherwise its look at the settings would be taken for a part of some answer.
  running.site.live.stop();

  const ask = async (path: string) => {
    noted.length = 0;
    const body = await fetchBytes(running.server.port, path);
    return { body, statements: [...noted] };
  };
  const variant = async (path: string): Promise<Variant> => {
    elapsed += longerThanTotals;
    const first = await ask(path);
    const again = await ask(path);
    return { path, body: again.body, first: first.statements, again: again.statements };
  };
  return {
    database: store.content,
    async record(scenario, count) {
      const paths = scenario.paths(count).map((path) => basePath + path);
      const asked = scenario.byCursor ? await walkByCursor(paths, async (path) => (await ask(path)).body) : paths;
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

/** The same database; whatever takes a statement is noted first. */
function noting(database: Database, noted: RecordedStatement[]): Database {
  return new Proxy(database, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const statement = toStatement(args[0]);
        if (statement !== undefined) noted.push(statement);
        return Reflect.apply(member, target, args);
      };
    },
  });
}

export function toStatement(value: unknown): RecordedStatement | undefined {
  if (typeof value !== 'object' || value === null || !('sql' in value) || !('params' in value)) return undefined;
  const { sql, params } = value;
  if (typeof sql !== 'string' || !Array.isArray(params)) return undefined;
  return {
    sql,
    params: params.map((param: Param) => (typeof param === 'number' || param === null ? param : String(param))),
    heavy: 'heavy' in value && value.heavy === true,
  };
}

/** Body of a GET; throws an Error unless the answer is 200. */
export function fetchBytes(port: number, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = get(
      { host: '127.0.0.1', port, path, agent: false, maxHeaderSize: 1_048_576 },
      (response: IncomingMessage) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          if (response.statusCode === 200) return resolve(body);
          reject(new Error(`${path} answered ${response.statusCode}: ${body.toString('utf8').slice(0, 500)}`));
        });
      },
    );
    request.on('error', reject);
  });
}
