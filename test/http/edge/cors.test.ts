/** Cross-origin headers of the gateway and the banner API: who gets them, on which answers, and who never does. */
import { beforeAll, describe, expect, it, test } from 'vitest';
import { bumpContentGeneration } from '../../../src/store/state/state.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { type Answer, startTestServer } from '../../support/server.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const home = 'https://www.example.com';
const local = 'http://localhost:5173';
const corsOf = ({ headers }: Pick<Answer, 'headers'>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

const full = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE,OPTIONS',
  'access-control-allow-headers':
    'Authorization,Content-Type,X-Request-ID,X-CSRF-Token,X-Context,X-API-Key,Idempotency-Key,If-Match,If-None-Match,X-Preview-Token,Last-Event-ID,traceparent',
  'access-control-expose-headers':
    'ETag,X-Request-ID,X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,Idempotency-Key,Idempotency-Replayed,X-CSRF-Token,Location,X-Resolved-Uri,Retry-After,Cache-Tag,Age,Allow,WWW-Authenticate',
  'access-control-max-age': '86400',
});

const listed = { gateway_cors_enabled: true, gateway_cors_allowed_origins: [home, local] };
const every = { gateway_cors_enabled: true, gateway_cors_allowed_origins: ['*'] };
const page = '/api/v1/problems/not-found';

describe('the gateway', () => {
  test.each<[name: string, settings: object, origin: string | undefined, allowed: boolean]>([
    ['off: no origin', { gateway_cors_allowed_origins: [home] }, home, false],
    ['an empty list: no origin', { gateway_cors_enabled: true }, home, false],
    ['a list: the first origin', listed, home, true],
    ['a list: the second one, with its port', listed, local, true],
    ['a list: no Origin', listed, undefined, false],
    ['a list: another scheme', listed, 'http://www.example.com', false],
    ['a list: a port', listed, `${home}:8443`, false],
    ['a list: the default port', listed, `${home}:443`, false],
    ['a list: another port', listed, 'http://localhost:5174', false],
    ['a list: a name that ends alike', listed, 'https://evil-www.example.com', false],
    ['a list: a name that begins alike', listed, `${home}.evil.example`, false],
    ['a list: a parent domain', listed, 'https://example.com', false],
    ['a list: a subdomain', listed, 'https://a.www.example.com', false],
    ['a list: upper case', listed, 'https://WWW.example.com', false],
    ['a list: a trailing slash', listed, `${home}/`, false],
    ['a list: null', listed, 'null', false],
    ['a list: the asterisk as an origin', listed, '*', false],
    ['a list: both of them', listed, `${home}, ${local}`, false],
    ['every: any origin', every, 'https://whoever.example', true],
    ['every: no Origin', every, undefined, false],
  ])('%s', async (_name, settings, origin, allowed) => {
    const server = await startTestServer({ settings });
    const headers = origin === undefined ? {} : { Origin: origin };
    const expected = allowed && origin !== undefined ? full(origin) : {};
    const isOn = 'gateway_cors_enabled' in settings && 'gateway_cors_allowed_origins' in settings;
    const answers: [path: string, method: string, extra: Record<string, string>, status: number][] = [
      [page, 'GET', {}, 200],
      [page, 'HEAD', {}, 200],
      ['/api/v1/nothing', 'GET', {}, 404],
      [page, 'DELETE', {}, 405],
      [page, 'GET', { Authorization: 'Bearer wrong' }, 401],
      [`${page}?a=%ff`, 'GET', {}, 400],
      [page, 'OPTIONS', {}, 204],
      ['/api/v1/nothing', 'OPTIONS', { 'Access-Control-Request-Method': 'BREW' }, 204],
    ];
    for (const [path, method, extra, status] of answers) {
      const answer = await server.ask(path, { method, headers: { ...headers, ...extra } });
      const vary = (answer.headers.vary ?? '').split(', ');
      expect([path, method, answer.status, corsOf(answer)]).toEqual([path, method, status, expected]);
      // On every answer, also to an origin that is not listed: a cache must never give one origin's answer to another.
      const count = vary.filter((name) => name === 'Origin').length;
      expect([path, method, count]).toEqual([path, method, isOn || status === 200 ? 1 : 0]);
    }
    await server.close();
  });

  test('sends the lists of the settings as they are, and leaves out what is empty', async () => {
    const server = await startTestServer({
      settings: {
        ...listed,
        gateway_cors_allowed_methods: 'GET, HEAD',
        gateway_cors_allowed_headers: '',
        gateway_cors_expose_headers: 'etag',
        gateway_cors_allow_credentials: true,
      },
    });
    expect(corsOf(await server.ask(page, { headers: { Origin: home } }))).toEqual({
      'access-control-allow-origin': home,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-expose-headers': 'etag',
      'access-control-max-age': '86400',
      'access-control-allow-credentials': 'true',
    });
  });

  test('never sends credentials along with every origin, even if both were in the settings', async () => {
    const server = await startTestServer({ settings: { ...every, gateway_cors_allow_credentials: true } });
    expect(corsOf(await server.ask(page, { headers: { Origin: home } }))).toEqual(full(home));
  });

  test('follows a change of the settings', async () => {
    const server = await startTestServer();
    expect(corsOf(await server.ask(page, { headers: { Origin: home } }))).toEqual({});
    server.set(listed);
    expect(corsOf(await server.ask(page, { headers: { Origin: home } }))).toEqual(full(home));
  });
});

describe('kept answers of the gateway', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await freshSqliteUrl(),
      env: {
        HCD_GATEWAY_CACHE_ENABLED: '1',
        HCD_GATEWAY_CORS_ENABLED: '1',
        HCD_GATEWAY_CORS_ALLOWED_ORIGINS: `${home},${local}`,
      },
    });
    await seed(site.store, { site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' }] });
    await site.store.own.write(bumpContentGeneration);
    await site.live.refresh();
  });

  const originOf = (headers: Headers) => headers.get('access-control-allow-origin');

  it('carry the headers for the current origin, not for the first one', async () => {
    const first = await site.get('/resources/1', { headers: { Origin: home } });
    const other = await site.get('/resources/1', { headers: { Origin: local } });
    const foreign = await site.get('/resources/1', { headers: { Origin: 'https://evil.example' } });
    const none = await site.get('/resources/1');
    expect([first, other, foreign, none].map(({ headers }) => originOf(headers))).toEqual([home, local, null, null]);
    expect(new Set([first, other, foreign, none].map(({ text }) => text)).size).toBe(1);
    const etag = first.headers.get('etag') ?? '';
    const unchanged = await site.get('/resources/1', { headers: { Origin: local, 'If-None-Match': etag } });
    expect([unchanged.status, originOf(unchanged.headers), unchanged.headers.get('vary')]).toEqual([
      304,
      local,
      'Authorization, X-API-Key, X-Context, Cookie, Origin, Accept-Encoding',
    ]);
  });

  it('are shown at discovery only while cross-origin calls are on', async () => {
    expect((await site.get('/')).body['data']).toMatchObject({
      cors: { enabled: true, allowed_origins: [home, local] },
    });
    const off = await startTestSite({
      databaseUrl: await freshSqliteUrl(),
      env: { HCD_GATEWAY_CORS_ALLOWED_ORIGINS: home },
    });
    expect((await off.get('/')).body['data']).toMatchObject({ cors: { enabled: false, allowed_origins: [] } });
  });
});

describe('the banner API', () => {
  const entry = '/banners/api.php';
  const key = '0123456789abcdef0123456789abcdef';
  const on = { banners_api_enabled: true, banners_api_key: key };
  const headersFor = (origin: string) => ({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PATCH, OPTIONS',
    'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, X-API-Key, X-Request-ID',
    'access-control-expose-headers':
      'Allow, Content-Disposition, ETag, Link, Location, Retry-After, WWW-Authenticate, X-Request-ID, X-Total-Count',
    'access-control-max-age': '86400',
  });

  test('answers a preflight without key, and every answer for a listed origin carries its headers', async () => {
    const server = await startTestServer({ settings: { ...on, banners_api_cors_origin: [home] } });
    const ask = async (options: { method?: string; headers?: Record<string, string> }) => {
      const answer = await server.ask(entry, { ...options, headers: { Origin: home, ...options.headers } });
      return [answer.status, corsOf(answer), answer.headers.vary];
    };
    expect(await ask({ method: 'OPTIONS' })).toEqual([204, headersFor(home), 'Origin']);
    expect(await ask({})).toEqual([401, headersFor(home), 'Origin']);
    const varied = 'Authorization, X-API-Key, Origin';
    expect(await ask({ headers: { 'X-API-Key': key } })).toEqual([200, headersFor(home), varied]);
    const foreign = await server.ask(entry, { method: 'OPTIONS', headers: { Origin: local } });
    expect([foreign.status, corsOf(foreign), foreign.headers.vary]).toEqual([204, {}, 'Origin']);
  });

  test('lets every origin in when the setting is *', async () => {
    const server = await startTestServer({ settings: { ...on, banners_api_cors_origin: ['*'] } });
    const answer = await server.ask(entry, { headers: { Origin: local, 'X-API-Key': key } });
    expect([answer.status, corsOf(answer)]).toEqual([200, headersFor(local)]);
  });

  test('knows no other origins by default, and then no preflight', async () => {
    const server = await startTestServer({ settings: on });
    const preflight = await server.ask(entry, { method: 'OPTIONS', headers: { Origin: home } });
    expect([preflight.status, corsOf(preflight)]).toEqual([401, {}]);
    const answer = await server.ask(entry, { headers: { Origin: home, 'X-API-Key': key } });
    expect([answer.status, corsOf(answer), answer.headers.vary]).toEqual([200, {}, 'Authorization, X-API-Key']);
  });
});
