/**
 * A server on a free port for one test file: the real pages and banners APIs, and a small gateway with a table of its
 * own, with the clock, the settings and the log in the test's hands. Servers still open at the end of the file are
 * closed.
 */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { admit as checkAccess } from '../../src/access/admit.js';
import { anonymous, type Identity } from '../../src/access/identity.js';
import { makeBannersApi } from '../../src/banners/endpoints/api.js';
import { type Clock, systemClock } from '../../src/clock/clock.js';
import { type Settings, settingDefinitions } from '../../src/config/settings.js';
import { AppError } from '../../src/errors/app-error.js';
import { gatewayBase, gatewayCors, gatewayMounts } from '../../src/gateway/endpoints/api.js';
import { renderProblem } from '../../src/gateway/http/envelope.js';
import { problemEndpoints } from '../../src/gateway/http/problem-pages.js';
import type { ApiModule, Caller, Identify, Limit, RouteQuestion } from '../../src/http/interface/api.js';
import type { Endpoint } from '../../src/http/interface/endpoint.js';
import { parseTrustedProxies } from '../../src/http/interface/request-headers.js';
import type { HttpPorts } from '../../src/http/interface/request-state.js';
import { type RunningServer, type ServerLimits, startServer } from '../../src/http/server/server.js';
import { admit, authenticate, checkEnabled, checkRoute, limitRequests } from '../../src/http/stages/checks.js';
import { MemoryCounter, RefusedKeys } from '../../src/identity/limits/counter.js';
import type { Observation } from '../../src/log/observation.js';
import { makePagesApi } from '../../src/pages/endpoints/api.js';
import { derived } from '../../src/values/kept-values.js';
import { atFileEnd } from './at-file-end.js';
import { judgeAnswers } from './received-answers.js';

export interface TestSettings extends Settings {
  readonly banners_api_key: string;
}

export interface TestServerOptions {
  readonly settings?: Partial<TestSettings>;
  /** Rows of the small gateway. */
  readonly endpoints?: readonly Endpoint[];
  /** Checks of the small gateway that differ. */
  readonly gateway?: Partial<SmallChecks>;
  readonly limits?: Partial<ServerLimits>;
  readonly clock?: Clock;
  readonly compresses?: boolean;
  /** As in HttpPorts. */
  readonly entrance?: () => Promise<void> | null;
  readonly countStray?: HttpPorts['countStray'];
}

interface SmallChecks {
  readonly authenticate: Identify;
  readonly limit: Limit;
  readonly admit: (question: RouteQuestion) => void;
}

export interface TestServer {
  readonly port: number;
  readonly url: string;
  readonly server: RunningServer;
  readonly log: readonly Observation[];
  readonly apis: readonly ApiModule[];
  /** Changes settings, as a live change in the database does. */
  set(change: Partial<TestSettings>): void;
  /** Says that content changed. */
  bumpGeneration(): void;
  ask(path: string, options?: AskOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; throws for other bodies. */
  json(): unknown;
}

/** No store, no pages. */
const nothing = async (): Promise<never> => {
  throw new AppError('not_found');
};
const noDelivery = {
  kept: () => undefined,
  page: nothing,
  draft: nothing,
  list: nothing,
  changes: nothing,
  catalog: nothing,
};

const unreachable = (): Promise<never> => Promise.reject(new AppError('database_unreachable'));
const noStore = {
  own: { primary: { dialect: 'sqlite', select: unreachable, query: unreachable }, write: unreachable },
} as const;

/** Starts a server; settings not given have their defaults. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  let settings: TestSettings = { ...defaults(), banners_api_key: '', ...options.settings };
  const drops: ((change: 'everything') => void)[] = [];
  const log: Observation[] = [];
  const read = (): TestSettings => settings;
  const gateway = makeSmallGateway(read, options.endpoints ?? [], options.gateway ?? {});
  const clock = options.clock ?? systemClock;
  const refusedKeys = new RefusedKeys(new MemoryCounter(clock));
  const apis = [
    gateway,
    makePagesApi({
      settings: read,
      delivery: noDelivery,
      version: '0.1.0',
      tokens: { verify: async () => null },
      verifyPreview: async () => null,
      counter: new MemoryCounter(options.clock ?? systemClock),
      refusedKeys,
      now: () => (options.clock ?? systemClock).now(),
    }),
    makeBannersApi({
      settings: read,
      store: noStore,
      images: () => () => '',
      counter: new MemoryCounter(options.clock ?? systemClock),
      refusedKeys,
      // This server has no store.
      readerFor: () => ({
        dialect: 'sqlite',
        select: () => Promise.reject(new AppError('database_unreachable')),
        query: () => Promise.reject(new AppError('database_unreachable')),
      }),
      flush: async () => undefined,
      slots: {
        readSlot: unreachable,
        moment: () => ({ ms: 0, zone: 'UTC' }),
        settings: read,
        image: ({ image }) => image,
        siteAddress: () => null,
      },
      conversions: { attachConversion: nothing },
      now: () => (options.clock ?? systemClock).now(),
    }),
  ];
  const server = await startServer({
    apis,
    unmounted: (error, info) => renderProblem(error, info, gatewayBase(settings.gateway_api_prefix)),
    ports: {
      clock: options.clock ?? systemClock,
      log: (fact) => log.push(fact),
      settings: read,
      onContentChange: (listener) => void drops.push(listener),
      ...(options.entrance === undefined ? {} : { entrance: options.entrance }),
      ...(options.countStray === undefined ? {} : { countStray: options.countStray }),
      trustedProxies: derived(read, (current) => parseTrustedProxies(current.gateway_trusted_proxies)),
    },
    host: '127.0.0.1',
    port: 0,
    limits: { announceMs: 0, maxQueueMs: 600_000, ...options.limits },
    compresses: options.compresses ?? true,
  });
  const endJudging = judgeAnswers(server.port, apis);
  const agent = new Agent({ keepAlive: true });
  const test: TestServer = {
    port: server.port,
    url: `http://127.0.0.1:${server.port}`,
    server,
    log,
    apis,
    set(change) {
      settings = { ...settings, ...change };
    },
    bumpGeneration() {
      for (const drop of drops) drop('everything');
    },
    ask: (path, asked = {}) => ask({ port: server.port, agent, path, ...asked }),
    async close() {
      forget();
      endJudging();
      agent.destroy();
      await server.close();
    },
  };
  const forget = atFileEnd(test.close);
  return test;
}

interface Question extends AskOptions {
  readonly port: number;
  readonly agent: Agent;
  readonly path: string;
}

function ask({ port, agent, path, method = 'GET', headers = {}, body }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      agent,
      path,
      method,
      headers: { ...headers } as Record<string, string | string[]>,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as unknown,
        });
      });
    });
    request.end(body);
  });
}

/** The real envelope, mounts and order of the gateway around rows of the test. */
function makeSmallGateway(
  settings: () => TestSettings,
  endpoints: readonly Endpoint[],
  checks: Partial<SmallChecks>,
): ApiModule {
  const limit = checks.limit ?? (() => null);
  return {
    name: 'gateway',
    endpoints: [...problemEndpoints, ...endpoints],
    checks: [
      checkRoute(),
      checkEnabled(),
      authenticate(checks.authenticate ?? authenticateBearer, limit),
      limitRequests(limit),
      admit(
        checks.admit ??
          (({ endpoint, identity, params }) =>
            checkAccess({ access: endpoint.access, identity, params, sessions: { holds: () => false } })),
      ),
    ],
    limit,
    headers: {},
    vary: 'Authorization, X-API-Key, X-Context, Cookie, Origin, Accept-Encoding',
    selectingHeaders: ['x-context'],
    parameterProblem: 'validation_failed',
    policy: derived(settings, (current) => ({
      enabled: current.gateway_enabled,
      mounts: gatewayMounts(current.gateway_api_prefix),
      maxPathBytes: current.gateway_max_uri_bytes,
      answersOptions: true,
      caching: current.gateway_cache_enabled
        ? { kind: 'public', seconds: current.gateway_cache_ttl }
        : { kind: 'private' },
      cors: gatewayCors(current),
    })),
    renderError: (error, info) => renderProblem(error, info, gatewayBase(settings().gateway_api_prefix)),
  };
}

/** `Bearer good` may read things, `Bearer down` meets a database that is gone, anything else is wrong. */
function authenticateBearer(caller: Caller): Identity | Promise<Identity> {
  const authorization = caller.header('authorization');
  if (authorization === undefined) return anonymous;
  if (authorization === 'Bearer good') {
    return Promise.resolve({ kind: 'api_key', id: 'k1', scopes: new Set(['things.read']), userId: null });
  }
  if (authorization === 'Bearer down') return Promise.reject(new AppError('database_unreachable'));
  throw new AppError('invalid_token');
}

export function defaults(): Settings {
  const values = Object.entries(settingDefinitions).map(([key, row]) => [key, row.default]);
  return Object.fromEntries(values) as Settings;
}

/** An endpoint row with everything that a test does not care about filled in. */
export function row(given: Pick<Endpoint, 'name' | 'path' | 'handler'> & Partial<Endpoint>): Endpoint {
  return {
    method: 'GET',
    access: { kind: 'public' },
    object: null,
    summary: given.name,
    tags: [],
    parameters: [],
    response: { status: 200, description: 'An answer.' },
    ...given,
  };
}
