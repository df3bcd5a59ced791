/** The door of the banner API: its switch, its keys and the list of its routes. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, expect, test } from 'vitest';
import { type AskOptions, startTestServer, type TestServer } from '../../support/server.js';

const entry = '/banners/api.php';
const key = '0123456789abcdef0123456789abcdef';
const on = { banners_api_enabled: true, banners_api_key: key };

const discovery = {
  success: true,
  data: {
    name: 'Banner API',
    version: '1.1.0',
    routes: [
      ...['GET /', 'GET /ads', 'GET /ads/{id}', 'GET /ads/{id}/clicks', 'POST /ads', 'POST /ads/from-template'],
      ...['PATCH /ads/{id}', 'GET /positions', 'GET /positions/{id}', 'GET /positions/{id}/ads', 'GET /stats'],
      ...['GET /stats/summary', 'GET /stats/by-day', 'GET /stats/top-ads', 'GET /stats/referrers'],
      ...['GET /stats/compare', 'GET /stats/export', 'GET /slots/{position}', 'POST /conversions', 'GET /audit'],
      ...['GET /templates', 'GET /openapi.json'],
    ].map((text) => {
      const [method, route] = text.split(' ');
      return { method, route, write: method !== 'GET' };
    }),
  },
};

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ settings: on });
});

test('turned off by default, whatever the key', async () => {
  const off = await startTestServer({ settings: { banners_api_key: key } });
  const answer = await off.ask(entry, { headers: { 'X-API-Key': key } });
  expect([answer.status, answer.text]).toEqual([503, '{"success":false,"message":"api disabled"}']);
});

test('the OpenAPI document needs no key, is valid, and has every route', async () => {
  const answer = await server.ask(`${entry}/openapi.json`);
  expect(answer.status).toBe(200);
  const document = answer.json() as {
    servers: unknown;
    paths: Record<string, Record<string, { operationId: string; parameters: { name: string; explode?: boolean }[] }>>;
  };
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  expect(document.servers).toEqual([{ url: entry, description: 'This server' }]);
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes.toSorted()).toEqual(discovery.data.routes.map(({ method, route }) => `${method} ${route}`).toSorted());
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.filter((id) => !/^(?:list|get|create|update)[A-Z]\w+$/.test(id))).toEqual([]);
  const lists = document.paths['/ads']?.['get']?.parameters.filter(({ explode }) => explode === false);
  expect(lists?.map(({ name }) => name)).toEqual(['position', 'fields']);
  expect((await server.ask(`${entry}/ads`)).status).toBe(401);
});

const header = (name: string, value: string): AskOptions => ({ headers: { [name]: value } });

test.each<[name: string, path: string, options: AskOptions, status: number]>([
  ['Authorization', entry, header('Authorization', `Bearer ${key}`), 200],
  ['Authorization in lower case', entry, header('Authorization', `bearer ${key}`), 200],
  ['X-API-Key', entry, header('X-API-Key', key), 200],
  ['api_key', `${entry}?api_key=${key}`, {}, 200],
  ['api_key next to route', `${entry}?route=/&api_key=${key}`, {}, 200],
  ['no key', entry, {}, 401],
  ['an empty key', `${entry}?api_key=`, {}, 401],
  ['a wrong key', entry, header('X-API-Key', `${key}0`), 401],
  ['a prefix of the key', entry, header('X-API-Key', key.slice(0, -1)), 401],
  ['the key in upper case', entry, header('X-API-Key', key.toUpperCase()), 401],
  ['Basic', entry, header('Authorization', `Basic ${key}`), 401],
  ['Bearer without key', entry, header('Authorization', 'Bearer'), 401],
  ['a wrong Bearer with a right X-API-Key', entry, { headers: { Authorization: 'Bearer x', 'X-API-Key': key } }, 401],
  ['a wrong X-API-Key with a right api_key', `${entry}?api_key=${key}`, header('X-API-Key', 'x'), 401],
  ['two X-API-Keys', entry, { headers: { 'X-API-Key': [key, key] } }, 401],
  ['two api_keys', `${entry}?api_key=${key}&api_key=${key}`, {}, 400],
])('%s', async (_name, path, options, status) => {
  const answer = await server.ask(path, options);
  expect(answer.status).toBe(status);
  if (status === 200) expect(answer.json()).toEqual(discovery);
  if (status === 401) expect(answer.json()).toEqual({ success: false, message: 'unauthorized' });
});

test('refuses every key while none is configured', async () => {
  const { ask } = await startTestServer({ settings: { banners_api_enabled: true } });
  const answers = [await ask(entry), await ask(`${entry}?api_key=`), await ask(entry, header('X-API-Key', ''))];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test('accepts a changed key immediately', async () => {
  const changed = await startTestServer({ settings: on });
  changed.set({ banners_api_key: 'other' });
  expect((await changed.ask(entry, header('X-API-Key', key))).status).toBe(401);
  expect((await changed.ask(entry, header('X-API-Key', 'other'))).status).toBe(200);
});

test('answers are private', async () => {
  const { headers } = await server.ask(entry, header('X-API-Key', key));
  const expected = { 'cache-control': 'private, no-store, no-transform', vary: 'Authorization, X-API-Key' };
  expect(headers).toMatchObject(expected);
});
