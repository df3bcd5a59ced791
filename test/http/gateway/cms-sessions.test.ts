/** The log-in of the CMS's manager as a session of the gateway: read from its table, never written there. */
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { Store } from '../../../src/store/open/open.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { describeWithFixture, loadFixture, readFixtureJson } from '../../support/fixture.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { cmsSessionHandler as handler, loggedIn, putSession } from './cms-session.js';
import { grant, sessionOf, setCookieOf, userRow, Visitor } from './session-visitor.js';

const week = 604_800;

async function sessionRows({ content }: Store): Promise<string> {
  const rows = await content.select({ sql: 'SELECT id, access, data FROM modx_session ORDER BY id', params: [] });
  return JSON.stringify(rows);
}

describeEachDatabase('sessions of the CMS', (database) => {
  const clock = fakeClock();
  let site: TestSite;
  let visitor: Visitor;

  const ids = {
    manager: 'managersession00000000001',
    visitor: 'visitorsession00000000001',
    both: 'bothsessions000000000001',
    old: 'oldsession00000000000001',
    damaged: 'damagedsession0000000001',
    gone: 'gonesession000000000001',
  } as const;
  const cookie = (id: string, name = 'PHPSESSID') => `${name}=${id}`;

  async function setting(key: string, value: string): Promise<void> {
    const sql = 'SELECT COUNT(*) FROM modx_system_settings WHERE `key` = ?';
    const found = await site.store.content.select({ sql, params: [key] });
    if (Number(found[0]?.[0]) === 0) await seed(site.store, { system_settings: [{ key, value }] });
    const text = value.replaceAll('\\', database.name === 'mariadb' ? '\\\\' : '\\');
    await site.change([`UPDATE modx_system_settings SET value = '${text}' WHERE \`key\` = '${key}'`]);
  }

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), clock });
    await seed(site.store, {
      site_content: [{ id: 1, pagetitle: 'Home' }],
      site_htmlsnippets: [{ id: 1, name: 'one' }],
      users: [
        userRow({ id: 11, username: 'editor' }),
        userRow({ id: 12, username: 'chief', sudo: 1 }),
        userRow({ id: 13, username: 'customer' }),
      ],
    });
    await grant(site.store, { 11: ['load', 'list', 'view', 'chunks.read'], 13: ['load', 'list', 'view'] });
    await putSession(site.store, { id: ids.manager, data: loggedIn({ mgr: 11 }) });
    await putSession(site.store, { id: ids.visitor, data: loggedIn({}) });
    await putSession(site.store, { id: ids.both, data: loggedIn({ mgr: 12, web: 13 }) });
    await putSession(site.store, { id: ids.old, data: loggedIn({ mgr: 11 }), age: week });
    await putSession(site.store, { id: ids.damaged, data: `${loggedIn({ mgr: 11 })}broken` });
    await putSession(site.store, { id: ids.gone, data: loggedIn({ mgr: 99 }) });
    await setting('session_handler_class', handler);
  });

  beforeEach(() => {
    visitor = new Visitor(site);
  });

  test.each<[name: string, id: string, user: number | null]>([
    ['the manager', ids.manager, 11],
    ['a visitor who is logged in to the website: that one, not the manager', ids.both, 13],
    ['an anonymous visitor', ids.visitor, null],
    ['a session that was not written for a week', ids.old, null],
    ['damaged data', ids.damaged, null],
    ['a user who is gone', ids.gone, null],
    ['an id in other letters', ids.manager.toUpperCase(), null],
    ['an id with a space behind', `${ids.manager}%20`, null],
    ['an unknown id', 'x'.repeat(26), null],
    ['an id longer than the column', 'x'.repeat(192), null],
  ])('%s', async (_name, id, user) => {
    const { status, body } = await visitor.ask('/auth/session', { cookie: cookie(id) });
    const found = status === 200 ? (body['data'] as { user: { id: number } }).user.id : null;
    expect([status, found]).toEqual([user === null ? 401 : 200, user]);
    expect((await visitor.ask('/resources/1?fields=id', { cookie: cookie(id) })).status).toBe(200);
  });

  it('shows the session like one of its own, and has the rights of its user', async () => {
    const reply = await visitor.ask('/auth/session', { cookie: cookie(ids.manager) });
    expect(sessionOf(reply)).toEqual({
      user: { id: 11, username: 'editor' },
      csrf_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      expires_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      source: 'cms',
    });
    expect(reply.headers.get('x-csrf-token')).toBe(sessionOf(reply).csrf_token);
    expect((await visitor.ask('/chunks/1', { cookie: cookie(ids.manager) })).status).toBe(200);
    expect((await visitor.ask('/chunks/1', { cookie: cookie(ids.both) })).status).toBe(403);
  });

  it('asks for the token like one of its own', async () => {
    const chief = cookie('chiefsession000000000001');
    await putSession(site.store, { id: 'chiefsession000000000001', data: loggedIn({ mgr: 12 }) });
    const change = { method: 'POST', cookie: chief, json: { pagetitle: 'By the chief' } };
    expect((await visitor.ask('/resources', change)).body).toMatchObject({ status: 403, detail: 'Invalid CSRF token' });
    const { csrf_token } = sessionOf(await visitor.ask('/auth/session', { cookie: chief }));
    expect((await visitor.ask('/resources', { ...change, csrf: csrf_token })).status).toBe(201);
  });

  it('is not ended here, and its table stays as it is', async () => {
    const before = await sessionRows(site.store);
    const asked = { cookie: cookie(ids.manager) };
    const { csrf_token } = sessionOf(await visitor.ask('/auth/session', asked));
    const reply = await visitor.ask('/auth/session', { ...asked, method: 'DELETE', csrf: csrf_token });
    const refused = [409, 'The session belongs to the CMS: log out there', ''];
    expect([reply.status, reply.body['detail'], setCookieOf(reply)]).toEqual(refused);
    expect((await visitor.ask('/auth/session', asked)).status).toBe(200);
    expect(await sessionRows(site.store)).toBe(before);
  });

  it('ends within a second of the log-out there', async () => {
    await putSession(site.store, { id: 'shortsession00000000001', data: loggedIn({ mgr: 11 }) });
    const asked = { cookie: cookie('shortsession00000000001') };
    expect((await visitor.ask('/auth/session', asked)).status).toBe(200);
    await site.change([`UPDATE modx_session SET data = '${loggedIn({})}' WHERE id = 'shortsession00000000001'`]);
    await clock.advance(800);
    expect((await visitor.ask('/auth/session', asked)).status).toBe(401);
  });

  it('steps back behind a log-in at the gateway, and is there again after the log-out', async () => {
    await visitor.logIn('customer', { cookie: cookie(ids.manager) });
    const both = `${visitor.cookie}; ${cookie(ids.manager)}`;
    expect(sessionOf(await visitor.ask('/auth/session', { cookie: both })).user.username).toBe('customer');
    expect((await visitor.ask('/auth/session', { method: 'DELETE', cookie: both })).status).toBe(200);
    expect(sessionOf(await visitor.ask('/auth/session', { cookie: both })).user.username).toBe('editor');
  });

  describe('follows the settings of the CMS', () => {
    const asked = { cookie: cookie(ids.manager) };

    test.each([
      ['sessions in files', '', 401],
      ['the handler of version 2', 'modSessionHandler', 200],
      ['another handler', 'MODX\\Revolution\\modOtherHandler', 401],
    ])('with %s', async (_name, value, status) => {
      await setting('session_handler_class', value);
      expect((await visitor.ask('/auth/session', asked)).status).toBe(status);
      await setting('session_handler_class', handler);
    });

    test('with another name of the cookie', async () => {
      await setting('session_name', 'larkfell');
      expect((await visitor.ask('/auth/session', asked)).status).toBe(401);
      expect((await visitor.ask('/auth/session', { cookie: cookie(ids.manager, 'larkfell') })).status).toBe(200);
      await setting('session_name', '');
      expect((await visitor.ask('/auth/session', asked)).status).toBe(200);
    });

    test('with a life in seconds that no session has', async () => {
      for (const value of ['9007199254740991', '99999999999999999999', '-1', '0', '1.5', 'two weeks']) {
        await setting('session_gc_maxlifetime', value);
        await clock.advance(1000);
        const reply = await visitor.ask('/auth/session', asked);
        expect(reply.status, value).toBe(200);
        expect(Date.parse(sessionOf(reply).expires_on)).toBeGreaterThan(0);
      }
      await setting('session_gc_maxlifetime', '');
    });

    test('with a shorter life', async () => {
      await putSession(site.store, { id: 'hourssession00000000001', data: loggedIn({ mgr: 11 }), age: 3600 });
      const old = { cookie: cookie('hourssession00000000001') };
      await setting('session_gc_maxlifetime', '3600');
      expect((await visitor.ask('/auth/session', old)).status).toBe(401);
      await setting('session_gc_maxlifetime', '7200');
      expect((await visitor.ask('/auth/session', old)).status).toBe(200);
    });
  });
});

interface Sample {
  readonly id: string;
  readonly data: string;
  readonly context_tokens: Readonly<Record<string, number>>;
}

interface ExpectedIdentity {
  readonly user_id: number;
  readonly context_load: Readonly<Record<string, boolean>>;
  readonly resources: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
}

describeWithFixture('sessions that a running CMS wrote', () => {
  let site: TestSite;
  let samples: readonly Sample[];

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await loadFixture(), clock: fakeClock() });
    samples = ((await readFixtureJson('session-samples.json')) as { sessions: Sample[] }).sessions;
    for (const { id, data } of samples) await putSession(site.store, { id, data });
  });

  it('are the users that it had logged in', async () => {
    const { content } = site.store;
    const before = await sessionRows(site.store);
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const { id, context_tokens } of samples) {
      const reply = await new Visitor(site).ask('/auth/session', { cookie: `PHPSESSID=${id}` });
      const user = context_tokens['web'] ?? context_tokens['mgr'];
      const [row] = await content.select({ sql: 'SELECT username FROM modx_users WHERE id = ?', params: [user ?? 0] });
      found.push({ id, status: reply.status, user: reply.status === 200 ? sessionOf(reply).user : null });
      const shown = { id: user, username: String(row?.[0]) };
      expected.push({ id, status: user === undefined ? 401 : 200, user: user === undefined ? null : shown });
    }
    expect(found).toEqual(expected);
    expect(found.length).toBe(4);
    expect(await sessionRows(site.store)).toBe(before);
  });

  it('are not needed by its users: their passwords open sessions of the gateway', async () => {
    const outcomes: unknown[] = [];
    for (const name of ['admin', 'editor', 'developer', 'admin2', 'shopmanager']) {
      const reply = await new Visitor(site).logIn(name, { password: 'fixture-Pass-1' });
      outcomes.push([name, reply.status === 200 ? sessionOf(reply).user : reply.body['code']]);
    }
    expect(outcomes).toEqual([
      ['admin', { id: 1, username: 'admin' }],
      ['editor', { id: 2, username: 'editor' }],
      // Deactivated.
      ['developer', 'invalid_credentials'],
      ['admin2', { id: 4, username: 'admin2' }],
      ['shopmanager', { id: 5, username: 'shopmanager' }],
    ]);
  });

  it('change nothing and read no elements where no policy names it, whatever the users may do in the manager', async () => {
    const asked = [
      ...(['POST /resources', 'PATCH /resources/1', 'DELETE /resources/1?force=1'] as const),
      ...(['GET /chunks', 'GET /contexts'] as const),
    ].map((ask) => ask.split(' ') as [method: string, path: string]);
    const statuses = async (name: string) => {
      const visitor = new Visitor(site);
      await visitor.logIn(name, { password: 'fixture-Pass-1' });
      const answers = asked.map(([method, path]) =>
        visitor.ask(path, { method, ...(path === '/resources' || method === 'PATCH' ? { json: {} } : {}) }),
      );
      return (await Promise.all(answers)).map(({ status, body }) => `${status} ${String(body['code'] ?? '')}`);
    };
    for (const name of ['editor', 'admin2', 'shopmanager']) {
      expect([name, await statuses(name)]).toEqual([name, asked.map(() => '403 scope_denied')]);
    }
  });

  it('read what the CMS lets their users read', async () => {
    const { identities } = (await readFixtureJson('expected-acl.json')) as { identities: ExpectedIdentity[] };
    let compared = 0;
    for (const { id, context_tokens } of samples) {
      const user = context_tokens['web'] ?? context_tokens['mgr'] ?? 0;
      const expected = identities.find(({ user_id }) => user_id === user);
      for (const [resource, rights] of Object.entries(expected?.resources ?? {})) {
        const { status } = await new Visitor(site).ask(`/resources/${resource}`, { cookie: `PHPSESSID=${id}` });
        const readable = rights['load'] && rights['view'] ? 200 : 404;
        expect([id, resource, status]).toEqual([id, resource, expected?.context_load['web'] ? readable : 403]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(10);
  });
});
