/**
 * OAuth end to end: clients made by the command, tokens got and used over HTTP, ended by time, by clients and by
 * commands.
 */
import { beforeAll, describe, expect, it, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { createCredential } from '../../../src/crypto/credential-text.js';
import { recordReads } from '../../identity/keys/key-store.js';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { lastGood, movableClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { sendRaw } from '../../support/raw-socket.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

type Form = Readonly<Record<string, string>> | string;

let made = 0;

async function add(db: CliDatabase, flags = '--scopes resources.read,chunks.read', id?: string): Promise<Client> {
  made += 1;
  const words = ['oauth', 'client', 'add', id ?? `client-${made}`, ...flags.split(' ')];
  return ((await db.json(words, { clock: systemClock })) as { data: Client }).data;
}

async function post(
  site: TestSite,
  path: string,
  { form, json, headers = {} }: { form?: Form; json?: unknown; headers?: Readonly<Record<string, string>> },
): Promise<Answer> {
  const body = json === undefined ? new URLSearchParams(form ?? {}).toString() : JSON.stringify(json);
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  const response = await fetch(`${site.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: typeof form === 'string' ? form : body,
  });
  const { status, headers: got } = response;
  expect(got.get('cache-control')).toBe('no-store');
  return { status, headers: got, body: (await response.json()) as Record<string, unknown> };
}

const grant = { grant_type: 'client_credentials' };
const basic = (id: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});
const bearer = (token: unknown) => ({ headers: { authorization: `Bearer ${String(token)}` } });
const on = { HCD_GATEWAY_OAUTH_ENABLED: '1' };

async function tokenOf(site: TestSite, client: Client, scope?: string): Promise<string> {
  const { body } = await post(site, '/auth/token', {
    form: { ...grant, ...client_(client), ...(scope ? { scope } : {}) },
  });
  return String(body['access_token']);
}

const client_ = ({ client_id, client_secret }: Client) => ({ client_id, client_secret });

describeEachDatabase('OAuth over HTTP', (database) => {
  let db: CliDatabase;
  let site: TestSite;
  const clock = movableClock();

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, {
        site_content: [
          { id: 1, pagetitle: 'Home' },
          { id: 2, pagetitle: 'Draft', published: 0 },
        ],
      }),
    );
    site = await startTestSite({ databaseUrl: db.url, clock, env: on });
  });

  it('gives a token, in the envelope and at the top, by form, JSON and HTTP Basic', async () => {
    const client = await add(db);
    const members = {
      access_token: expect.stringMatching(/^gt_[0-9a-f]{16}_[0-9A-Za-z]{49}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'resources.read chunks.read',
    };
    const answers = [
      await post(site, '/auth/token', { form: { ...grant, ...client_(client) } }),
      await post(site, '/auth/token', { json: { ...grant, ...client_(client) } }),
      await post(site, '/auth/token', { form: grant, headers: basic(client.client_id, client.client_secret) }),
      await post(site, '/auth/token', { json: grant, headers: basic(client.client_id, client.client_secret) }),
    ];
    for (const { status, headers, body } of answers) {
      expect([status, body]).toEqual([200, { data: members, meta: {}, ...members }]);
      expect(body['data']).toMatchObject({ access_token: body['access_token'] });
      expect(headers.get('pragma')).toBe('no-cache');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      const read = await site.get('/resources/1?fields=id', bearer(body['access_token']));
      expect(read.body).toEqual({ data: { id: 1 }, meta: {} });
    }
    expect(new Set(answers.map(({ body }) => body['access_token'])).size).toBe(4);
    const identityId = String(answers[3]?.body['access_token']).slice(3, 19);
    expect(site.log.at(-1)).toMatchObject({ identity: 'access_token', identityId });
  });

  it('tells in the list when a client last got a token, not when it was refused one', async () => {
    const client = await add(db);
    const shown = async () => {
      const { data } = (await db.json(`oauth client show ${client.client_id}`)) as { data: { last_used_on: unknown } };
      return data.last_used_on;
    };
    await post(site, '/auth/token', { form: { ...grant, ...client_({ ...client, client_secret: 'wrong' }) } });
    expect(await shown()).toBeNull();
    const before = clock.now();
    await tokenOf(site, client);
    const seconds = Date.parse(String(await shown()));
    expect([seconds >= before - 1000, seconds <= clock.now()]).toEqual([true, true]);
  });

  it('takes ids of any text, percent-encoded in HTTP Basic, and tells them apart exactly', async () => {
    const id = 'Café + 100% of: it';
    const client = await add(db, '--scopes chunks.read', id);
    const encoded = await post(site, '/auth/token', { form: grant, headers: basic(id, client.client_secret) });
    expect(encoded.status).toBe(200);
    const plus = Buffer.from(`Caf%C3%A9+%2B+100%25+of%3A+it:${client.client_secret}`).toString('base64');
    const form = await post(site, '/auth/token', { form: grant, headers: { authorization: `basic ${plus}` } });
    expect(form.status).toBe(200);
    for (const other of [id.toLowerCase(), id.replace('é', 'e'), `${id} `, ` ${id}`]) {
      const { status } = await post(site, '/auth/token', { form: grant, headers: basic(other, client.client_secret) });
      expect([other, status]).toEqual([other, 401]);
    }
  });

  test.each([
    ['nothing asked for', undefined, 'resources.read chunks.read'],
    ['an empty scope', '', 'resources.read chunks.read'],
    ['a part', 'chunks.read', 'chunks.read'],
    ['more than the client has', 'templates.read resources.read *', 'resources.read'],
    ['a scope twice', 'chunks.read  chunks.read', 'chunks.read'],
    ['an unknown scope next to a known one', 'nonsense chunks.read', 'chunks.read'],
  ])('grants the requested scopes that the client has: %s', async (_name, scope, granted) => {
    const client = await add(db);
    const { body } = await post(site, '/auth/token', {
      form: { ...grant, ...client_(client), ...(scope === undefined ? {} : { scope }) },
    });
    expect(body).toMatchObject({ scope: granted, data: { scope: granted } });
  });

  it('holds exactly the granted scopes on the routes', async () => {
    const client = await add(db, '--scopes *');
    const narrow = await tokenOf(site, client, 'chunks.read nonsense');
    const wide = await tokenOf(site, client);
    const statuses = async (token: string): Promise<number[]> => [
      (await site.get('/chunks', bearer(token))).status,
      (await site.get('/resources', bearer(token))).status,
      (await site.get('/resources/2?preview=true', bearer(token))).status,
    ];
    expect(await statuses(narrow)).toEqual([200, 403, 403]);
    expect(await statuses(wide)).toEqual([200, 200, 200]);
    expect((await site.get('/chunks', { headers: { 'x-api-key': narrow } })).status).toBe(200);
  });

  it('ends by time: works a second before, is refused a second after', async () => {
    await clock.holding(async () => {
      const token = await tokenOf(site, await add(db));
      clock.forward(3_599_000);
      expect((await site.get('/chunks', bearer(token))).status).toBe(200);
      clock.forward(2000);
      const { status, body, headers } = await site.get('/resources', bearer(token));
      expect([status, body['code'], headers.get('www-authenticate')]).toEqual([401, 'invalid_token', 'Bearer']);
    });
  });

  it('lives as long as the setting says', async () => {
    const client = await add(db);
    const short = await startTestSite({
      databaseUrl: db.url,
      clock,
      env: { ...on, HCD_GATEWAY_OAUTH_TOKEN_TTL: '60' },
    });
    const { body } = await post(short, '/auth/token', { form: { ...grant, ...client_(client) } });
    expect(body['expires_in']).toBe(60);
    clock.forward(61_000);
    expect((await short.get('/chunks', bearer(body['access_token']))).status).toBe(401);
    await short.close();
  });

  it('is read from the database at most once in a moment, and not at all when malformed', async () => {
    const token = await tokenOf(site, await add(db));
    const own = await startTestSite({ databaseUrl: db.url, clock, env: on });
    const reads = recordReads(own.store, { table: 'hcd_oauth' });
    await clock.holding(async () => {
      for (let count = 0; count < 5; count += 1) expect((await own.get('/chunks', bearer(token))).status).toBe(200);
    });
    expect(reads.length).toBe(1);
    reads.length = 0;
    const malformed = [token.slice(0, -1), `${token}0`, token.toUpperCase(), token.replace('gt_', 'gk_')];
    for (const text of [...malformed, 'gt_', 'gt__']) {
      expect((await own.get('/resources', bearer(text))).status).toBe(401);
    }
    expect(reads).toEqual([]);
    expect((await own.get('/resources', bearer(createCredential('gt').text))).status).toBe(401);
    expect(reads.length).toBe(1);
    await own.close();
  });

  it('is refused within a second after a command revoked it', async () => {
    const token = await tokenOf(site, await add(db));
    expect((await site.get('/chunks', bearer(token))).status).toBe(200);
    expect((await db.run(`oauth token revoke ${token.slice(3, 19)} --yes`, { clock })).code).toBe(0);
    expect(await lastGood(() => site.get('/chunks', bearer(token)))).toBeLessThan(1000);
    expect((await site.get('/chunks', bearer(token))).status).toBe(401);
  });

  it('gives a revoked client nothing new, while its tokens live on', async () => {
    const client = await add(db);
    const token = await tokenOf(site, client);
    expect((await db.run(`oauth client revoke ${client.client_id} --yes`, { clock })).code).toBe(0);
    const again = await post(site, '/auth/token', { form: { ...grant, ...client_(client) } });
    expect([again.status, again.body['error']]).toEqual([400, 'invalid_client']);
    clock.forward(1000);
    expect((await site.get('/chunks', bearer(token))).status).toBe(200);
    expect((await db.run(`oauth client revoke ${client.client_id} --with-tokens --yes`, { clock })).code).toBe(0);
    clock.forward(1000);
    expect((await site.get('/chunks', bearer(token))).status).toBe(401);
  });

  it('takes old and new secret during an overlap, then only the new one', async () => {
    const client = await add(db);
    const rotate = `oauth client rotate-secret ${client.client_id}`;
    const { data: fresh } = (await db.json(`${rotate} --overlap 1h`, { clock })) as { data: Client };
    const statusOf = async (one: Client): Promise<number> =>
      (await post(site, '/auth/token', { form: { ...grant, ...client_(one) } })).status;
    expect([await statusOf(client), await statusOf(fresh)]).toEqual([200, 200]);
    clock.forward(3_600_000);
    expect([await statusOf(client), await statusOf(fresh)]).toEqual([400, 200]);
    const { data: last } = (await db.json(`${rotate} --yes`, { clock })) as { data: Client };
    expect([await statusOf(fresh), await statusOf(last)]).toEqual([400, 200]);
  });

  it('lets a client end its own tokens, and only those', async () => {
    const [client, other] = [await add(db), await add(db)];
    const [token, foreign] = [await tokenOf(site, client), await tokenOf(site, other)];
    expect((await site.get('/chunks', bearer(token))).status).toBe(200);
    const revoke = (text: string) => post(site, '/auth/revoke', { form: { token: text, ...client_(client) } });
    for (const text of [token, token, 'gt_unknown', createCredential('gt').text]) {
      const { status, body } = await revoke(text);
      expect([status, body]).toEqual([200, { data: {}, meta: {} }]);
    }
    expect((await site.get('/chunks', bearer(token))).status).toBe(401);
    const refused = await revoke(foreign);
    expect([refused.status, refused.body]).toMatchObject([400, { error: 'invalid_grant', code: 'invalid_grant' }]);
    expect((await site.get('/chunks', bearer(foreign))).status).toBe(200);
  });

  it('tells a client about its own tokens, and of others only that they are none of its own', async () => {
    const [client, other] = [await add(db), await add(db)];
    const token = await tokenOf(site, client, 'chunks.read');
    const ask = async (one: Client, text: string) => {
      const headers = basic(one.client_id, one.client_secret);
      return (await post(site, '/auth/introspect', { form: { token: text }, headers })).body;
    };
    const members = {
      ...{ active: true, scope: 'chunks.read', client_id: client.client_id, token_type: 'Bearer' },
      ...{ exp: expect.any(Number), iat: expect.any(Number), jti: token.slice(3, 19) },
    };
    const body = await ask(client, token);
    expect(body).toEqual({ data: members, meta: {}, ...members });
    expect(Number(body['exp']) - Number(body['iat'])).toBe(3600);
    const inactive = { data: { active: false }, meta: {}, active: false };
    expect(await ask(other, token)).toEqual(inactive);
    expect(await ask(client, 'gt_nothing')).toEqual(inactive);
    await post(site, '/auth/revoke', { form: { token, ...client_(client) } });
    expect(await ask(client, token)).toEqual(inactive);
  });

  it('is nowhere to be found but where it was shown', async () => {
    const client = await add(db);
    const token = await tokenOf(site, client);
    const rotate = `oauth client rotate-secret ${client.client_id} --overlap 1h`;
    const { data: rotated } = (await db.json(rotate, { clock })) as { data: Client };
    const everything = JSON.stringify([
      await site.store.own.select({ sql: 'SELECT * FROM hcd_oauth_clients', params: [] }),
      await site.store.own.select({ sql: 'SELECT * FROM hcd_oauth_tokens', params: [] }),
      await db.run('oauth client list', { terminal: { columns: 400 } }),
      await db.run(`oauth client show ${client.client_id} --json`),
      await db.run('oauth token list --all --json'),
      site.log,
    ]);
    expect(everything).toContain(token.slice(3, 19));
    for (const secret of [client.client_secret, rotated.client_secret, token]) {
      expect(everything).not.toContain(secret.slice(-40));
    }
  });

  it('removes ended tokens by command', async () => {
    const client = await add(db);
    const early = await tokenOf(site, client);
    clock.forward(3_601_000);
    const late = await tokenOf(site, client);
    const { data } = (await db.json('oauth token prune --yes', { clock })) as { data: { removed: number } };
    expect(data.removed).toBeGreaterThan(0);
    const { data: left } = (await db.json('oauth token list --all', { clock })) as { data: { token_id: string }[] };
    expect(left.map(({ token_id }) => token_id)).toEqual([late.slice(3, 19)]);
    expect(early).not.toBe(late);
    expect(await db.json('oauth token prune --yes', { clock })).toEqual({ data: { removed: 0 } });
  });
});

describe('the metadata of OAuth', () => {
  it('is at the root, names the public address, and is absent while OAuth is off', async () => {
    const url = await freshSqliteUrl();
    const site = await startTestSite({ databaseUrl: url, env: on });
    const path = '/.well-known/oauth-authorization-server';
    const response = await fetch(site.url + path);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await response.json()).toEqual({
      issuer: site.url,
      token_endpoint: `${site.url}/api/v1/auth/token`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint: `${site.url}/api/v1/auth/revoke`,
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      introspection_endpoint: `${site.url}/api/v1/auth/introspect`,
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      scopes_supported: expect.arrayContaining(['resources.read', 'preview', 'context.web', '*']),
      service_documentation: `${site.url}/api/v1/docs`,
    });
    const proxied = await startTestSite({ databaseUrl: url, env: { ...on, HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' } });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };
    const issuers = [site, proxied].map(async (one) => (await fetch(one.url + path, { headers })).json());
    expect(await Promise.all(issuers)).toMatchObject([{ issuer: site.url }, { issuer: 'https://shop.example' }]);
    expect((await fetch(site.url + path, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${site.url}${path}/api/v1`)).status).toBe(404);
    const named = await startTestSite({
      databaseUrl: url,
      env: { ...on, HCD_GATEWAY_OAUTH_ISSUER: 'https://cms.example/' },
    });
    expect(await (await fetch(named.url + path)).json()).toMatchObject({
      issuer: 'https://cms.example',
      token_endpoint: 'https://cms.example/api/v1/auth/token',
    });
    const off = await startTestSite({ databaseUrl: url });
    for (const [method, gone] of [
      ['GET', path],
      ['POST', '/api/v1/auth/revoke'],
      ['POST', '/api/v1/auth/introspect'],
    ]) {
      const { status } = await fetch(off.url + gone, { method: method ?? '' });
      expect([gone, status]).toEqual([gone, 404]);
    }
    const pages = await startTestSite({ databaseUrl: url, env: on, apis: ['pages'] });
    expect((await fetch(pages.url + path)).status).toBe(404);
  });

  it('works with a token that is out while OAuth is turned off', async () => {
    const db = await prepareCliDatabase(await freshSqliteUrl());
    const site = await startTestSite({ databaseUrl: db.url, env: on });
    const token = await tokenOf(site, await add(db));
    const off = await startTestSite({ databaseUrl: db.url });
    expect((await off.get('/chunks', bearer(token))).status).toBe(200);
  });

  it('answers a body that ends too early, and serves the next connection', async () => {
    const site = await startTestSite({ databaseUrl: await freshSqliteUrl(), env: on });
    const port = Number(new URL(site.url).port);
    const head = 'POST /api/v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n3\r\na":\r\n2\r\n1}\r\n0\r\n\r\n`;
    const answer = await sendRaw({ port, bytes: chunked });
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'invalid_request']);
    expect((await site.get('/health')).status).toBe(200);
  });
});
