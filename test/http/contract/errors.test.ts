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

interface Refusal {
  readonly status: number;
  readonly slug: string;
  readonly title: string;
  readonly code: string;
  readonly detail: string;
  readonly more?: Readonly<Record<string, string>>;
}

const refusal =
  (status: number, slug: string, title: string, code: string) =>
  (detail: string, more = {}) => ({ ...{ status, slug, title, code, detail, more } });
const badRequest = refusal(400, 'bad-request', 'Bad Request', 'bad_request');
const tooLong = refusal(414, 'uri-too-long', 'URI Too Long', 'uri_too_long');
// Browsers get a page at an unknown address.
const notFound = refusal(404, 'not-found', 'Not Found', 'not_found')('Not found', { vary: 'Accept' });
const otherMethod = refusal(405, 'method-not-allowed', 'Method Not Allowed', 'method_not_allowed');
const disabled = refusal(503, 'service-disabled', 'Service Unavailable', 'service_disabled');
const invalidToken = refusal(401, 'unauthorized', 'Unauthorized', 'invalid_token');
const tokenRequired = refusal(401, 'unauthorized', 'Unauthorized', 'token_required');
const scopeDenied = refusal(403, 'forbidden', 'Forbidden', 'scope_denied');
const notAcceptable = refusal(406, 'not-acceptable', 'Not Acceptable', 'not_acceptable');
const unavailable = refusal(503, 'unavailable', 'Service Unavailable', 'unavailable');
const gone = (seconds: string) => unavailable('Temporarily unavailable', { 'retry-after': seconds });
const internalError = refusal(500, 'internal-error', 'Internal Server Error', 'internal_error')('Internal error');
const [close, challenge] = [{ connection: 'close' }, { 'www-authenticate': 'Bearer' }];
const scopeDetail = 'Insufficient permissions: this request needs the scope other.read';

const gatewayCases: readonly (readonly [name: string, path: string, AskOptions, Refusal])[] = [
  ['edge', '/api/v1/%zz', {}, badRequest('Bad request', close)],
  ['edge, length', `/api/v1/${'a'.repeat(3000)}`, {}, tooLong('URI too long', close)],
  ['no API', '/nothing', {}, notFound],
  ['route', '/api/v1/nothing', {}, notFound],
  ['route before the switch: off', '/api/v1/nothing', {}, notFound],
  ['route by the fallback entry', '/api.php?route=/v1/nothing', {}, notFound],
  ['unknown object before the credential', '/api/v1/objects/unknown', bearer('bad'), notFound],
  ['method', '/api/v1/fixed', { method: 'PUT' }, otherMethod('Method not allowed', { allow: 'GET, HEAD, OPTIONS' })],
  ['switch: off', '/api/v1/things', {}, disabled('Service disabled')],
  ['authentication', '/api/v1/things', bearer('bad'), invalidToken('Invalid or revoked credentials', challenge)],
  ['authentication without database', '/api/v1/things', bearer('down'), gone('5')],
  ['admission, anonymous', '/api/v1/secret', {}, tokenRequired('Authentication required', challenge)],
  ['admission, scope', '/api/v1/denied', bearer('good'), scopeDenied(scopeDetail)],
  ['negotiation', '/api/v1/things', { headers: { Accept: 'text/plain' } }, notAcceptable('Not acceptable')],
  ['database gone in a handler', '/api/v1/store-gone', {}, gone('7')],
  ['fault in a handler', '/api/v1/fault', {}, internalError],
  ['a reply that is no JSON', '/api/v1/unstorable', {}, internalError],
];

describe('the gateway', () => {
  test.each(gatewayCases)('%s', async (name, path, options, { slug, more, ...refused }) => {
    const settings = { gateway_enabled: !name.endsWith(': off') };
    const server = await startTestServer({ endpoints: testRows, settings });
    const answer = await server.ask(path, { ...options, headers: { ...options.headers, 'X-Request-ID': id } });
    expect(answer.json()).toEqual({
      ...{ type: `/api/v1/problems/${slug}`, ...refused, request_id: id },
      instance: path.replace('/api.php?route=', '/api'),
    });
    expect(answer.status).toBe(refused.status);
    const { date, connection, 'keep-alive': keepAlive, ...headers } = answer.headers;
    expect({ ...headers, ...(connection === 'close' ? { connection } : {}) }).toEqual({
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(answer.text)),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': id,
      ...more,
    });
    expect([typeof date, keepAlive === undefined]).toEqual(['string', connection === 'close']);
    // Every problem type is a page of this server.
    const page = await server.ask(`/api/v1/problems/${slug}`);
    expect(page.json()).toMatchObject({ data: { slug } });
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

  test('logs a fault in full and shows nothing of it', async () => {
    const server = await startTestServer({ endpoints: testRows });
    const answer = await server.ask('/api/v1/fault?secret=1', { headers: { 'X-Request-ID': id } });
    expect(JSON.stringify([answer.headers, answer.text])).not.toMatch(/SELECT|TypeError|secret|at /);
    const request = { kind: 'request_finished', requestId: id, api: 'gateway', method: 'GET', route: '/fault' };
    expect(server.log).toMatchObject([
      {
        ...{ ...request, status: 500, identity: 'anonymous' },
        error: { message: 'secret detail in SELECT * FROM table' },
      },
    ]);
  });

  test('the access log has one line for each answer, with the public id of the credential only', async () => {
    const server = await startTestServer({ endpoints: testRows });
    await server.ask('/api/v1/things/7?limit=1', bearer('good'));
    await server.ask('/elsewhere?x=1');
    const finished = { kind: 'request_finished', requestId: '', durationMs: 0, method: 'GET' };
    expect(server.log.map((fact) => ({ ...fact, requestId: '', durationMs: 0 }))).toEqual([
      { ...finished, api: 'gateway', route: '/things/:id', status: 200, identity: 'api_key', identityId: 'k1' },
      {
        ...{ ...finished, api: 'none', route: null, status: 404, identity: 'anonymous' },
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

  const [v1, entry] = ['/pages/api/v1.php?path=', '/banners/api.php'];
  const accept = { Accept: 'text/html' };
  const twice = 'route is given more than once; give it once';

  test.each<
    [name: string, path: string, options: AskOptions, settings: Partial<TestSettings>, status: number, body: unknown]
  >([
    ['pages: edge', `${v1}%zz`, {}, on, 400, pages('Bad request')],
    ['pages: route before the switch', `${v1}/x`, {}, {}, 404, pages('Not found')],
    ['pages: method', `${v1}/pages`, { method: 'POST' }, on, 405, pages('Method not allowed')],
    ['pages: switch', `${v1}/pages`, {}, {}, 503, pages('Service disabled')],
    ['pages: switch for the document too', `${v1}/openapi.json`, {}, {}, 503, pages('Service disabled')],
    ['pages: token missing', `${v1}/pages`, {}, on, 401, pages('Authentication required')],
    ['pages: token unknown', `${v1}/pages`, bearer('pt_1_2'), on, 401, pages('Invalid or revoked credentials')],
    ['pages: negotiation', `${v1}/openapi.json`, { headers: accept }, on, 406, pages('Not acceptable')],
    ['banners: edge', `${entry}?route=%00`, withKey, on, 400, banners('Bad request')],
    ['banners: switch before the route', `${entry}?route=/x`, {}, {}, 503, banners('api disabled')],
    ['banners: key before the route', `${entry}?route=/x`, {}, on, 401, banners('unauthorized')],
    ['banners: key before a bad route', `${entry}?route=/x&route=/y`, {}, on, 401, banners('unauthorized')],
    ['banners: bad route', `${entry}?route=/x&route=/y`, withKey, on, 400, banners(twice)],
    ['banners: route', `${entry}?route=/x`, withKey, on, 404, banners('not found')],
    ['banners: method', entry, { ...withKey, method: 'DELETE' }, on, 405, banners('method not allowed')],
    ['banners: negotiation', entry, { headers: { ...withKey.headers, ...accept } }, on, 406, banners('not acceptable')],
  ])('%s', async (_name, path, options, settings, status, body) => {
    const server = await startTestServer({ settings });
    const answer = await server.ask(path, options);
    expect([answer.status, answer.json()]).toEqual([status, body]);
    const { headers } = answer;
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const { 'cache-control': control, 'x-content-type-options': sniffing, 'referrer-policy': referrer } = headers;
    expect([control, sniffing, referrer]).toEqual(['no-store', 'nosniff', 'no-referrer']);
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
