/** Sessions of people: log in, look, log out; what the cookie and the token are worth; how a session ends. */
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { sha256Hex } from '../../../src/crypto/primitives.js';
import { removeEndedSessions } from '../../../src/identity/models/sessions.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { foreign, grant, passwordOf, problem, sessionOf, setCookieOf, userRow, Visitor } from './session-visitor.js';

const reading = ['load', 'list', 'view'];
const createdby = 'gateway_fields_createdby';
const noSession = { status: 401, code: 'token_required', detail: 'There is no session: log in' };
describeEachDatabase('sessions', (database) => {
  let url: string;
  let clock: FakeClock;
  let site: TestSite;
  let visitor: Visitor;

  async function start(env: Readonly<Record<string, string>> = {}): Promise<TestSite> {
    return startTestSite({ databaseUrl: url, clock, env: { HCD_GATEWAY_OAUTH_ENABLED: '1', ...env } });
  }

  /** Changes our own tables behind the server's back, as time does. */
  async function run(sql: string): Promise<void> {
    await site.store.own.write((tx) => tx.run({ sql, params: [] }));
    // What was seen a moment ago is believed for less than a second.
    await clock.advance(1000);
  }

  beforeAll(async () => {
    url = await database.url();
    clock = fakeClock();
    site = await start();
    await seed(site.store, {
      site_content: [
        { id: 1, pagetitle: 'Home' },
        { id: 2, pagetitle: 'Draft', published: 0 },
      ],
      site_htmlsnippets: [{ id: 1, name: 'one' }],
      users: [
        userRow({ id: 11, username: 'editor' }),
        userRow({ id: 12, username: 'chief', sudo: 1 }),
        userRow({ id: 13, username: 'guest' }),
        userRow({ id: 14, username: 'gone' }),
        userRow({ id: 16, username: 'guessed' }),
      ],
    });
    await grant(site.store, {
      11: [...reading, ...'resources.read resources.update chunks.read view_unpublished'.split(' '), createdby],
      13: reading,
      14: [...reading, 'chunks.read'],
    });
    await site.live.refresh();
  });

  beforeEach(() => {
    visitor = new Visitor(site);
  });

  describe('logging in', () => {
    test('gives a cookie that scripts cannot read and a token that they can', async () => {
      const reply = await visitor.logIn('editor');
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({
        data: {
          user: { id: 11, username: 'editor' },
          csrf_token: expect.stringMatching(/^[0-9a-f]{64}$/),
          expires_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          source: 'gateway',
        },
        meta: {},
      });
      expect(setCookieOf(reply)).toMatch(/^hcd_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
      expect(reply.headers.get('x-csrf-token')).toBe(visitor.csrf);
      expect(reply.headers.get('cache-control')).toBe('no-store');
    });

    test('keeps neither id nor token in the database', async () => {
      await visitor.logIn('editor');
      const rows = await site.store.own.select({ sql: 'SELECT * FROM hcd_sessions', params: [] });
      const id = visitor.cookie?.split('=')[1] ?? '';
      const kept = rows.flatMap((row) => row.map(String));
      expect(kept).toContain(sha256Hex(id));
      expect(kept.filter((value) => value.includes(id) || value.includes(visitor.csrf ?? ''))).toEqual([]);
    });

    test('gives a fresh id each time and ends the session that was shown', async () => {
      await visitor.logIn('editor');
      const before = visitor.cookie;
      expect((await visitor.logIn('editor')).status).toBe(200);
      expect(visitor.cookie).not.toBe(before);
      expect((await visitor.ask('/auth/session')).status).toBe(200);
      expect(problem((await visitor.ask('/auth/session', { cookie: before })).body)).toEqual(noSession);
    });

    test('never takes over an id that the visitor brought along', async () => {
      const planted = `hcd_session=${'A'.repeat(43)}`;
      const reply = await visitor.logIn('editor', { cookie: planted });
      expect(reply.status).toBe(200);
      expect(visitor.cookie).not.toBe(planted);
      expect((await visitor.ask('/auth/session', { cookie: planted })).status).toBe(401);
    });

    test('is refused alike for a wrong password and for an unknown user', async () => {
      const refusals = [
        await visitor.logIn('editor', { password: 'wrong' }),
        await visitor.logIn('nobody', { password: 'wrong' }),
      ].map((reply) => ({ ...reply.body, request_id: '', cookie: setCookieOf(reply) }));
      expect(refusals[0]).toMatchObject({ status: 401, code: 'invalid_credentials', cookie: '' });
      expect(refusals[1]).toEqual(refusals[0]);
    });

    test('counts the letters of a name as its table does', async () => {
      const username = '🧀'.repeat(60);
      await seed(site.store, { users: [userRow({ id: 18, username })] });
      expect((await visitor.logIn(username)).status).toBe(200);
    });

    test('is 429 after five wrong passwords, for the right one too', async () => {
      const statuses: number[] = [];
      for (let guess = 0; guess < 5; guess += 1) {
        statuses.push((await visitor.logIn('guessed', { password: 'wrong' })).status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401]);
      const refused = await visitor.logIn('guessed');
      expect([refused.status, refused.body['code'], setCookieOf(refused)]).toEqual([429, 'rate_limited', '']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    test.each<[name: string, json: unknown, fields: string[]]>([
      ['nothing in it', {}, ['username', 'password']],
      ['no password', { username: 'editor' }, ['password']],
      ['a number as name', { username: 1, password: 'x' }, ['username']],
      ['an empty name', { username: '', password: 'x' }, ['username']],
      ['a name that is too long', { username: 'x'.repeat(101), password: 'x' }, ['username']],
      ['a password that is too long', { username: 'x', password: 'x'.repeat(1025) }, ['password']],
      ['a member too many', { username: 'x', password: 'x', remember: true }, ['remember']],
      ['a member named like a part of objects', JSON.parse('{"username":"x","password":"x","__proto__":{}}'), ['body']],
      ['a list', ['editor', 'x'], ['body']],
      ['text', 'editor', ['body']],
    ])('is 422 for a body with %s', async (_name, json, fields) => {
      const { status, body } = await visitor.ask('/auth/session', { method: 'POST', json });
      expect([status, Object.keys(body['errors'] as object)]).toEqual([422, fields]);
    });

    test.each([...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']])(
      'takes no body of type %s, which any web page can send',
      async (type) => {
        const json = { username: 'editor', password: passwordOf('editor') };
        const reply = await visitor.ask('/auth/session', { method: 'POST', json, headers: { 'content-type': type } });
        expect([reply.status, setCookieOf(reply)]).toEqual([415, '']);
      },
    );

    test('is refused from a page of another origin, before the body is looked at', async () => {
      const evil = { method: 'POST', json: [], headers: { origin: 'https://evil.example' } };
      expect(problem((await visitor.ask('/auth/session', evil)).body)).toEqual(foreign);
      expect((await visitor.logIn('editor', { headers: { origin: site.url } })).status).toBe(200);
    });
  });

  describe('looking at the session', () => {
    test('shows what the log-in gave, and the token again', async () => {
      const { body } = await visitor.logIn('editor');
      const reply = await visitor.ask('/auth/session', { csrf: null });
      expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body });
      expect(reply.headers.get('x-csrf-token')).toBe(visitor.csrf);
      expect(reply.headers.get('cache-control')).toBe('no-store');
    });

    test('is 401 for a visitor without one, and for a wrong key with one', async () => {
      expect(problem((await visitor.ask('/auth/session')).body)).toEqual(noSession);
      expect(problem((await visitor.ask('/auth/session', { method: 'DELETE' })).body)).toEqual(noSession);
      await visitor.logIn('editor');
      const withKey = await visitor.ask('/auth/session', { headers: { authorization: 'Bearer nothing' } });
      expect(problem(withKey.body)).toMatchObject({ status: 401, code: 'invalid_token' });
    });
  });

  describe('logging out', () => {
    test('ends the session, clears the cookie and leaves the id worthless', async () => {
      await visitor.logIn('editor');
      const reply = await visitor.ask('/auth/session', { method: 'DELETE' });
      expect([reply.status, reply.body]).toEqual([200, { data: { ended: true }, meta: {} }]);
      expect(setCookieOf(reply)).toBe('hcd_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
      expect(problem((await visitor.ask('/auth/session')).body)).toEqual(noSession);
    });

    test('in one process is seen by another within a second', async () => {
      const other = await start();
      await visitor.logIn('editor');
      const elsewhere = new Visitor(other);
      Object.assign(elsewhere, { cookie: visitor.cookie, csrf: visitor.csrf });
      expect(sessionOf(await elsewhere.ask('/auth/session'))).toEqual(sessionOf(await visitor.ask('/auth/session')));
      await visitor.ask('/auth/session', { method: 'DELETE' });
      expect((await visitor.ask('/auth/session')).status).toBe(401);
      await clock.advance(800);
      expect((await elsewhere.ask('/auth/session')).status).toBe(401);
      await other.close();
    });
  });

  describe('what a session may do', () => {
    test('is what the policies of the user say, word for word', async () => {
      await visitor.logIn('editor');
      expect((await visitor.ask('/chunks/1')).status).toBe(200);
      expect((await visitor.ask('/resources/2?preview=true')).status).toBe(200);
      expect((await visitor.ask('/resources/1?fields=createdby')).status).toBe(200);
      expect((await visitor.ask('/resources/1?fields=editedby')).status).toBe(422);
      const needs = 'Insufficient permissions: this request needs the scope';
      const read = await visitor.ask('/templates');
      expect(problem(read.body)).toEqual({ status: 403, code: 'scope_denied', detail: `${needs} templates.read` });
      const made = await visitor.ask('/resources', { method: 'POST', json: { pagetitle: 'New' } });
      expect(problem(made.body)).toEqual({ status: 403, code: 'scope_denied', detail: `${needs} resources.create` });
    });

    test('is little for a user without such words', async () => {
      await visitor.logIn('guest');
      expect((await visitor.ask('/resources/1')).status).toBe(200);
      expect((await visitor.ask('/chunks/1')).status).toBe(403);
      expect((await visitor.ask('/resources/2?preview=true')).status).toBe(403);
      expect((await visitor.ask('/resources?include_deleted=1')).status).toBe(403);
    });

    test('is everything for a sudo user', async () => {
      await visitor.logIn('chief');
      const lists = ['/templates', '/snippets', '/contexts', '/resources?include_deleted=1'];
      for (const path of [...lists, '/resources/2?preview=true'])
        expect((await visitor.ask(path)).status, path).toBe(200);
      expect((await visitor.ask('/resources/1?fields=createdby,editedby,deletedby,publishedby')).status).toBe(200);
    });

    test('changes with the policy while the session is open', async () => {
      await visitor.logIn('guest');
      expect((await visitor.ask('/chunks/1')).status).toBe(403);
      await site.change(['UPDATE modx_access_policies SET data = \'{"load":true,"chunks.read":true}\' WHERE id = 113']);
      expect((await visitor.ask('/chunks/1')).status).toBe(200);
      await site.change([
        'UPDATE modx_access_policies SET data = \'{"load":true,"list":true,"view":true}\' WHERE id = 113',
      ]);
      expect((await visitor.ask('/chunks/1')).status).toBe(403);
    });

    test('is nothing by a rule without a policy or with one that is gone or empty: those open pages only', async () => {
      const member = { principal_class: 'MODX\\Revolution\\modUserGroup', principal: 500, authority: 9999 };
      await site.fill({
        users: [userRow({ id: 17, username: 'member' })],
        membergroup_names: [{ id: 500, name: 'Members' }],
        member_groups: [{ user_group: 500, member: 17, role: 1 }],
        access_policies: [
          { id: 501, name: 'empty text', data: '' },
          { id: 502, name: 'empty list', data: '[]' },
        ],
        access_context: [0, 501, 502, 599].map((policy) => ({ target: 'web', policy, ...member })),
      });
      await visitor.logIn('member');
      expect((await visitor.ask('/resources/1')).status).toBe(200);
      const writes = ['DELETE /resources/1', 'PATCH /resources/1', 'POST /resources'];
      const reads = ['GET /chunks/1', 'GET /resources/2?preview=true', 'GET /resources?include_deleted=1'];
      for (const asked of [...writes, ...reads]) {
        const [method = '', path = ''] = asked.split(' ');
        const json = method === 'GET' || method === 'DELETE' ? undefined : { pagetitle: 'Taken over' };
        const { status, body } = await visitor.ask(path, { method, json });
        expect([method, path, status, body['code']]).toEqual([method, path, 403, 'scope_denied']);
      }
    });

    test('ends with the group', async () => {
      await visitor.logIn('gone');
      expect((await visitor.ask('/chunks/1')).status).toBe(200);
      await site.change(['DELETE FROM modx_member_groups WHERE member = 14']);
      await clock.advance(1000);
      expect((await visitor.ask('/chunks/1')).status).toBe(403);
      await grant(site.store, { 1400: ['load'] });
      await site.change(['INSERT INTO modx_member_groups (user_group, member, role) VALUES (114, 14, 1)']);
    });
  });

  describe('a session ends', () => {
    const set = (change: string) => `UPDATE modx_users SET ${change} WHERE id = 14`;
    const passwordWith = (one: string, other: string) => `password = REPLACE(password, '${one}', '${other}')`;
    const block = "INSERT INTO modx_user_attributes (internalKey, blocked, address, comment) VALUES (14, 1, '', '')";

    test.each([
      ['deactivated', set('active = 0'), set('active = 1')],
      ['blocked', block, 'DELETE FROM modx_user_attributes WHERE internalKey = 14'],
      ['given another password', set(passwordWith('$', '~')), set(passwordWith('~', '$'))],
    ])('within a second when its user is %s, and goes on when that is undone', async (_name, change, undo) => {
      await visitor.logIn('gone');
      expect((await visitor.ask('/auth/session')).status).toBe(200);
      await site.change([change]);
      await clock.advance(800);
      expect(problem((await visitor.ask('/auth/session')).body)).toEqual(noSession);
      await site.change([undo]);
      expect((await visitor.ask('/auth/session')).status).toBe(200);
    });

    test('within a second when its user is removed', async () => {
      await seed(site.store, { users: [userRow({ id: 15, username: 'temporary' })] });
      await visitor.logIn('temporary');
      await site.change(['DELETE FROM modx_users WHERE id = 15']);
      await clock.advance(800);
      expect((await visitor.ask('/auth/session')).status).toBe(401);
    });

    test('two hours after its last use', async () => {
      await visitor.logIn('editor');
      // A minute before, by the clock of the database, which goes on; that it is two hours to the millisecond is shown below.
      await run(`UPDATE hcd_sessions SET last_seen_on = last_seen_on - 7140000, expires_on = expires_on - 7140000`);
      expect((await visitor.ask('/auth/session')).status).toBe(200);
      await visitor.logIn('editor');
      await run(`UPDATE hcd_sessions SET last_seen_on = last_seen_on - 7200001, expires_on = expires_on - 7200001`);
      expect((await visitor.ask('/auth/session')).status).toBe(401);
    });

    /** Milliseconds from the last use to the end, and from the end to the last moment that it may have. */
    async function times(): Promise<{ lastSeenOn: number; untilEnd: number; putOff: number }> {
      const [row = []] = await site.store.own.select({
        sql: 'SELECT last_seen_on, expires_on, ends_on FROM hcd_sessions WHERE id_hash = ?',
        params: [sha256Hex(visitor.cookie?.split('=')[1] ?? '')],
      });
      const [lastSeenOn = 0, expiresOn = 0, endsOn = 0] = row.map(Number);
      return { lastSeenOn, untilEnd: expiresOn - lastSeenOn, putOff: endsOn - expiresOn };
    }

    test('twelve hours after it began, however much it is used', async () => {
      await visitor.logIn('editor');
      await run('UPDATE hcd_sessions SET ends_on = ends_on - 43140000, last_seen_on = last_seen_on - 61000');
      await visitor.ask('/auth/session');
      // Uses are gathered for a second. The end is put off no further than to the minute that is left.
      await clock.advance(1000);
      await expect.poll(async () => (await times()).putOff).toBe(0);
      expect((await times()).untilEnd).toBeLessThanOrEqual(60_000);
      await run('UPDATE hcd_sessions SET expires_on = expires_on - 60000, ends_on = ends_on - 60000');
      expect((await visitor.ask('/auth/session')).status).toBe(401);
    });

    test('later when it is used, which is written at most once a minute', async () => {
      await visitor.logIn('editor');
      const { lastSeenOn } = await times();
      const use = async () => {
        await visitor.ask('/auth/session');
        await clock.advance(2000);
      };
      await run('UPDATE hcd_sessions SET last_seen_on = last_seen_on - 30000, expires_on = expires_on - 30000');
      await use();
      expect((await times()).lastSeenOn).toBe(lastSeenOn - 30_000);
      await run('UPDATE hcd_sessions SET last_seen_on = last_seen_on - 30000, expires_on = expires_on - 30000');
      await use();
      await expect.poll(async () => (await times()).lastSeenOn).toBeGreaterThanOrEqual(lastSeenOn);
      expect((await times()).untilEnd).toBe(7_200_000);
    });

    test('and what has ended is taken away, so many at a time', async () => {
      await site.store.own.write((tx) => tx.run({ sql: 'DELETE FROM hcd_sessions', params: [] }));
      for (let count = 0; count < 3; count += 1) await new Visitor(site).logIn('editor');
      await run('UPDATE hcd_sessions SET expires_on = 1');
      const removed: number[] = [];
      for (let pass = 0; pass < 3; pass += 1) {
        removed.push(await site.store.own.write((tx) => removeEndedSessions(tx, 2)));
      }
      expect(removed).toEqual([2, 1, 0]);
      await visitor.logIn('editor');
      await run('UPDATE hcd_sessions SET expires_on = 1');
      await visitor.logIn('editor');
      const rows = await site.store.own.select({ sql: 'SELECT COUNT(*) FROM hcd_sessions', params: [] });
      expect(Number(rows[0]?.[0])).toBe(1);
    });
  });

  it('tells the log who asked and nothing that opens a session', async () => {
    await visitor.logIn('editor');
    await visitor.ask('/auth/session');
    const text = JSON.stringify(site.log);
    expect(site.log.at(-1)).toMatchObject({ route: '/auth/session', identity: 'session', identityId: '11' });
    expect(text).not.toContain(visitor.cookie?.split('=')[1]);
    expect(text).not.toContain(visitor.csrf);
  });
});
