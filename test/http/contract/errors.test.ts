/** The body and headers of a refusal at every stage, whole, in the shape of each API. */
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { errorCodes } from '../../../src/errors/catalogue.js';
import { problemOf } from '../../../src/gateway/http/envelope.js';
import type { Reply } from '../../../src/http/interface/endpoint.js';
import { testRows } from '../../support/rows.js';
import { type AskOptions, row, startTestServer, type TestSettings } from '../../support/server.js';

const id = 'request-1';
const bearer = (token: string): AskOptions => ({ headers: { Authorization: `Bearer ${token}` } });

interface Case {
  readonly name: string;
  readonly path: string;
  readonly options?: AskOptions;
  readonly settings?: Partial<TestSettings>;
  readonly status: number;
  readonly slug: string;
  readonly title: string;
  readonly code: string;
  readonly detail: string;
  readonly more?: Readonly<Record<string, string>>;
  readonly instance?: string;
}

const notFound = {
  status: 404,
  slug: 'not-found',
  title: 'Not Found',
  code: 'not_found',
  detail: 'Not found',
  // Browsers get a page at an unknown address.
  more: { vary: 'Accept' },
} as const;
const unavailable = {
  status: 503,
  slug: 'unavailable',
  title: 'Service Unavailable',
  code: 'unavailable',
  detail: 'Temporarily unavailable',
} as const;
const internalError = {
  status: 500,
  slug: 'internal-error',
  title: 'Internal Server Error',
  code: 'internal_error',
  detail: 'Internal error',
} as const;

const gatewayCases: readonly Case[] = [
  {
    name: 'edge',
    path: '/api/v1/%zz',
    status: 400,
    slug: 'bad-request',
    title: 'Bad Request',
    code: 'bad_request',
    detail: 'Bad request',
    more: { connection: 'close' },
  },
  {
    name: 'edge, length',
    path: `/api/v1/${'a'.repeat(3000)}`,
    status: 414,
    slug: 'uri-too-long',
    title: 'URI Too Long',
    code: 'uri_too_long',
    detail: 'URI too long',
    more: { connection: 'close' },
  },
  {
    name: 'no API',
    path: '/nothing',
    ...notFound,
  },
  {
    name: 'route',
    path: '/api/v1/nothing',
    ...notFound,
  },
  {
    name: 'route before the switch',
    path: '/api/v1/nothing',
    settings: { gateway_enabled: false },
    ...notFound,
  },
  {
    name: 'route by the fallback entry',
    path: '/api.php?route=/v1/nothing',
    ...notFound,
    instance: '/api/v1/nothing',
  },
  {
    name: 'unknown object before the credential',
    path: '/api/v1/objects/unknown',
    options: bearer('bad'),
    ...notFound,
  },
  {
    name: 'method',
    path: '/api/v1/fixed',
    options: { method: 'PUT' },
    status: 405,
    slug: 'method-not-allowed',
    title: 'Method Not Allowed',
    code: 'method_not_allowed',
    detail: 'Method not allowed',
    more: { allow: 'GET, HEAD, OPTIONS' },
  },
  {
    name: 'switch',
    path: '/api/v1/things',
    settings: { gateway_enabled: false },
    status: 503,
    slug: 'service-disabled',
    title: 'Service Unavailable',
    code: 'service_disabled',
    detail: 'Service disabled',
  },
  {
    name: 'authentication',
    path: '/api/v1/things',
    options: bearer('bad'),
    status: 401,
    slug: 'unauthorized',
    title: 'Unauthorized',
    code: 'invalid_token',
    detail: 'Invalid or revoked credentials',
    more: { 'www-authenticate': 'Bearer' },
  },
  {
    name: 'authentication without database',
    path: '/api/v1/things',
    options: bearer('down'),
    ...unavailable,
    more: { 'retry-after': '5' },
  },
  {
    name: 'admission, anonymous',
    path: '/api/v1/secret',
    status: 401,
    slug: 'unauthorized',
    title: 'Unauthorized',
    code: 'token_required',
    detail: 'Authentication required',
    more: { 'www-authenticate': 'Bearer' },
  },
  {
    name: 'admission, scope',
    path: '/api/v1/denied',
    options: bearer('good'),
    status: 403,
    slug: 'forbidden',
    title: 'Forbidden',
    code: 'scope_denied',
    detail: 'Insufficient permissions: this request needs the scope other.read',
  },
  {
    name: 'negotiation',
    path: '/api/v1/things',
    options: { headers: { Accept: 'text/plain' } },
    status: 406,
    slug: 'not-acceptable',
    title: 'Not Acceptable',
    code: 'not_acceptable',
    detail: 'Not acceptable',
  },
  {
    name: 'database gone in a handler',
    path: '/api/v1/store-gone',
    ...unavailable,
    more: { 'retry-after': '7' },
  },
  {
    name: 'fault in a handler',
    path: '/api/v1/fault',
    ...internalError,
  },
  {
    name: 'a reply that is no JSON',
    path: '/api/v1/unstorable',
    ...internalError,
  },
];

describe('the gateway', () => {
  test.each(gatewayCases)('$name: $status $code', async (expected) => {
    const server = await startTestServer({ endpoints: testRows, settings: expected.settings ?? {} });
    const { options } = expected;
    const answer = await server.ask(expected.path, {
      ...options,
      headers: { ...options?.headers, 'X-Request-ID': id },
    });
    expect(answer.json()).toEqual({
      type: `/api/v1/problems/${expected.slug}`,
      title: expected.title,
      status: expected.status,
      detail: expected.detail,
      instance: expected.instance ?? expected.path,
      code: expected.code,
      request_id: id,
    });
    expect(answer.status).toBe(expected.status);
    const { date, connection, 'keep-alive': keepAlive, ...headers } = answer.headers;
    expect({ ...headers, ...(connection === 'close' ? { connection } : {}) }).toEqual({
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(answer.text)),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': id,
      ...expected.more,
    });
    expect([typeof date, keepAlive === undefined]).toEqual(['string', connection === 'close']);
    // Every problem type is a page of this server.
    const page = await server.ask(`/api/v1/problems/${expected.slug}`);
    expect(page.json()).toMatchObject({ data: { slug: expected.slug } });
    await server.close();
  });

  test('a 422 names the fields', async () => {
    const error = new AppError('validation_failed', {
      message: 'Invalid limit',
      details: { fields: { limit: ['must be a number'] } },
    });
    const handler = async (): Promise<Reply> => Promise.reject(error);
    const server = await startTestServer({ endpoints: [row({ name: 'x', path: '/x', handler })] });
    expect((await server.ask('/api/v1/x', { headers: { 'X-Request-ID': id } })).json()).toEqual({
      type: '/api/v1/problems/validation',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'Invalid limit',
      instance: '/api/v1/x',
      code: 'validation_failed',
      request_id: id,
      errors: { limit: ['must be a number'] },
    });
  });

  test('a limit sends its headers with every counted answer', async () => {
    const limited = { 'X-RateLimit-Limit': '1', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '99' };
    let count = 0;
    const server = await startTestServer({
      endpoints: testRows,
      gateway: {
        async limit() {
          count += 1;
          if (count <= 2) return { headers: limited };
          return { headers: limited, error: new AppError('rate_limited', { details: { retryAfter: 9 } }) };
        },
      },
    });
    const seen = [];
    for (const path of ['/api/v1/nothing', '/api/v1/things', '/api/v1/secret', '/api/v1/things']) {
      const { status, headers } = await server.ask(path);
      seen.push([status, headers['x-ratelimit-limit'], headers['retry-after']]);
    }
    expect(seen).toEqual([
      [404, undefined, undefined],
      [200, '1', undefined],
      [401, '1', undefined],
      [429, '1', '9'],
    ]);
  });

  test('logs a fault in full and shows nothing of it', async () => {
    const server = await startTestServer({ endpoints: testRows });
    const answer = await server.ask('/api/v1/fault?secret=1', { headers: { 'X-Request-ID': id } });
    expect(JSON.stringify([answer.headers, answer.text])).not.toMatch(/SELECT|TypeError|secret|at /);
    expect(server.log).toMatchObject([
      {
        kind: 'request_finished',
        requestId: id,
        api: 'gateway',
        method: 'GET',
        route: '/fault',
        status: 500,
        identity: 'anonymous',
        error: { message: 'secret detail in SELECT * FROM table' },
      },
    ]);
  });

  test('the access log has one line for each answer, with the public id of the credential only', async () => {
    const server = await startTestServer({ endpoints: testRows });
    await server.ask('/api/v1/things/7?limit=1', bearer('good'));
    await server.ask('/elsewhere?x=1');
    expect(server.log.map((fact) => ({ ...fact, requestId: '', durationMs: 0 }))).toEqual([
      {
        kind: 'request_finished',
        requestId: '',
        durationMs: 0,
        api: 'gateway',
        method: 'GET',
        route: '/things/:id',
        status: 200,
        identity: 'api_key',
        identityId: 'k1',
      },
      {
        kind: 'request_finished',
        requestId: '',
        durationMs: 0,
        api: 'none',
        method: 'GET',
        route: null,
        status: 404,
        identity: 'anonymous',
        refusal: { check: 'route', error: expect.objectContaining({ code: 'not_found' }) },
      },
    ]);
    expect(server.log.every((fact) => fact.kind === 'request_finished' && fact.durationMs >= 0)).toBe(true);
  });
});

describe('pages and banners', () => {
  const on = { pages_rest_api_enabled: true, banners_api_enabled: true, banners_api_key: 'key' };
  const withKey = { headers: { 'X-API-Key': 'key' } };
  const pages = (message: string) => ({ success: false, message, object: {} });
  const banners = (message: string) => ({ success: false, message });

  test.each<
    [name: string, path: string, options: AskOptions, settings: Partial<TestSettings>, status: number, body: unknown]
  >([
    ['pages: edge', '/pages/api/v1.php?path=%zz', {}, on, 400, pages('Bad request')],
    ['pages: route before the switch', '/pages/api/v1.php?path=/x', {}, {}, 404, pages('Not found')],
    ['pages: method', '/pages/api/v1.php?path=/pages', { method: 'POST' }, on, 405, pages('Method not allowed')],
    ['pages: switch', '/pages/api/v1.php?path=/pages', {}, {}, 503, pages('Service disabled')],
    [
      'pages: switch for the document too',
      '/pages/api/v1.php?path=/openapi.json',
      {},
      {},
      503,
      pages('Service disabled'),
    ],
    ['pages: token missing', '/pages/api/v1.php?path=/pages', {}, on, 401, pages('Authentication required')],
    [
      'pages: token unknown',
      '/pages/api/v1.php?path=/pages',
      bearer('pt_1_2'),
      on,
      401,
      pages('Invalid or revoked credentials'),
    ],
    [
      'pages: negotiation',
      '/pages/api/v1.php?path=/openapi.json',
      { headers: { Accept: 'text/html' } },
      on,
      406,
      pages('Not acceptable'),
    ],
    ['banners: edge', '/banners/api.php?route=%00', withKey, on, 400, banners('Bad request')],
    ['banners: switch before the route', '/banners/api.php?route=/x', {}, {}, 503, banners('api disabled')],
    ['banners: key before the route', '/banners/api.php?route=/x', {}, on, 401, banners('unauthorized')],
    ['banners: key before a bad route', '/banners/api.php?route=/x&route=/y', {}, on, 401, banners('unauthorized')],
    [
      'banners: bad route',
      '/banners/api.php?route=/x&route=/y',
      withKey,
      on,
      400,
      banners('route is given more than once; give it once'),
    ],
    ['banners: route', '/banners/api.php?route=/x', withKey, on, 404, banners('not found')],
    ['banners: method', '/banners/api.php', { ...withKey, method: 'DELETE' }, on, 405, banners('method not allowed')],
    [
      'banners: negotiation',
      '/banners/api.php',
      { headers: { ...withKey.headers, Accept: 'text/html' } },
      on,
      406,
      banners('not acceptable'),
    ],
  ])('%s', async (_name, path, options, settings, status, body) => {
    const server = await startTestServer({ settings });
    const answer = await server.ask(path, options);
    expect([answer.status, answer.json()]).toEqual([status, body]);
    const { headers } = answer;
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect([headers['cache-control'], headers['x-content-type-options'], headers['referrer-policy']]).toEqual([
      'no-store',
      'nosniff',
      'no-referrer',
    ]);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(headers['content-security-policy']).toBe(
      path.startsWith('/pages') ? "default-src 'none'; frame-ancestors 'none'" : undefined,
    );
    expect([headers['www-authenticate'], headers.allow === undefined]).toEqual([
      status === 401 ? 'Bearer' : undefined,
      status !== 405,
    ]);
    await server.close();
  });

  test('a fault and a lost database say nothing of their cause', async () => {
    const server = await startTestServer();
    for (const api of server.apis) {
      for (const code of errorCodes()) {
        const error = new AppError(code, { message: 'SECRET' });
        const reply = api.renderError(error, { requestId: id, path: '/x' });
        const text = JSON.stringify(reply);
        if (reply.status === 500 || (reply.status === 503 && code !== 'unavailable' && code !== 'service_disabled')) {
          expect(text).not.toContain('SECRET');
        }
        expect([reply.status >= 400, reply.caching]).toEqual([true, { kind: 'never' }]);
        if (reply.status === 503 && code !== 'service_disabled')
          expect(reply.headers).toMatchObject({ 'Retry-After': '5' });
        if (reply.status === 429)
          expect(api.name === 'banners' ? reply.headers : { 'Retry-After': '60' }).toMatchObject({
            'Retry-After': '60',
          });
      }
    }
  });
});

describe('the problem pages', () => {
  test('every code of the gateway has its page, with cause and fix', async () => {
    const server = await startTestServer();
    for (const code of errorCodes()) {
      const { slug, code: shown } = problemOf(code);
      const page = (await server.ask(`/api/v1/problems/${slug}`)).json() as {
        data: { codes: { code: string; cause: string; fix: string }[] };
      };
      const found = page.data.codes.find((explanation) => explanation.code === shown);
      expect([code, typeof found?.cause, typeof found?.fix]).toEqual([code, 'string', 'string']);
    }
  });

  test('people get HTML that loads nothing', async () => {
    const server = await startTestServer();
    const answer = await server.ask('/api/v1/problems/not-found', { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(answer.text).toMatch(
      /<h2>[^<]+<span class="chip">404<\/span><\/h2>\n<dl><dt>Code<\/dt><dd><code>not_found<\/code>/,
    );
    expect(answer.text).not.toMatch(/src=|https?:/);
    const list = await server.ask('/api/v1/problems', { headers: { Accept: 'text/html' } });
    expect(list.text).toContain('<a href="/api/v1/problems/not-found">');
  });

  test('they answer while the gateway is off; an unknown one is 404', async () => {
    const server = await startTestServer({ settings: { gateway_enabled: false } });
    expect((await server.ask('/api/v1/problems/service-disabled')).status).toBe(200);
    expect((await server.ask('/api/v1/problems/nothing')).status).toBe(404);
  });
});
