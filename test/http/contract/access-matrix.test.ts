/**
 * Who may call what: every row of the gateway's endpoint table × every kind of caller → status, with requests that are
 * right in everything but the rights. The table is a golden file: an endpoint that is added, or opened, changes it in
 * plain sight.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import type { Endpoint } from '../../../src/http/interface/endpoint.js';
import { prepareCliDatabase } from '../../support/cli-database.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { expectGolden } from '../../support/golden.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { grant, passwordOf, userRow, Visitor } from '../gateway/session-visitor.js';
import { accessModel } from './access-model.js';
import { endpoints, fillSite, pathOf, scopeOf } from './gateway-table.js';

const scopesInUse = [...new Set(endpoints.map(scopeOf).filter((scope) => scope !== null))];
const reading = ['load', 'list', 'view'];
const others = (scope: string): readonly string[] => scopesInUse.filter((other) => other !== scope);

/** A user who may read pages and nothing else; keys and tokens are bound to this one. */
const reader = 11;
const sudo = 12;

type Keyed = Extract<Identity, { kind: 'api_key' | 'access_token' }>;

const identities: Record<string, Identity> = {};
for (const kind of ['api_key', 'access_token'] as const) {
  for (const userId of [null, reader]) {
    // A credential has no spaces.
    const name = `${kind}${userId === null ? '' : ':bound'}`;
    const add = (label: string, scopes: readonly string[]): void => {
      const identity: Keyed = { kind, id: `${name}:${label}`, scopes: new Set(scopes), userId };
      identities[`${name}:${label}`] = identity;
    };
    add('nothing', []);
    add('everything', ['*']);
    for (const scope of scopesInUse) {
      add(`exactly:${scope}`, [scope]);
      add(`without:${scope}`, others(scope));
    }
  }
}

interface Ask {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** One kind of caller: sends the request, whose row asks for the scope. */
type Caller = (ask: Ask, scope: string | null) => Promise<number>;

describe('the gateway', () => {
  let site: TestSite;
  let client: Readonly<Record<string, string>>;
  let made = 0;
  const visitors = new Map<string, Visitor>();

  beforeAll(async () => {
    const db = await prepareCliDatabase(await freshSqliteUrl());
    const added = await db.json('oauth client add website --scopes chunks.read');
    const { client_id, client_secret } = (added as { data: Record<string, string> }).data;
    client = { client_id: client_id ?? '', client_secret: client_secret ?? '' };
    site = await startTestSite({ databaseUrl: db.url, identities, env: { HCD_GATEWAY_OAUTH_ENABLED: '1' } });
    await fillSite(site);
    const users: Record<string, readonly string[]> = { [reader]: reading };
    const rows = [userRow({ id: reader, username: 'nothing' }), userRow({ id: sudo, username: 'sudo', sudo: 1 })];
    scopesInUse.forEach((scope, at) => {
      users[20 + 2 * at] = [...reading, scope];
      users[21 + 2 * at] = [...reading, ...others(scope)];
      rows.push(userRow({ id: 20 + 2 * at, username: `exactly ${scope}` }));
      rows.push(userRow({ id: 21 + 2 * at, username: `without ${scope}` }));
    });
    await seed(site.store, { users: rows });
    await grant(site.store, users);
    await site.live.refresh();
  });

  const as =
    (name: string | undefined): Caller =>
    async ({ path, ...ask }) =>
      (await site.get(path, { ...ask, ...(name === undefined ? {} : { as: name }) })).status;

  const keyed =
    (kind: string, holds: 'exactly' | 'without'): Caller =>
    (ask, scope) =>
      as(scope === null ? `${kind}:nothing` : `${kind}:${holds}:${scope}`)(ask, scope);

  async function visit(username: string): Promise<Visitor> {
    const known = visitors.get(username);
    if (known !== undefined) return known;
    const visitor = new Visitor(site);
    const { status } = await visitor.logIn(username);
    if (status !== 200) throw new Error(`${username} cannot log in: ${status}`);
    visitors.set(username, visitor);
    return visitor;
  }

  const session =
    (who: 'exactly' | 'without' | 'sudo', options: { readonly token: boolean; readonly key?: string }): Caller =>
    async ({ method, path, body }, scope) => {
      const username = who === 'sudo' ? who : scope === null ? 'nothing' : `${who} ${scope}`;
      const visitor = await visit(username);
      const { status } = await visitor.ask(path, {
        method,
        ...(body === undefined ? {} : { json: body }),
        ...(options.token ? {} : { csrf: null }),
        ...(options.key === undefined ? {} : { headers: { authorization: `Bearer ${options.key}` } }),
      });
      if (path === '/auth/session' && method !== 'GET') visitors.delete(username);
      return status;
    };

  const columns: readonly (readonly [heading: string, caller: Caller])[] = [
    ['anon', as(undefined)],
    ['wrong', as('nobody-has-this')],
    ['key-', keyed('api_key', 'without')],
    ['key+', keyed('api_key', 'exactly')],
    ['key*', as('api_key:everything')],
    ['user-', keyed('api_key:bound', 'without')],
    ['user+', keyed('api_key:bound', 'exactly')],
    ['tok-', keyed('access_token', 'without')],
    ['tok+', keyed('access_token', 'exactly')],
    ['tok*', as('access_token:everything')],
    ['utok-', keyed('access_token:bound', 'without')],
    ['utok+', keyed('access_token:bound', 'exactly')],
    ['ses-', session('without', { token: true })],
    ['ses+', session('exactly', { token: true })],
    ['ses+!', session('exactly', { token: false })],
    ['sudo', session('sudo', { token: true })],
    ['sudo!', session('sudo', { token: false })],
    ['both', session('sudo', { token: true, key: 'api_key:nothing' })],
  ];
  const legend = [
    '# - has every scope but the one of the route; + has exactly that one; * has the scope for everything.',
    '# key: API key; tok: access token; user, utok: the same, bound to a user; ses: session of a user with such permissions;',
    '# sudo: session of a user who may do everything; !: without X-CSRF-Token; both: that session with a key without scopes.',
    '# anon: no credential; wrong: an unknown credential.',
  ];

  /** A request of the row that nothing but rights can refuse. What is removed is made for it. */
  async function requestOf(endpoint: Endpoint): Promise<Ask> {
    const { method } = endpoint;
    const path = pathOf(endpoint);
    made += 1;
    if (path === '/auth/session' && method === 'POST') {
      return { method, path, body: { username: 'nothing', password: passwordOf('nothing') } };
    }
    if (path === '/auth/token') return { method, path, body: { grant_type: 'client_credentials', ...client } };
    if (path.startsWith('/auth/') && method === 'POST') return { method, path, body: { token: 'gt_none', ...client } };
    if (path === '/previews' && method === 'POST') return { method, path, body: { resource: 1 } };
    if (method === 'POST') return { method, path, body: { pagetitle: `New ${made}` } };
    if (method === 'PUT') return { method, path, body: { pagetitle: 'Home' } };
    if (method === 'PATCH') return { method, path, body: { menutitle: `Home ${made}` } };
    if (method === 'DELETE' && path !== '/auth/session') {
      const body = { pagetitle: `Old ${made}` };
      const got = await site.get('/resources', { method: 'POST', as: 'api_key:everything', body });
      const { id } = got.body['data'] as { id: number };
      return { method, path: path.replace(/[^/]+$/, String(id)) };
    }
    return { method, path };
  }

  it('has a row of the model for every route, and no other', () => {
    const routes = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(routes.toSorted()).toEqual(Object.keys(accessModel).toSorted());
  });

  it('lets in whom the table says', async () => {
    const line = (first: string, cells: readonly string[]): string =>
      [first.padEnd(28), ...cells.map((cell) => cell.padEnd(5))].join(' ').trimEnd();
    const headings = columns.map(([name]) => name);
    const heading = line('endpoint', headings);
    const lines: string[] = [];
    for (const endpoint of endpoints) {
      const scope = scopeOf(endpoint);
      const statuses: string[] = [];
      for (const [, caller] of columns) statuses.push(String(await caller(await requestOf(endpoint), scope)));
      lines.push(line(`${endpoint.method} ${endpoint.path}`, statuses));
    }
    expectGolden('http/contract/access-matrix.txt', `${[...legend, heading, ...lines].join('\n')}\n`);
  });

  it('refuses a scope with its own words, and tells nothing else', async () => {
    for (const endpoint of endpoints) {
      const scope = scopeOf(endpoint);
      if (scope === null) continue;
      // Rights come before validation (docs/reference/http.md#order-of-checks): parameters, keys and bodies are wrong
      // as well.
      const wrong = 'limit=x&fields=nothing&filter[nothing]=1&context=nowhere&force=1&force=1';
      const { body } = await site.get(`${pathOf(endpoint)}?${wrong}`, {
        method: endpoint.method,
        as: `api_key:without:${scope}`,
        headers: { 'if-match': 'nonsense', 'idempotency-key': '!', 'content-type': 'application/json' },
        ...(endpoint.method === 'GET' ? {} : { body: '{' }),
      });
      expect(body).toMatchObject({ status: 403, code: 'scope_denied', detail: expect.stringContaining(scope) });
      expect(body).not.toHaveProperty('errors');
    }
  });

  it('knows no object, route or method before the credential is looked at', async () => {
    for (const name of [undefined, 'api_key:everything', 'api_key:nothing', 'nobody-has-this']) {
      const asking = name === undefined ? {} : { as: name };
      expect((await site.get('/objects/nothing', asking)).status).toBe(404);
      expect((await site.get('/objects/__proto__/1', asking)).status).toBe(404);
      expect((await site.get('/nothing', asking)).status).toBe(404);
      expect((await site.get('/chunks', { ...asking, method: 'POST' })).status).toBe(405);
    }
  });
});
