/** The grant password end to end: users log in for a token, what ends it, what limits guesses; and clients that guess. */
import { hashSync } from '@node-rs/bcrypt';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { lastGood, movableClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { accessRule, seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { grant, passwordOf, userRow } from './session-visitor.js';

const on = { HCD_GATEWAY_OAUTH_ENABLED: '1', HCD_GATEWAY_OAUTH_PASSWORD_GRANT_ENABLED: '1' };
const letters = ' Käse "&=+% 🧀 ';
const type = 'application/x-www-form-urlencoded';

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

let made = 0;

async function addClient(db: CliDatabase, flags = '--grants client_credentials,password'): Promise<Client> {
  made += 1;
  const line = `oauth client add client-${made} --scopes resources.read,chunks.read ${flags}`;
  return ((await db.json(line)) as { data: Client }).data;
}

const addUser = (db: CliDatabase, name: string, ...flags: string[]) =>
  db.run(['user', 'add', name, '--password-stdin', ...flags], { stdin: passwordOf(name) });

async function post(site: TestSite, path: string, form: Readonly<Record<string, string>>, headers = {}) {
  const body = new URLSearchParams(form).toString();
  const init = { method: 'POST', headers: { 'content-type': type, ...headers }, body };
  const response = await fetch(`${site.url}/api/v1${path}`, init);
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

const only = ({ client_id, client_secret }: Client) => ({ client_id, client_secret });

const ask = (site: TestSite, client: Client, form: Readonly<Record<string, string>> = {}) =>
  post(site, '/auth/token', {
    ...{ grant_type: 'password', username: 'rowan', password: passwordOf(form['username'] ?? 'rowan') },
    ...{ ...only(client), ...form },
  });

const bearer = (token: unknown) => ({ headers: { authorization: `Bearer ${String(token)}` } });

const forget = (site: TestSite) =>
  site.store.own.write((tx) => tx.run({ sql: 'DELETE FROM hcd_rate_counters', params: [] }));

const byTables = [
  ['deactivated', 'UPDATE modx_users SET active = 0 WHERE username = ?'],
  [
    'blocked',
    'UPDATE modx_user_attributes SET blocked = 1 WHERE internalKey = (SELECT id FROM modx_users WHERE username = ?)',
  ],
  ['given another password by the CMS', "UPDATE modx_users SET password = 'other' WHERE username = ?"],
  ['removed', 'DELETE FROM modx_users WHERE username = ?'],
] as const;
const names = ['rowan', 'away', 'Locked Out', 'lost', 'leaver', ...byTables.map(([name]) => name)];

describeEachDatabase('the grant password', (database) => {
  let db: CliDatabase;
  let site: TestSite;
  let client: Client;
  const clock = movableClock();

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url(), async (store) => {
      const users = names.map((username, at) => userRow({ id: 11 + at, username }));
      await seed(store, {
        // With hashes of the lowest cost, which is then that of every log-in.
        users: [...users, { ...userRow({ id: 10, username: 'imke' }), password: hashSync(letters, 4) }],
        user_attributes: users.map(({ id }) => ({ internalKey: id ?? 0, address: '', comment: '' })),
        site_content: [
          { id: 1, pagetitle: 'Home', uri: 'home' },
          { id: 2, pagetitle: 'Members', uri: 'members' },
        ],
        // The second page is for the group of the user alone.
        documentgroup_names: [{ id: 1, name: 'Members' }],
        document_groups: [{ document_group: 1, document: 2 }],
        access_resource_groups: [accessRule('1', { principal: 111, policy: 4, context_key: 'web' })],
      });
      const rights = ['load', 'list', 'view', 'resources.read'];
      await grant(store, Object.fromEntries(users.map(({ id }) => [Number(id), rights])));
    });
    client = await addClient(db);
    site = await startTestSite({ databaseUrl: db.url, clock, env: on });
  });

  beforeEach(() => forget(site));

  it('gives a token with the rights of the user on the content and the scopes that were granted', async () => {
    const { status, headers, body } = await ask(site, client, { scope: 'resources.read templates.read' });
    const members = {
      access_token: expect.stringMatching(/^gt_[0-9a-f]{16}_[0-9A-Za-z]{49}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'resources.read',
    };
    expect([status, body]).toEqual([200, { data: members, meta: {}, ...members }]);
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    const titles = async (token: unknown) => {
      const list = await site.get('/resources?sort=id', bearer(token));
      return (list.body['data'] as { pagetitle: string }[]).map(({ pagetitle }) => pagetitle);
    };
    expect(await titles(body.access_token)).toEqual(['Home', 'Members']);
    const own = await post(site, '/auth/token', { grant_type: 'client_credentials', ...only(client) });
    expect(await titles(own.body.access_token)).toEqual(['Home']);
    expect((await site.get('/chunks', bearer(body.access_token))).status).toBe(403);
  });

  it('takes JSON and HTTP Basic, and every letter of a password', async () => {
    const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
    const response = await fetch(`${site.url}/api/v1/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${basic}` },
      body: JSON.stringify({ grant_type: 'password', username: 'imke', password: letters }),
    });
    expect(response.status).toBe(200);
    expect((await ask(site, client, { username: 'imke', password: letters })).status).toBe(200);
    expect((await ask(site, client, { username: 'imke', password: letters.trim() })).status).toBe(400);
  });

  it('tells introspection and the list of tokens whose token it is', async () => {
    const { body } = await ask(site, client);
    const token = String(body.access_token);
    const { body: view } = await post(site, '/auth/introspect', { token, ...only(client) });
    expect(view).toMatchObject({ active: true, sub: '11', client_id: client.client_id });
    const list = (await db.json(`oauth token list --client ${client.client_id}`, { clock })) as {
      data: { token_id: string; user: string }[];
    };
    expect(list.data.find(({ token_id }) => token_id === token.slice(3, 19))?.user).toBe('rowan');
  });

  test.each(byTables)('ends within a second when the user was %s', async (name, sql) => {
    const { body } = await ask(site, client, { username: name });
    const token = body.access_token;
    expect((await site.get('/resources', bearer(token))).status).toBe(200);
    await site.store.content.write((tx) => tx.run({ sql, params: [name] }));
    expect(await lastGood(() => site.get('/resources', bearer(token)))).toBeLessThan(1000);
    const { body: view } = await post(site, '/auth/introspect', { token, ...only(client) });
    expect(view).toEqual({ data: { active: false }, meta: {}, active: false });
    expect((await ask(site, client, { username: name })).body.error).toBe('invalid_grant');
  });

  it('refuses unknown and inactive users and wrong passwords with one answer', async () => {
    await site.change(["UPDATE modx_users SET active = 0 WHERE username = 'away'"]);
    const answers = await Promise.all(
      [{ username: 'nobody' }, { username: 'away' }, { password: 'not this one' }, { username: '\u0130' }].map(
        async (form) => {
          const { status, headers, body } = await ask(site, client, form);
          const { request_id, ...rest } = body;
          expect([typeof request_id, headers.get('www-authenticate')]).toEqual(['string', null]);
          return [status, rest];
        },
      ),
    );
    const problem = 'The user is unknown or may not log in, or the password is wrong';
    const code = 'invalid_grant';
    const members = { status: 400, code, error: code, detail: problem, error_description: problem };
    const about = { type: '/api/v1/problems/invalid-grant', title: 'Bad Request', instance: '/api/v1/auth/token' };
    expect(answers).toEqual(answers.map(() => [400, { ...about, ...members }]));
  });

  it('is 429 with Retry-After after five failures at one user, over two servers, however the name is written', async () => {
    const other = await startTestSite({ databaseUrl: db.url, clock, env: on });
    const statuses: number[] = [];
    for (const [at, username] of ['rowan', 'ROWAN', 'Rowan', 'rowan', 'rowan', 'rowan', 'rowaN'].entries()) {
      statuses.push((await ask(at % 2 ? other : site, client, { username, password: `guess ${at}` })).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
    const { status, headers, body } = await ask(other, client);
    expect([status, headers.get('cache-control')]).toEqual([429, 'no-store']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    // A quarter of an hour, less the time of this test, which ends after ten minutes.
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(300);
    const detail = 'Too many failed attempts; wait for the seconds in Retry-After';
    const about = { type: '/api/v1/problems/rate-limited', title: 'Too Many Requests', instance: '/api/v1/auth/token' };
    const members = { status: 429, code: 'rate_limited', detail, request_id: headers.get('x-request-id') };
    const error = { error: 'temporarily_unavailable', error_description: detail };
    expect(body).toEqual({ ...about, ...members, ...error });
    // The window ends by the clock of the database.
    await site.store.own.write((tx) => tx.run({ sql: 'UPDATE hcd_rate_counters SET ends_on = 1', params: [] }));
    expect((await ask(site, client)).status).toBe(200);
    await other.close();
  });

  it('forgets failures after a log-in', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 4; count += 1) {
        expect((await ask(site, client, { password: `guess ${count}` })).status).toBe(400);
      }
      expect((await ask(site, client)).status).toBe(200);
    }
  });

  it('is 503 without the count, never unlimited, and works again when the count is back', async () => {
    await site.change(['ALTER TABLE hcd_rate_counters RENAME TO hcd_rate_counters_away']);
    const started = systemClock.elapsed();
    for (const form of [{}, { password: 'a guess' }, { client_secret: 'a guess' }]) {
      const { status, headers, body } = await ask(site, client, form);
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '5', 'unavailable']);
    }
    expect(systemClock.elapsed() - started).toBeLessThan(5000);
    await site.change(['ALTER TABLE hcd_rate_counters_away RENAME TO hcd_rate_counters']);
    expect((await ask(site, client)).status).toBe(200);
  });

  it('has the rate limit of the client on each of its tokens', async () => {
    const busy = await addClient(db, '--grants client_credentials,password --rate-limit 3 --rate-window 30');
    const limited = await startTestSite({
      databaseUrl: db.url,
      clock,
      env: { ...on, HCD_GATEWAY_RATE_LIMIT_ENABLED: '1' },
    });
    for (const form of [{}, { grant_type: 'client_credentials' }]) {
      const { body } = await ask(limited, busy, form);
      const seen: unknown[] = [];
      for (let count = 0; count < 4; count += 1) {
        const { status, headers } = await limited.get('/resources', bearer(body.access_token));
        seen.push(status, headers.get('x-ratelimit-limit'));
      }
      expect(seen).toEqual([200, '3', 200, '3', 200, '3', 429, '3']);
    }
    await limited.close();
  });

  // Commands make hashes of the usual cost, which is that of every log-in from then on.
  test.each([
    ['another password', 'lost', ['user', 'passwd', 'lost', '--password-stdin']],
    ['removal', 'leaver', ['user', 'remove', 'leaver', '--yes']],
  ])('ends with %s by command', async (_name, username, words) => {
    const { body } = await ask(site, client, { username });
    expect((await site.get('/resources', bearer(body.access_token))).status).toBe(200);
    expect((await db.run(words, { stdin: 'another long one', clock })).code).toBe(0);
    clock.forward(1000);
    expect((await site.get('/resources', bearer(body.access_token))).status).toBe(401);
    expect((await ask(site, client, { username })).body.error).toBe('invalid_grant');
  });

  it('is open again to a user who was locked out once a command sets another password', async () => {
    const form = { username: 'Locked Out', password: 'larkfell in the sun' };
    for (let count = 0; count < 6; count += 1) await ask(site, client, form);
    expect((await ask(site, client, form)).status).toBe(429);
    const words = ['user', 'passwd', 'Locked Out', '--password-stdin'];
    expect((await db.run(words, { stdin: form.password })).code).toBe(0);
    expect((await ask(site, client, form)).status).toBe(200);
  });
});

describe('the grant password', () => {
  it('is offered by the metadata while it is on, at once when it is switched', async () => {
    const db = await prepareCliDatabase(await freshSqliteUrl());
    const site = await startTestSite({ databaseUrl: db.url, env: { HCD_GATEWAY_OAUTH_ENABLED: '1' } });
    const grants = async () => {
      const answer = await fetch(`${site.url}/.well-known/oauth-authorization-server`);
      return ((await answer.json()) as { grant_types_supported: unknown }).grant_types_supported;
    };
    const client = await addClient(db);
    await addUser(db, 'rowan');
    expect(await grants()).toEqual(['client_credentials']);
    expect((await ask(site, client)).body).toMatchObject({
      error: 'unsupported_grant_type',
      error_description: 'The password grant is disabled',
    });
    await db.run('setting set gateway_oauth_password_grant_enabled 1');
    await site.live.refresh();
    expect(await grants()).toEqual(['client_credentials', 'password']);
    expect((await ask(site, client)).status).toBe(200);
  });
});

describe('clients that guess', () => {
  it('are throttled alike, known and unknown, and the client works from another address', async () => {
    const db = await prepareCliDatabase(await freshSqliteUrl());
    const site = await startTestSite({ databaseUrl: db.url, env: { ...on, HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' } });
    const client = await addClient(db);
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const grant = { grant_type: 'client_credentials' };
    const guess = (clientId: string, address: string, path = '/auth/token', secret = 'a guess') =>
      post(site, path, { ...grant, token: 'x', client_id: clientId, client_secret: secret }, from(address));
    for (const clientId of [client.client_id, 'nobody']) {
      const statuses: number[] = [];
      for (let count = 0; count < 8; count += 1) {
        const path = ['/auth/token', '/auth/revoke', '/auth/introspect'][count % 3];
        statuses.push((await guess(clientId, '192.0.2.1', path)).status);
      }
      expect([clientId, statuses]).toEqual([clientId, [400, 400, 400, 400, 400, 429, 429, 429]]);
    }
    const right = (address: string) => guess(client.client_id, address, '/auth/token', client.client_secret);
    expect((await right('192.0.2.1')).status).toBe(429);
    expect((await right('192.0.2.2')).status).toBe(200);
    // Whatever the ids are, an address has fifty failures: ten so far.
    const many: number[] = [];
    for (let count = 0; count < 42; count += 1) many.push((await guess(`client ${count}`, '192.0.2.1')).status);
    expect([many.filter((status) => status === 400).length, many.at(-1)]).toEqual([40, 429]);
    expect((await guess('somebody new', '192.0.2.9')).status).toBe(400);
  });

  it('share a count within a block of IPv6 addresses', async () => {
    const db = await prepareCliDatabase(await freshSqliteUrl());
    const site = await startTestSite({ databaseUrl: db.url, env: { ...on, HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' } });
    const client = await addClient(db);
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      const form = { grant_type: 'client_credentials', ...only(client), client_secret: 'a guess' };
      const headers = { 'x-forwarded-for': `2001:db8:1:2:${count}::${count}` };
      statuses.push((await post(site, '/auth/token', form, headers)).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
  });

  it('of whom there are twenty with the right secret at once all get in', async () => {
    const db = await prepareCliDatabase(await freshSqliteUrl());
    const site = await startTestSite({ databaseUrl: db.url, env: on });
    const client = await addClient(db);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        post(site, '/auth/token', { grant_type: 'client_credentials', ...only(client) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

describeWithFixture('users of an existing site', () => {
  let db: CliDatabase;
  let site: TestSite;
  let client: Client;
  const theirs = 'fixture-Pass-1';

  beforeAll(async () => {
    db = await prepareCliDatabase(await loadFixture());
    client = await addClient(db);
    site = await startTestSite({ databaseUrl: db.url, env: on });
  });

  beforeEach(() => forget(site));

  test.each([
    ['admin', 'PBKDF2', 200],
    ['editor', 'PBKDF2', 200],
    ['developer', 'PBKDF2, inactive', 400],
    ['admin2', 'bcrypt', 200],
    ['shopmanager', 'bcrypt', 200],
    ['nobody', 'unknown', 400],
  ])('%s (%s) logs in with the password that the CMS keeps: %s', async (username, _scheme, expected) => {
    const { status, body } = await ask(site, client, { username, password: theirs });
    expect(status).toBe(expected);
    if (status === 200) expect((await site.get('/resources', bearer(body.access_token))).status).toBe(200);
    expect((await ask(site, client, { username, password: 'fixture-Pass-2' })).status).toBe(400);
  });

  it('are seen with the rights that the site gives them: what anonymous callers read is not theirs', async () => {
    const read = async (token?: string) =>
      (await site.get('/resources/1', token === undefined ? {} : bearer(token))).status;
    const editor = await ask(site, client, { username: 'editor', password: theirs });
    expect([await read(), await read(editor.body.access_token)]).toEqual([200, 404]);
  });

  it('keep their hashes as they are when they log in', async () => {
    const hashes = () =>
      site.store.content.select({ sql: 'SELECT password, hash_class, salt FROM modx_users ORDER BY id', params: [] });
    const before = await hashes();
    for (const username of ['admin', 'admin2']) await ask(site, client, { username, password: theirs });
    expect(await hashes()).toEqual(before);
  });

  it('get passwords by command that PHP verifies, and new users are users of the CMS', async () => {
    expect((await db.run('user passwd editor --password-stdin', { stdin: 'Ещё один пароль' })).code).toBe(0);
    expect((await addUser(db, 'Новый', '--permissions', 'resources.read')).code).toBe(0);
    const rows = await site.store.content.select({
      sql: "SELECT username, password, hash_class, salt, class_key, active, sudo FROM modx_users WHERE username IN ('editor', 'Новый') ORDER BY id",
      params: [],
    });
    const hash = expect.stringMatching(/^\$2y\$12\$[./A-Za-z0-9]{53}$/);
    const native = 'MODX\\Revolution\\Hashing\\modNative';
    const user = 'MODX\\Revolution\\modUser';
    expect(rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)))).toEqual([
      ['editor', hash, native, '', user, 1, 0],
      ['Новый', hash, native, '', user, 1, 0],
    ]);
    expect((await ask(site, client, { username: 'editor', password: 'Ещё один пароль' })).status).toBe(200);
    expect((await ask(site, client, { username: 'editor', password: theirs })).status).toBe(400);
    expect((await ask(site, client, { username: 'Новый' })).status).toBe(200);
  });
});
