/** The door of the banner API: its switch, its keys and the list of its routes. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { type AskOptions, startTestServer } from '../../support/server.js';

const entry = '/banners/api.php';
const key = '0123456789abcdef0123456789abcdef';
const on = { banners_api_enabled: true, banners_api_key: key };

const read = (route: string) => ({ method: 'GET', route, write: false });
const write = (method: string, route: string) => ({ method, route, write: true });

const discovery = {
  success: true,
  data: {
    name: 'Banner API',
    version: '1.1.0',
    routes: [
      read('/'),
      read('/ads'),
      read('/ads/{id}'),
      read('/ads/{id}/clicks'),
      write('POST', '/ads'),
      write('POST', '/ads/from-template'),
      write('PATCH', '/ads/{id}'),
      read('/positions'),
      read('/positions/{id}'),
      read('/positions/{id}/ads'),
      read('/stats'),
      read('/stats/summary'),
      read('/stats/by-day'),
      read('/stats/top-ads'),
      read('/stats/referrers'),
      read('/stats/compare'),
      read('/stats/export'),
      read('/slots/{position}'),
      write('POST', '/conversions'),
      read('/audit'),
      read('/templates'),
      read('/openapi.json'),
    ],
  },
};

test('turned off by default, whatever the key', async () => {
  const server = await startTestServer({ settings: { banners_api_key: key } });
  const answer = await server.ask(entry, { headers: { 'X-API-Key': key } });
  expect([answer.status, answer.text]).toEqual([503, '{"success":false,"message":"api disabled"}']);
});

test('the OpenAPI document needs no key, is valid, and has every route once under a name of its own', async () => {
  const server = await startTestServer({ settings: on });
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
  expect(new Set(ids).size).toBe(ids.length);
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
  const server = await startTestServer({ settings: on });
  const answer = await server.ask(path, options);
  expect(answer.status).toBe(status);
  if (status === 200) expect(answer.json()).toEqual(discovery);
  if (status === 401) expect(answer.json()).toEqual({ success: false, message: 'unauthorized' });
  await server.close();
});

test('refuses every key while none is configured', async () => {
  const server = await startTestServer({ settings: { banners_api_enabled: true } });
  expect((await server.ask(entry)).status).toBe(401);
  expect((await server.ask(`${entry}?api_key=`)).status).toBe(401);
  expect((await server.ask(entry, header('X-API-Key', ''))).status).toBe(401);
});

test('accepts a changed key immediately', async () => {
  const server = await startTestServer({ settings: on });
  server.set({ banners_api_key: 'other' });
  expect((await server.ask(entry, header('X-API-Key', key))).status).toBe(401);
  expect((await server.ask(entry, header('X-API-Key', 'other'))).status).toBe(200);
});

test('answers are private', async () => {
  const server = await startTestServer({ settings: on });
  const { headers } = await server.ask(entry, header('X-API-Key', key));
  expect([headers['cache-control'], headers.vary]).toEqual([
    'private, no-store, no-transform',
    'Authorization, X-API-Key',
  ]);
});
