/** What a cookie is worth, and what other web pages cannot do with it (docs/users.md#read-and-write). */
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { readCookie, setCookie } from '../../../src/http/interface/request-headers.js';
import type { Statement } from '../../../src/store/base/database.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { foreign, grant, problem, setCookieOf, userRow, Visitor } from './session-visitor.js';
import { key } from './writing-site.js';

const badCsrf = { status: 403, code: 'scope_denied', detail: 'Invalid CSRF token' };

describeEachDatabase('cookies of sessions', (database) => {
  const clock = fakeClock();
  let url: string;
  let site: TestSite;
  let visitor: Visitor;

  async function start(env: Readonly<Record<string, string>> = {}): Promise<TestSite> {
    return startTestSite({ databaseUrl: url, clock, env: { HCD_GATEWAY_OAUTH_ENABLED: '1', ...env } });
  }

  beforeAll(async () => {
    url = await database.url();
    site = await start();
    await seed(site.store, {
      site_content: [{ id: 1, pagetitle: 'Home' }],
      site_htmlsnippets: [{ id: 1, name: 'one' }],
      users: [
        userRow({ id: 11, username: 'editor' }),
        userRow({ id: 12, username: 'chief', sudo: 1 }),
        userRow({ id: 13, username: 'guest' }),
      ],
    });
    await grant(site.store, { 11: ['load', 'list', 'view'], 13: ['load', 'list', 'view'] });
    await site.live.refresh();
  });

  beforeEach(() => {
    visitor = new Visitor(site);
  });

  describe('without a session behind them', () => {
    test('counts as none: public reads go on, the rest asks to log in', async () => {
      await visitor.logIn('editor');
      await visitor.ask('/auth/session', { method: 'DELETE' });
      const page = await visitor.ask('/resources/1?fields=id');
      expect([page.status, page.headers.get('x-csrf-token')]).toEqual([200, null]);
      expect((await visitor.ask('/chunks/1')).body).toMatchObject({ status: 401, code: 'token_required' });
      expect((await visitor.logIn('editor')).status).toBe(200);
    });

    const letters = 'a'.repeat(43);
    test.each([
      ['an empty header', ''],
      ['an unknown id', `hcd_session=${letters}`],
      ['letters that no id has', `hcd_session=${'%00'.repeat(14)}a`],
      ['SQL', "hcd_session=' OR 1=1 --"],
      ['the cookie of a TLS site on a plain one', `__Host-hcd_session=${letters}`],
      ['bytes that are no ASCII', 'hcd_session=\xff\xfe'],
      ['12 KiB', `hcd_session=${'a'.repeat(12_000)}`],
      ['a session of PHP', 'PHPSESSID=samplesession000000000001'],
    ])('is no fault of the server: %s', async (_name, cookie) => {
      const answers = await Promise.all([
        visitor.ask('/resources/1?fields=id', { cookie }),
        visitor.ask('/chunks/1', { cookie }),
        visitor.ask('/auth/session', { cookie }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 401, 401]);
    });
  });

  describe('protection against other web pages', () => {
    /** Titles make addresses, which must differ. */
    let made = 0;
    const change = () => {
      made += 1;
      return { method: 'POST', json: { pagetitle: `New ${made}` } };
    };

    test('a change needs the token of this very session', async () => {
      await visitor.logIn('chief');
      const stranger = new Visitor(site);
      await stranger.logIn('chief');
      const wrong = [null, '', 'wrong', stranger.csrf, `${visitor.csrf} `.repeat(2), visitor.csrf?.toUpperCase()];
      for (const csrf of wrong) {
        const reply = await visitor.ask('/resources', { ...change(), csrf: csrf ?? null });
        expect([csrf, problem(reply.body)]).toEqual([csrf, badCsrf]);
        expect(reply.headers.get('x-csrf-token')).toBe(null);
      }
      expect((await visitor.ask('/resources', change())).status).toBe(201);
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is checked before rights and bodies', async (method) => {
      await visitor.logIn('guest');
      const path = method === 'POST' ? '/resources' : '/resources/1';
      const reply = await visitor.ask(path, { method, csrf: null, json: 'nonsense' });
      expect(problem(reply.body)).toEqual(badCsrf);
    });

    test.each([
      ['the fallback entry', '/api.php?route=/v1/resources', {}],
      ['a method in a header', '/api/v1/resources', { 'x-http-method-override': 'GET' }],
      ['a method in the address', '/api/v1/resources?_method=GET', {}],
      ['a referring page of this site', '/api/v1/resources', { referer: 'own' }],
      ['what fetch says of itself', '/api/v1/resources', { 'sec-fetch-site': 'same-origin' }],
    ])('%s is no way around it', async (_name, path, headers) => {
      await visitor.logIn('chief');
      const reply = await fetch(`${site.url}${path}`, {
        method: 'POST',
        headers: { cookie: visitor.cookie ?? '', 'content-type': 'application/json', ...headers },
        body: JSON.stringify(change().json),
      });
      expect(problem((await reply.json()) as Record<string, unknown>)).toEqual(badCsrf);
    });

    test('reads need none, and change nothing', async () => {
      await visitor.logIn('chief');
      for (const path of ['/resources', '/resources/1', '/chunks/1', '/auth/session']) {
        expect((await visitor.ask(path, { csrf: null })).status).toBe(200);
        expect((await visitor.ask(path, { csrf: null, method: 'HEAD' })).status).toBe(200);
      }
      expect((await visitor.ask('/auth/session')).status).toBe(200);
    });

    let listed: TestSite;
    beforeAll(async () => {
      listed = await start({
        ...{ HCD_GATEWAY_CORS_ENABLED: '1', HCD_GATEWAY_CORS_ALLOW_CREDENTIALS: '1' },
        HCD_GATEWAY_CORS_ALLOWED_ORIGINS: 'https://app.example',
      });
    });

    test.each<[name: string, origin: (own: string) => string, allowed: boolean]>([
      ['the site itself', (own) => own, true],
      ['the site over TLS, by a proxy that is not trusted', (own) => own.replace('http:', 'https:'), true],
      ['another site', () => 'https://evil.example', false],
      ['another port', (own) => own.replace(/\d+$/, '1'), false],
      ['a name that begins alike', (own) => `${own}.evil.example`, false],
      ['a page without an origin', () => 'null', false],
      ['no address at all', () => 'nonsense', false],
      ['another scheme', (own) => own.replace('http:', 'ftp:'), false],
      ['a listed origin', () => 'https://app.example', true],
      ['a listed origin in capitals', () => 'https://APP.example', false],
    ])('with the right token, a change from %s', async (_name, origin, allowed) => {
      const there = new Visitor(listed);
      await there.logIn('chief');
      const reply = await there.ask('/resources', { ...change(), headers: { origin: origin(listed.url) } });
      expect(allowed ? reply.status : problem(reply.body)).toEqual(allowed ? 201 : foreign);
    });

    test('every origin may read does not mean that every origin may act', async () => {
      const open = await start({ HCD_GATEWAY_CORS_ENABLED: '1', HCD_GATEWAY_CORS_ALLOWED_ORIGINS: '*' });
      const there = new Visitor(open);
      await there.logIn('chief');
      const reply = await there.ask('/resources', { ...change(), headers: { origin: 'https://evil.example' } });
      expect(problem(reply.body)).toEqual(foreign);
    });

    test('a body of a type that forms can send is refused', async () => {
      await visitor.logIn('chief');
      const reply = await visitor.ask('/resources', { ...change(), headers: { 'content-type': 'text/plain' } });
      expect(reply.status).toBe(415);
    });

    test('the switch takes both checks away', async () => {
      const open = await start({ HCD_GATEWAY_CSRF_ENABLED: '0' });
      const there = new Visitor(open);
      const headers = { origin: 'https://evil.example' };
      await there.logIn('chief', { headers });
      expect((await there.ask('/resources', { ...change(), csrf: null, headers })).status).toBe(201);
    });

    test('routes that authenticate OAuth clients are no way around it', async () => {
      await visitor.logIn('chief');
      const asked = { method: 'POST', csrf: null, json: { grant_type: 'client_credentials' } };
      const reply = await visitor.ask('/auth/token', asked);
      expect(problem(reply.body)).toEqual(badCsrf);
    });
  });

  describe('over TLS, as a trusted proxy says', () => {
    const tls = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'cms.example' };
    let proxied: TestSite;

    beforeAll(async () => {
      proxied = await start({ HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' });
    });

    test('the cookie is bound to the host and to TLS', async () => {
      const there = new Visitor(proxied);
      const reply = await there.logIn('editor', { headers: { ...tls, origin: 'https://cms.example' } });
      expect(setCookieOf(reply)).toMatch(
        /^__Host-hcd_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
      expect((await there.ask('/auth/session', { headers: tls })).status).toBe(200);
      const end = await there.ask('/auth/session', { method: 'DELETE', headers: tls });
      expect(setCookieOf(end)).toBe('__Host-hcd_session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0');
    });

    test('a cookie that a neighbour could plant is not looked at', async () => {
      await visitor.logIn('editor');
      const there = new Visitor(proxied);
      expect((await there.ask('/auth/session', { cookie: visitor.cookie, headers: tls })).status).toBe(401);
      expect((await there.ask('/auth/session', { cookie: visitor.cookie })).status).toBe(200);
    });

    test('ignores forwarded headers of a peer that is not a trusted proxy', async () => {
      const reply = await visitor.logIn('editor', { headers: tls });
      expect(setCookieOf(reply)).toMatch(/^hcd_session=/);
    });
  });

  /** Statements that look for sessions from now on, whichever table they are in. */
  function watchReads(): string[] {
    const reads: string[] = [];
    const { primary } = site.store.own;
    const original = primary.select.bind(primary);
    Object.assign(primary, {
      async select(statement: Statement) {
        if (/`(?:hcd_sessions|modx_session)`/.test(statement.sql)) reads.push(statement.sql);
        return original(statement);
      },
    });
    return reads;
  }

  it('are looked for only where one of the right form is shown, and once in a while', async () => {
    await visitor.logIn('editor');
    await clock.advance(1000);
    const reads = watchReads();
    for (const cookie of [null, '', 'other=1', 'hcd_session=', 'hcd_session=short', `hcd_session=${'!'.repeat(43)}`]) {
      await visitor.ask('/resources/1?fields=id', { cookie });
    }
    expect(reads.length).toBe(0);
    for (let count = 0; count < 5; count += 1) await visitor.ask('/resources/1?fields=id');
    expect(reads.length).toBe(1);
    await clock.advance(800);
    await visitor.ask('/resources/1?fields=id');
    expect(reads.length).toBe(2);
  });

  it('are never believed unread', async () => {
    await visitor.logIn('editor');
    await clock.advance(1000);
    const { primary } = site.store.own;
    const { select } = primary;
    Object.assign(primary, { select: () => Promise.reject(new AppError('database_unreachable')) });
    const asked = await visitor.ask('/resources/1?fields=id');
    Object.assign(primary, { select });
    expect([asked.status, asked.body['code']]).toEqual([503, 'unavailable']);
    expect((await visitor.ask('/auth/session')).status).toBe(200);
  });

  it('do not count with a key, which has no session to show or to end', async () => {
    const withKey = await startTestSite({ databaseUrl: url, clock, identities: { key: key('*') } });
    const there = new Visitor(withKey);
    await there.logIn('guest');
    const headers = { authorization: 'Bearer key' };
    expect((await there.ask('/chunks/1', { headers })).status).toBe(200);
    // No token is needed: the page of another site cannot send the key.
    const making = { method: 'POST', csrf: null, headers, json: { pagetitle: 'By a key' } };
    const made = await there.ask('/resources', making);
    expect([made.status, made.headers.get('x-csrf-token')]).toEqual([201, null]);
    for (const method of ['GET', 'DELETE']) {
      const { body } = await there.ask('/auth/session', { method, headers });
      const detail = 'Insufficient permissions: only a session may do this';
      expect(problem(body)).toEqual({ status: 403, code: 'scope_denied', detail });
    }
    expect((await there.ask('/auth/session')).status).toBe(200);
  });
});

describe('the header Cookie', () => {
  test.each<[header: string | undefined, found: string | undefined]>([
    [undefined, undefined],
    ['', undefined],
    ['sid', undefined],
    ['sid=', ''],
    ['sid=a', 'a'],
    ['a=b; sid=c', 'c'],
    ['a=b;sid=c;', 'c'],
    ['xsid=a; sid=b', 'b'],
    ['sidx=a; sid=b', 'b'],
    ['a=sid=x; sid=b', 'b'],
    ['sid=first; sid=second', 'first'],
    ['sid="quoted"', 'quoted'],
    ['sid="', '"'],
    ['sid=a=b', 'a=b'],
    ['SID=a', undefined],
    ['a=b;\tsid \t=\t c \t', 'c'],
    // Not white space in a cookie: a neighbour could set such a name, and get around what __Host- promises.
    ['\xa0sid=planted', undefined],
    ['a=b; \x85sid=planted; sid=own', 'own'],
    ['sid\xa0=planted; sid=own', 'own'],
    ['\ufeffsid=planted', undefined],
    ['\vsid=planted; \fsid=planted', undefined],
    ['sid=\xa0', '\xa0'],
  ])('%s', (header, found) => {
    expect(readCookie(header, 'sid')).toBe(found);
  });

  test('returns the value that was set among any other cookies', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/);
    const noise = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !text.includes('sid'));
    fc.assert(
      fc.property(value, noise, (id, other) => {
        const pair = setCookie({ name: 'sid', value: id, secure: true }).split(';')[0] ?? '';
        expect(readCookie(`${other.replaceAll(';', '')}; ${pair}`, 'sid')).toBe(id);
        expect(readCookie(other, 'sid')).toBe(undefined);
      }),
    );
  });
});
