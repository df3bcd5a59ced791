/** The page delivery API as far as it goes without tokens: turned off, its document, 401 elsewhere. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { startTestServer } from '../../support/server.js';

const entry = '/pages/api/v1.php';
const routes = ['/health', '/catalog/sections', '/pages', '/pages/42', '/pages/about'];

const off = await startTestServer();
const on = await startTestServer({ settings: { pages_rest_api_enabled: true } });

test.each([...routes, '/openapi.json'])('%s is 503 by default', async (route) => {
  const answer = await off.ask(`${entry}?path=${route}`);
  expect([answer.status, answer.text]).toEqual([503, '{"success":false,"message":"Service disabled","object":{}}']);
});

test.each(routes)('%s needs a token, and none exists', async (route) => {
  const answers = [
    await on.ask(`${entry}?path=${route}`),
    await on.ask(`${entry}?path=${route}`, { headers: { Authorization: 'Bearer pt_00000000_x' } }),
    await on.ask(`${entry}${route}`, { headers: { Authorization: 'Basic Og==' } }),
  ];
  expect(answers.map(({ status, headers, text }) => [status, headers['www-authenticate'], text])).toEqual([
    [401, 'Bearer', '{"success":false,"message":"Authentication required","object":{}}'],
    [401, 'Bearer', '{"success":false,"message":"Invalid or revoked credentials","object":{}}'],
    [401, 'Bearer', '{"success":false,"message":"Authentication required","object":{}}'],
  ]);
});

test('the switch counts at once', async () => {
  const server = await startTestServer();
  const statuses = [];
  for (const enabled of [false, true, false]) {
    server.set({ pages_rest_api_enabled: enabled });
    statuses.push((await server.ask(`${entry}?path=/openapi.json`)).status);
  }
  expect(statuses).toEqual([503, 200, 503]);
});

test('the document is valid, bare, and describes both read scopes and every parameter of a page', async () => {
  const answer = await on.ask(`${entry}?path=/openapi.json`);
  const document = answer.json() as {
    paths: Record<string, { get: { security: unknown; parameters?: { name: string }[]; 'x-required-scope'?: string } }>;
  };
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  expect(document).toMatchObject({
    openapi: '3.1.1',
    servers: [{ url: entry, description: 'This server' }],
    info: { version: '0.1.0' },
  });
  const scopes = Object.entries(document.paths).map(([path, { get }]) => [path, get['x-required-scope'], get.security]);
  expect(scopes).toEqual([
    ['/health', 'catalog.read', [{ bearer: [] }]],
    ['/catalog/sections', 'catalog.read', [{ bearer: [] }]],
    ['/pages', 'pages.read', [{ bearer: [] }]],
    ['/pages/{idOrAlias}', 'pages.read', [{ bearer: [] }]],
    ['/openapi.json', undefined, []],
    ['/', undefined, []],
  ]);
  const parameters = document.paths['/pages/{idOrAlias}']?.get.parameters?.map(({ name }) => name);
  const some = ['idOrAlias', 'context', 'include', 'section_types', 'visitor', 'preview_token', 'X-Preview-Token'];
  expect(parameters).toEqual([...some, 'state']);
});

test('the address alone lists the routes, and needs no token', async () => {
  const server = await startTestServer();
  expect((await server.ask(entry)).status).toBe(503);
  server.set({ pages_rest_api_enabled: true });
  for (const address of [entry, `${entry}/`, `${entry}?path=/`, `${entry}?path=`]) {
    const answer = await server.ask(address);
    const object = {
      name: 'Page delivery API',
      version: '0.1.0',
      routes: [
        { method: 'GET', path: '/health', scope: 'catalog.read', summary: 'State of the service' },
        { method: 'GET', path: '/catalog/sections', scope: 'catalog.read', summary: expect.any(String) },
        { method: 'GET', path: '/pages', scope: 'pages.read', summary: expect.any(String) },
        { method: 'GET', path: '/pages/{idOrAlias}', scope: 'pages.read', summary: 'One published page' },
        { method: 'GET', path: '/openapi.json', scope: null, summary: expect.any(String) },
        { method: 'GET', path: '/', scope: null, summary: 'Routes of this API' },
      ],
    };
    expect([answer.status, answer.json()], address).toEqual([200, { success: true, message: '', object }]);
  }
  expect((await server.ask(entry, { headers: { Authorization: 'Bearer wrong' } })).status).toBe(401);
});

test('a wrong bearer is refused at the document too', async () => {
  const answer = await on.ask(`${entry}?path=/openapi.json`, { headers: { Authorization: 'Bearer x' } });
  expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
});

test('the document is revalidated, and every answer carries the security headers', async () => {
  const first = await on.ask(`${entry}?path=/openapi.json`);
  const second = await on.ask(`${entry}?path=/openapi.json`, {
    headers: { 'If-None-Match': first.headers.etag ?? '' },
  });
  const error = await on.ask(`${entry}?path=/nothing`);
  expect([first.status, second.status, second.text, error.status]).toEqual([200, 304, '', 404]);
  for (const { headers } of [first, second, error]) {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  }
  for (const { headers } of [first, second]) {
    const vary = 'Authorization, Accept-Encoding';
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary, etag: first.headers.etag });
  }
});
