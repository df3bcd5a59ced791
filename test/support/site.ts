/** A whole site for a test: a store, the three APIs and a server on a free port. Closed when the file is done. */

import { startSite } from '../../commands/serve/start-site.js';
import type { Identity } from '../../src/access/identity.js';
import { type Clock, systemClock } from '../../src/clock/clock.js';
import type { SendfileHeader } from '../../src/config/definitions.js';
import { type ApiName, apiNames } from '../../src/config/value-type.js';
import { buildIndexes } from '../../src/content/indexing/keep-indexes.js';
import type { LiveState } from '../../src/content/live/live-state.js';
import { buildRegistry, coreObjects } from '../../src/content/objects/core-objects.js';
import type { ObjectDefinition } from '../../src/content/objects/definition.js';
import { type ObjectSources, openRegistry } from '../../src/content/objects/object-registry.js';
import { type AddHits, MemoryCounter } from '../../src/identity/limits/counter.js';
import type { CounterPlace } from '../../src/identity/limits/open-counter.js';
import type { NewsPlace } from '../../src/identity/limits/redis-news.js';
import type { Observation } from '../../src/log/observation.js';
import type { StoreLimits } from '../../src/store/base/limits.js';
import type { Store } from '../../src/store/open/open.js';
import type { Traces } from '../../src/traces/traces.js';
import { atFileEnd } from './at-file-end.js';
import { execute } from './execute.js';
import { openMigrated } from './migrate.js';
import { patientLimits } from './patient-limits.js';
import { judgeAnswers } from './received-answers.js';
import { seed, type Tables } from './seed.js';

export interface TestSite {
  readonly url: string;
  readonly store: Store;
  readonly live: LiveState;
  readonly log: readonly Observation[];
  /** Status, headers and decoded body of a request under the gateway's base, a GET unless it says otherwise. */
  get(path: string, options?: GetOptions): Promise<Got>;
  /** Inserts rows as `seed` does and makes the site see them at once. */
  fill(tables: Tables): Promise<void>;
  /** Runs statements on the content store and makes the site see them at once. */
  change(statements: readonly string[]): Promise<void>;
  /** Ends it before the file is done. */
  close(): Promise<void>;
}

export interface GetOptions {
  /** Name of an identity given to startTestSite; absent = anonymous. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** Sent as JSON; text is sent as it is, with the Content-Type that `headers` names. */
  readonly body?: unknown;
}

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  // A test looks into bodies freely; what it expects is stated by its assertions.
  readonly body: Record<string, unknown>;
  readonly text: string;
}

export interface TestSiteOptions {
  readonly databaseUrl: string;
  readonly ownDatabaseUrl?: string;
  /** Of the content tables; default: `modx_`. */
  readonly prefix?: string;
  /** Of replicas. */
  readonly readUrls?: readonly string[];
  readonly extra?: readonly ObjectDefinition[];
  /** Folder of object definitions and plugins, read as `hcd serve` reads them; instead of `extra`. */
  readonly objects?: ObjectSources;
  /** Callers by name: `Bearer <name>` is that identity. Absent = the API keys in the store count. */
  readonly identities?: Readonly<Record<string, Identity>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly traces?: Traces | undefined;
  /** The root secret. */
  readonly secret?: string;
  readonly apis?: readonly ApiName[];
  readonly rateCounters?: CounterPlace;
  readonly firstProcess?: AddHits;
  /** Folder of the files; absent: none are served. */
  readonly filesDir?: string;
  readonly sendfileHeader?: SendfileHeader;
  /** Where the site hears of changes of other processes. */
  readonly news?: Omit<NewsPlace, 'clock'>;
  /** As in OpenStoreOptions. */
  readonly repairEncoding?: boolean;
  /** Of the store; nothing is given up because it takes long unless they say so. */
  readonly limits?: StoreLimits;
}

/** Servers with these options count together, as workers of one server do. */
export function countTogether(clock: Clock): Pick<TestSiteOptions, 'rateCounters' | 'firstProcess'> {
  const counter = new MemoryCounter(clock);
  return {
    rateCounters: 'workers',
    firstProcess: async (hits) => hits.map((one) => ({ bucket: one.bucket, ...counter.count(one) })),
  };
}

/** A stream of changes never ends; asked for as JSON it does. */
export function wholeAnswer(path: string): { readonly accept?: string } {
  return path.startsWith('/changes') ? { accept: 'application/json' } : {};
}

/** Opens (and for an own store migrates) the database and serves it. The server's cache and the gateway's rate limit are off unless env says so. */
export async function startTestSite(options: TestSiteOptions): Promise<TestSite> {
  const target = {
    databaseUrl: options.databaseUrl,
    prefix: options.prefix ?? 'modx_',
    ...(options.ownDatabaseUrl ? { ownDatabaseUrl: options.ownDatabaseUrl } : {}),
    ...(options.repairEncoding === undefined ? {} : { repairEncoding: options.repairEncoding }),
    ...(options.readUrls === undefined ? {} : { readUrls: options.readUrls }),
  };
  const store = await openMigrated({ ...target, limits: options.limits ?? patientLimits });
  const log: Observation[] = [];
  const identities = options.identities === undefined ? null : new Map(Object.entries(options.identities));
  const registry = options.objects ? await openRegistry(store, options.objects) : buildRegistry(options.extra ?? []);
  const env = { HCD_GATEWAY_CACHE_ENABLED: '0', HCD_GATEWAY_RATE_LIMIT_ENABLED: '0', ...options.env };
  // A site makes them while it already answers: searches find nothing until then, and kept answers are dropped after it.
  await buildIndexes(store, new AbortController().signal);
  const running = await startSite({
    store,
    registry,
    env,
    clock: options.clock ?? systemClock,
    log: (fact) => log.push(fact),
    secret: options.secret ?? 'a root secret for tests, long enough',
    version: '0.0.0-test',
    apis: options.apis ?? apiNames,
    ...(options.news === undefined ? {} : { news: options.news }),
    traces: options.traces,
    ...(options.rateCounters === undefined ? {} : { rateCounters: options.rateCounters }),
    firstProcess: options.firstProcess,
    ...(options.filesDir === undefined ? {} : { filesDir: options.filesDir }),
    ...(options.sendfileHeader === undefined ? {} : { sendfileHeader: options.sendfileHeader }),
    host: '127.0.0.1',
    port: 0,
    limits: { announceMs: 0, maxQueueMs: 600_000 },
    ...(identities === null ? {} : { verify: async (credential) => identities.get(credential) ?? null }),
  });
  const { port } = running.server;
  const added = [...registry.objects.values()].filter((definition) => !coreObjects.includes(definition));
  const endJudging = judgeAnswers(port, running.apis, JSON.stringify(added));
  const close = async (): Promise<void> => {
    endJudging();
    await running.close();
    await store.close();
  };
  const forget = atFileEnd(close);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    store,
    live: running.site.live,
    log,
    async get(path, { as, headers = {}, method = 'GET', body } = {}) {
      const json = typeof body === 'string' || body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { ...wholeAnswer(path), ...(as ? { authorization: `Bearer ${as}` } : {}), ...json, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson && text !== '' ? JSON.parse(text) : {},
      };
    },
    async fill(tables) {
      await seed(store, tables);
      await running.site.live.refresh();
    },
    async change(statements) {
      await execute(store.content, ...statements);
      await running.site.live.refresh();
    },
    async close() {
      forget();
      await close();
    },
  };
}
