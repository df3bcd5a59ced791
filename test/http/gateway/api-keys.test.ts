/** API keys end to end: made by the command, presented over HTTP, revoked by another process; also on an existing site. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { createCredential, parseCredential } from '../../../src/crypto/credential-text.js';
import type { Store } from '../../../src/store/open/open.js';
import { recordReads } from '../../identity/keys/key-store.js';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { lastGood, movableClock } from '../../support/clock.js';
import {
  describeEachDatabase,
  describeWithOwnMariadb,
  executeOnMariadb,
  freshSqliteUrl,
  startMariadb,
} from '../../support/databases.js';
import { describeWithFixture, loadFixture, readFixtureJson } from '../../support/fixture.js';
import { sendRaw } from '../../support/raw-socket.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

interface Made {
  readonly id: number;
  readonly key: string;
  readonly lookup_id: string;
}

const wrong = { status: 401, detail: 'Invalid or revoked credentials', code: 'invalid_token' };

async function make(db: CliDatabase, flags: string): Promise<Made> {
  const { data } = (await db.json(`key create ${flags}`, { clock: systemClock })) as { data: Made };
  return data;
}

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

describeEachDatabase('API keys over HTTP', (database) => {
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
    site = await startTestSite({ databaseUrl: db.url, clock });
  });

  it('works in the next request, on the routes of its scopes only', async () => {
    const { key, lookup_id } = await make(db, '--scopes resources.read');
    const got = await site.get('/resources/1?fields=id,pagetitle', bearer(key));
    expect([got.status, got.body]).toEqual([200, { data: { id: 1, pagetitle: 'Home' }, meta: {} }]);
    expect(got.headers.get('cache-control')).toBe('private, no-store, no-transform');

    const denied = await site.get('/chunks', bearer(key));
    expect([denied.status, denied.body['code']]).toEqual([403, 'scope_denied']);
    const preview = await site.get('/resources/2?preview=true', bearer(key));
    expect([preview.status, preview.body['code']]).toEqual([403, 'scope_denied']);
    expect(site.log.at(-1)).toMatchObject({ identity: 'api_key', identityId: lookup_id });
  });

  it('gives one answer to whatever is wrong with a key, on public routes too', async () => {
    const { id, key } = await make(db, '--scopes resources.read');
    const { key: other } = await make(db, '--scopes resources.read');
    const revoked = await make(db, '--scopes resources.read');
    await db.run(`key revoke ${revoked.id} --yes`, { clock: systemClock });
    await db.json(`key rotate ${id} --yes`, { clock: systemClock });
    const mistyped = other.slice(0, 30) + (other[30] === 'x' ? 'y' : 'x') + other.slice(31);
    for (const text of [mistyped, revoked.key, key, other.slice(0, -1), 'gk_0123456789abcdef_x', 'x']) {
      for (const path of ['/resources', '/chunks']) {
        const { status, body, headers } = await site.get(path, bearer(text));
        expect({ status, detail: body['detail'], code: body['code'] }).toEqual(wrong);
        expect(headers.get('www-authenticate')).toBe('Bearer');
      }
    }
  });

  it('is refused within a second after a command revoked it', async () => {
    const { id, key } = await make(db, '--scopes resources.read');
    expect((await site.get('/resources', bearer(key))).status).toBe(200);
    expect((await db.run(`key revoke ${id} --yes`, { clock: systemClock })).code).toBe(0);
    expect(await lastGood(() => site.get('/resources', bearer(key)))).toBeLessThan(1000);
    expect((await site.get('/resources', bearer(key))).status).toBe(401);
  });

  it('ends at its time', async () => {
    const { key } = await make(db, '--scopes resources.read --expires 90d');
    expect((await site.get('/resources', bearer(key))).status).toBe(200);
    clock.forward(90 * 86_400_000);
    expect((await site.get('/resources', bearer(key))).status).toBe(401);
  });

  it('shows its last use in the list', async () => {
    const { id, key } = await make(db, '--scopes resources.read');
    await site.get('/resources', bearer(key));
    const shown = async () => ((await db.json(`key show ${id}`)) as { data: Record<string, unknown> }).data;
    await expect.poll(async () => (await shown())['last_used_on']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('has its last use written when the server ends', async () => {
    const { id, key } = await make(db, '--scopes resources.read');
    const short = await startTestSite({ databaseUrl: db.url });
    expect((await short.get('/resources', bearer(key))).status).toBe(200);
    await short.close();
    expect(await db.json(`key show ${id}`)).toMatchObject({ data: { last_used_on: expect.stringMatching(/Z$/) } });
  });

  it('works on a copy of the database, under another root secret', async () => {
    const { key } = await make(db, '--scopes resources.read');
    const target = await freshSqliteUrl();
    const copied = await db.run(`db copy --from ${db.url} --to ${target} --yes`, { clock: systemClock });
    expect([copied.code, copied.stderr]).toEqual([0, expect.any(String)]);
    const copy = await startTestSite({ databaseUrl: target, secret: 'another secret, and long enough too' });
    expect((await copy.get('/resources/1', bearer(key))).status).toBe(200);
    expect((await copy.get('/resources/1', bearer(createCredential('gk').text))).status).toBe(401);
  });

  it('is nowhere to be found but where it was shown', async () => {
    const made: Made[] = [];
    for (let count = 0; count < 20; count += 1)
      made.push(await make(db, `--scopes chunks.read --name canary-${count}`));
    for (const { id, key } of made.slice(0, 10)) {
      await site.get('/chunks', bearer(key));
      await site.get('/resources', { headers: { 'x-api-key': key } });
      const { data } = (await db.json(`key rotate ${id} --overlap 1d`, { clock: systemClock })) as { data: Made };
      made.push(data);
    }
    const [table, json, show] = [
      await db.run('key list', { terminal: { columns: 400 } }),
      await db.run('key list --json'),
      await db.run(`key show ${made[0]?.lookup_id}`),
    ];
    const revoked = await db.run(`key revoke ${made[1]?.id} --json --yes`);
    const rows = await site.store.own.select({ sql: 'SELECT * FROM hcd_api_keys', params: [] });
    const everything = [
      JSON.stringify([table, json, show, revoked, rows]),
      JSON.stringify(site.log),
      ...(await filesOf(site.store, db.url)),
    ];
    expect(everything.every((text) => text.length > 0)).toBe(true);
    for (const { key, lookup_id } of made) {
      expect(everything[0]).toContain(lookup_id);
      const secret = key.slice(20);
      expect(everything.filter((text) => text.includes(secret) || text.includes(secret.slice(0, 20)))).toEqual([]);
    }
  });

  it('answers 2,000 malformed credentials with 401 or 400 and asks the key table nothing', async () => {
    const reads = recordReads(site.store);
    const { key } = await make(db, '--scopes chunks.read');
    const values = [...oddValues(key), ...randomValues(key, 2000)];
    expect(values.length).toBeGreaterThanOrEqual(2000);
    const { port } = new URL(site.url);
    const answers = new Map<number, number>();
    for (let at = 0; at < values.length; at += 50) {
      await Promise.all(
        values.slice(at, at + 50).map(async (lines) => {
          const head = `GET /api/v1/chunks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n\r\n`;
          const answer = await sendRaw({ port: Number(port), bytes: Buffer.from(head, 'latin1') });
          answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
          if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        }),
      );
    }
    expect([...answers.keys()].filter((status) => status !== 401 && status !== 400)).toEqual([]);
    expect(answers.get(401)).toBeGreaterThan(1000);
    expect(reads).toEqual([]);
    expect((await site.get('/chunks', bearer(key))).status).toBe(200);
    expect(reads.length).toBe(1);
  });
});

/** The bytes of a SQLite database and its log; nothing for MariaDB, whose rows are looked at instead. */
async function filesOf({ own }: Store, url: string): Promise<string[]> {
  if (own.dialect !== 'sqlite') return [];
  const folder = dirname(url.slice('sqlite:'.length));
  const names = (await readdir(folder)).filter((name) => name.startsWith('test.sqlite') && !name.endsWith('-shm'));
  return Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
}

/** Header lines as people and broken clients write them. */
function oddValues(key: string): string[] {
  const scheme = (value: string) => `Authorization: ${value}`;
  return [
    ...['', 'Bearer', 'Bearer ', 'bearer', 'BEARER\t', 'Bearer  ', `Bearer${key}`, key, `Token ${key}`].map(scheme),
    ...[`Bearer ${key} ${key}`, `Bearer ${key}, Bearer ${key}`, `Bearer ${key};`, `Bearer "${key}"`].map(scheme),
    ...[`Bearer ${key.toUpperCase()}`, `Bearer ${key.slice(0, -1)}`, `Bearer ${key}0`, `Bearer ${key}\t0`].map(scheme),
    ...[`Bearer ${'a'.repeat(8192)}`, `Bearer ${key}${' '.repeat(4000)}x`, 'Bearer null', 'Bearer gk__'].map(scheme),
    ...['Bearer \u0001', `Bearer ${key}\u0000`, `Bearer ${key}\u007f`, 'Bearer \u00e9\u00ff', 'Basic'].map(scheme),
    'Authorization: Bearer x\r\nAuthorization: Bearer y',
    `Authorization: Bearer x\r\nAuthorization: Bearer ${key}`,
    `Authorization: Bearer x\r\nX-API-Key: ${key}`,
    'X-API-Key: ',
    'X-API-Key: x\r\nX-API-Key: y',
    `X-API-Key: ${key}\r\nX-API-Key: ${key}`,
    `X-API-Key: Bearer ${key}`,
  ];
}

function randomValues(key: string, count: number): string[] {
  const noise = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
  const broken = fc
    .tuple(fc.nat(key.length - 1), fc.constantFrom('', '_', '0', 'z', '-', ' ', 'gk_', key))
    .map(([at, piece]) => key.slice(0, at) + piece + key.slice(at + 1))
    .filter((text) => parseCredential(text.trim()) === null);
  const value = fc.oneof(
    broken,
    noise,
    fc.tuple(broken, noise).map((parts) => parts.join('')),
  );
  const line = fc.tuple(fc.constantFrom('Authorization: Bearer ', 'Authorization: bearer  ', 'X-API-Key: '), value);
  return fc.sample(
    line.filter(([, text]) => parseCredential(text.trim()) === null).map((parts) => parts.join('')),
    { numRuns: count },
  );
}

describeWithOwnMariadb('API keys while the database is down', () => {
  it('are neither accepted nor refused, and work again afterwards', async () => {
    const server = await startMariadb();
    await executeOnMariadb(server.url, ['CREATE DATABASE site']);
    const db = await prepareCliDatabase(`${server.url}/site`);
    const clock = movableClock();
    const site = await startTestSite({ databaseUrl: db.url, clock });
    const { key } = await make(db, '--scopes chunks.read');
    expect((await site.get('/schema', bearer(key))).status).toBe(200);
    await server.kill();
    clock.forward(1000);
    const { status, headers, body } = await site.get('/schema', bearer(key));
    expect([status, body['code']]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    await server.restart();
    await expect.poll(async () => (await site.get('/schema', bearer(key))).status, { interval: 100 }).toBe(200);
  });
});

interface ExpectedIdentity {
  readonly user: string;
  readonly user_id: number;
  readonly context_load: Readonly<Record<string, boolean>>;
  readonly resources: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
}

describeWithFixture('API keys on an existing site', () => {
  let db: CliDatabase;
  let site: TestSite;
  let expected: readonly ExpectedIdentity[];

  beforeAll(async () => {
    db = await prepareCliDatabase(await loadFixture());
    site = await startTestSite({ databaseUrl: db.url });
    expected = ((await readFixtureJson('expected-acl.json')) as { identities: ExpectedIdentity[] }).identities;
  });

  const statuses = async (one: ExpectedIdentity, key: string): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    for (const id of Object.keys(one.resources)) {
      found[id] = (await site.get(`/resources/${id}`, bearer(key))).status;
    }
    return found;
  };
  const rightsOf = (one: ExpectedIdentity): Record<string, number> =>
    Object.fromEntries(
      Object.entries(one.resources).map(([id, rights]) => [id, rights['load'] && rights['view'] ? 200 : 404]),
    );

  it('without a user read what anonymous callers may read', async () => {
    const anonymous = expected.find((one) => one.user_id === 0);
    const { key } = await make(db, '--scopes resources.read');
    if (anonymous === undefined) throw new Error('the fixture has no anonymous identity');
    expect(await statuses(anonymous, key)).toEqual(rightsOf(anonymous));
  });

  it('of a user read exactly what the CMS lets that user read', async () => {
    const users = expected.filter((one) => one.user_id !== 0 && one.user !== 'developer');
    expect(users.map((one) => one.user)).toEqual(['admin', 'editor', 'admin2', 'shopmanager']);
    for (const one of users) {
      const { key } = await make(db, `--scopes resources.read --user ${one.user}`);
      expect([one.user, await statuses(one, key)]).toEqual([one.user, rightsOf(one)]);
    }
  });

  it('cannot be made for an inactive or unknown user', async () => {
    expect(await db.run('key create --scopes resources.read --user developer')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'hcd: The user developer is inactive: the key would never work\n',
    });
    expect(await db.run('key create --scopes resources.read --user Admin')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('hcd: --user Admin: no user has this name; hcd user list shows every user\n'),
    });
  });
});
