/**
 * A small gateway whose POST /things adds a row of a real table as one keyed mutation, with points in the middle of the
 * transaction at which a test can stop it or let it fail.
 */

import type { Identity } from '../../../src/access/identity.js';
import type { Mutation } from '../../../src/content/live/mutation.js';
import { runMutation, type Seal } from '../../../src/content/mutations/run-mutation.js';
import { AppError, invalidField } from '../../../src/errors/app-error.js';
import { answerOnce } from '../../../src/gateway/http/idempotency.js';
import type { Call, Endpoint, Reply } from '../../../src/http/interface/endpoint.js';
import { type OpenStoreOptions, openStore, type Store } from '../../../src/store/open/open.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { type Answer, row, startTestServer, type TestServer } from '../../support/server.js';

export interface Points {
  /** After the row was added, before the answer is kept. */
  afterEffect: (name: string) => Promise<void>;
  /** After the answer was kept, before COMMIT. */
  beforeCommit: (name: string) => Promise<void>;
}

export interface Asked {
  readonly key?: string | readonly string[];
  readonly body?: string | object;
  readonly as?: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface KeyedSite {
  readonly store: Store;
  readonly server: TestServer;
  readonly points: Points;
  readonly settings: { gateway_idempotency_enabled: boolean; gateway_idempotency_ttl: number };
  /** POST /things with `{"name": "one"}` by caller `a`, unless said otherwise. */
  post(asked?: Asked): Promise<Answer>;
  /** Names of all things in order of their ids. */
  things(): Promise<readonly string[]>;
  /** How many keys there are, and how many of them have an answer. */
  keys(): Promise<readonly [all: number, answered: number]>;
}

const nothing = async (): Promise<void> => undefined;
const opened: Store[] = [];

/** Closes what was opened since the last call. */
export async function closeKeyedSites(): Promise<void> {
  await Promise.all(opened.splice(0).map((store) => store.close()));
}

function targetOf(databaseUrl: string, ownDatabaseUrl?: string): OpenStoreOptions {
  return { databaseUrl, prefix: 'modx_', limits: patientLimits, ...(ownDatabaseUrl ? { ownDatabaseUrl } : {}) };
}

/** Makes the tables in a new database. */
export async function prepareThings(databaseUrl: string, ownDatabaseUrl?: string): Promise<void> {
  const store = await openMigrated(targetOf(databaseUrl, ownDatabaseUrl));
  const id = store.content.dialect === 'mariadb' ? 'INT PRIMARY KEY AUTO_INCREMENT' : 'INTEGER PRIMARY KEY';
  const sql = `CREATE TABLE things (id ${id}, name VARCHAR(100) NOT NULL)`;
  await store.content.write((tx) => tx.run({ sql, params: [] }));
  await store.close();
}

/** Serves the database; several sites may serve one, as several processes do. */
export async function startKeyedSite(databaseUrl: string, ownDatabaseUrl?: string): Promise<KeyedSite> {
  const store = await openStore(targetOf(databaseUrl, ownDatabaseUrl));
  opened.push(store);
  const points: Points = { afterEffect: nothing, beforeCommit: nothing };
  const settings = { gateway_idempotency_enabled: true, gateway_idempotency_ttl: 86_400 };
  const deps = { settings: () => settings, writer: { store } };
  const handler = (call: Call): Promise<Reply> =>
    answerOnce(deps, call, {
      rights: '',
      work: async (seal) => addThing({ store, points, seal, name: readName(call) }),
    });
  const request = { types: ['application/json'], required: true, schema: {} } as const;
  const access = { kind: 'scope', scope: 'things.create' } as const;
  const parameters = [{ name: 'note', in: 'query', description: 'Any text.', schema: { type: 'string' } }] as const;
  const common = { access, request, parameters, handler } satisfies Partial<Endpoint>;
  const server = await startTestServer({
    endpoints: [
      row({ name: 'things.create', method: 'POST', path: '/things', ...common }),
      row({ name: 'things.createOther', method: 'POST', path: '/others/*rest', ...common }),
      row({ name: 'things.replace', method: 'PUT', path: '/things', ...common }),
    ],
    gateway: { authenticate: (caller) => identify(caller.header('authorization')) },
  });
  return {
    store,
    server,
    points,
    settings,
    post({ key, body = { name: 'one' }, as = 'a', path = '/things', method = 'POST', headers = {} } = {}) {
      const caller = { authorization: `Bearer ${as}`, 'content-type': 'application/json' };
      const keyed = key === undefined ? {} : { 'idempotency-key': key };
      return server.ask(`/api/v1${path}`, {
        ...{ method, headers: { ...caller, ...keyed, ...headers } },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    },
    async things() {
      const rows = await store.content.select({ sql: 'SELECT name FROM things ORDER BY id', params: [] });
      return rows.map(([name]) => String(name));
    },
    async keys() {
      const sql = 'SELECT COUNT(*), COUNT(status) FROM hcd_idempotency_keys';
      const [counts] = await store.own.select({ sql, params: [] });
      return [Number(counts?.[0]), Number(counts?.[1])];
    },
  };
}

/** `Bearer a` and `Bearer b` may add things, `Bearer reader` may not. */
function identify(authorization: string | undefined): Identity {
  const id = authorization?.replace('Bearer ', '') ?? '';
  if (!['a', 'b', 'reader'].includes(id)) throw new AppError('invalid_token');
  return { kind: 'api_key', id, scopes: new Set(id === 'reader' ? [] : ['things.create']), userId: null };
}

function readName({ body }: Call): string {
  const value = body?.kind === 'json' ? body.value : undefined;
  const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
  if (typeof name !== 'string') throw invalidField('name', 'is needed');
  return name;
}

interface Addition {
  readonly store: Store;
  readonly points: Points;
  readonly seal: Seal<Reply> | null;
  readonly name: string;
}

/** Names that begin with "refused" are refused inside the transaction; "huge" makes an answer of 5 MiB. */
function addThing({ store, points, seal, name }: Addition): Promise<Reply> {
  return runMutation<Reply>({
    store,
    seal,
    listeners: { announce: () => points.beforeCommit(name), committed: async () => undefined },
    async work(tx) {
      const { lastId } = await tx.run({ sql: 'INSERT INTO things (name) VALUES (?)', params: [name] });
      if (name.startsWith('refused')) throw new AppError('conflict');
      await points.afterEffect(name);
      const text = name === 'huge' ? { text: 'x'.repeat(5_242_880) } : {};
      const data = { id: lastId, name, at: performance.now(), ...text };
      const headers = { Location: `/api/v1/things/${lastId}`, ETag: `"${lastId}"`, 'X-Extra': 'yes' };
      return {
        mutation: mutationOf(lastId),
        result: { status: 201, headers, body: { kind: 'json', value: { data } }, caching: { kind: 'never' } },
      };
    },
  });
}

function mutationOf(key: number): Mutation {
  return { object: 'things', action: 'created', key, context: null, uri: null, parent: null, rows: [] };
}
