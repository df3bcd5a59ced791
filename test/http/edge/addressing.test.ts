/**
 * How a request finds its API and route (docs/reference/http.md#addresses): prefix, fallback entry, route parameters,
 * rest of the path.
 */
import { describe, expect, test } from 'vitest';
import { testRows } from '../../support/rows.js';
import { startTestServer } from '../../support/server.js';

const server = await startTestServer({ endpoints: testRows });

/** Path, parameters and query as the handler sees them; the status where no handler is reached. */
async function seen(path: string): Promise<unknown> {
  const answer = await server.ask(path);
  if (answer.status !== 200) return answer.status;
  const { path: given, base, params, query } = answer.json() as Record<string, unknown>;
  expect(base).toBe('/api/v1');
  return { path: given, params, query };
}

const list = { path: '/api/v1/things', params: {}, query: [] };
const one = { path: '/api/v1/things/7', params: { id: '7' }, query: [] };
const discovery = { path: '/api/v1', params: {}, query: [] };

describe('the gateway', () => {
  test.each<[string, unknown]>([
    ['/api/v1', discovery],
    ['/api/v1/', discovery],
    ['/api/v1/things', list],
    ['/api/v1/things/7', one],
    ['/api/v1/things/', 404],
    ['/api/v1/Things', 404],
    ['/API/v1/things', 404],
    ['/api/v1x/things', 404],
    ['/api/v1/../v1/things', 404],
    ['/api/v1//things', 404],
    ['/api', 404],
    ['/', 404],
    ['/api/v1/things/a%20b', { path: '/api/v1/things/a%20b', params: { id: 'a b' }, query: [] }],
    ['/api/v1/things/100%2525', { path: '/api/v1/things/100%2525', params: { id: '100%25' }, query: [] }],
    ['/api/v1/files/a/b%2Fc/', { path: '/api/v1/files/a/b%2Fc/', params: { rest: 'a/b/c/' }, query: [] }],
    ['/api/v1/things/__proto__', { path: '/api/v1/things/__proto__', params: { id: '__proto__' }, query: [] }],
    ['/api.php', discovery],
    ['/api.php/', discovery],
    ['/api.php/v1', discovery],
    ['/api.php/v1/things', list],
    ['/api.php/api/v1/things', list],
    ['/api.php/things', 404],
    ['/api.php?route=', discovery],
    ['/api.php?route=/v1', discovery],
    ['/api.php?route=/v1/things', list],
    ['/api.php?route=v1/things', list],
    ['/api.php?route=/api/v1/things', list],
    ['/api.php?route=%2Fv1%2Fthings%2F7', one],
    ['/api.php?path=/v1/things', list],
    ['/api.php?route=/v1/things/7&path=/v1/things', one],
    ['/api.php?path=/v1/things&route=/v1/things/7', one],
    ['/api.php/v1/things?route=/v1/things/7&path=/x', list],
    ['/api.php?route=/v1/things&limit=3', { ...list, query: [['limit', '3']] }],
    ['/api.php?route=/v1/things?limit=3', 404],
    ['/api.php?route=/v1/things%3Flimit=3', 404],
    ['/api.php?route=/v1/things/a%2520b', { path: '/api/v1/things/a%20b', params: { id: 'a b' }, query: [] }],
    ['/api.php?route=/v1/things/%25zz', 400],
    ['/api.php?route=/v1/things/%2500', 400],
    ['/api.php?route=/v1/things&route=/v1/things', 422],
    ['/api.php?route=/things', 404],
    ['/api.php?route=//evil.example', 404],
    ['/api.phpx', 404],
  ])('%s', async (path, expected) => {
    expect(await seen(path)).toEqual(expected);
  });

  test('a repeated route names its parameter', async () => {
    expect((await server.ask('/api.php?route=/a&route=/b')).json()).toMatchObject({
      code: 'validation_failed',
      errors: { route: ['route is given more than once; give it once'] },
    });
  });

  test('unknown parameters do not reach the handler; documented ones keep their order, with lists together', async () => {
    expect(
      await seen('/api/v1/things?x=1&filter[a][]=2&limit=3&filter[a][]=1&utm_source=n&__proto__=9&a+b=%2B'),
    ).toEqual({
      ...list,
      query: [
        ['filter[a][]', '2'],
        ['filter[a][]', '1'],
        ['limit', '3'],
        ['utm_source', 'n'],
      ],
    });
  });

  test.each<[string, unknown]>([
    ['limit=a+b', [['limit', 'a b']]],
    ['limit=a%2Bb', [['limit', 'a+b']]],
    ['limit', [['limit', '']]],
    ['limit=', [['limit', '']]],
    ['&&limit=1&', [['limit', '1']]],
    [
      'x=1&amp;limit=1&amp;filter[a]=2',
      [
        ['limit', '1'],
        ['filter[a]', '2'],
      ],
    ],
    [
      'filter[a][1]=2&filter[a][0]=1',
      [
        ['filter[a][]', '1'],
        ['filter[a][]', '2'],
      ],
    ],
    ['limit=1=2', [['limit', '1=2']]],
    ['%6Cimit=1', [['limit', '1']]],
    ['limit=%C3%A9', [['limit', 'é']]],
    ['limit=%F0%9F%98%80', [['limit', '😀']]],
    ['filter%5Bid%5D=1', [['filter[id]', '1']]],
    ['filter=1', [['filter', '1']]],
    ['limitx=1', []],
    ['[limit]=1', []],
  ])('the query %s is read as pairs', async (query, expected) => {
    expect(await seen(`/api/v1/things?${query}`)).toEqual({ ...list, query: expected });
  });

  test('the prefix follows its setting at once', async () => {
    const moved = await startTestServer({ endpoints: testRows });
    expect((await moved.ask('/api/v1/things')).status).toBe(200);
    moved.set({ gateway_api_prefix: '/cms' });
    expect((await moved.ask('/api/v1/things')).status).toBe(404);
    expect((await moved.ask('/cms/v1/things')).json()).toMatchObject({ path: '/cms/v1/things', base: '/cms/v1' });
    expect((await moved.ask('/api.php?route=/cms/v1/things')).json()).toMatchObject({ path: '/cms/v1/things' });
    moved.set({ gateway_api_prefix: '' });
    expect((await moved.ask('/v1/things')).json()).toMatchObject({ path: '/v1/things', base: '/v1' });
    expect((await moved.ask('/v1/nothing')).json()).toMatchObject({ type: '/v1/problems/not-found' });
    await moved.close();
  });
});

describe('pages and banners', async () => {
  const settings = { pages_rest_api_enabled: true, banners_api_enabled: true, banners_api_key: 'k' };
  const both = await startTestServer({ settings });

  test.each<[string, number]>([
    ['/pages/api/v1.php?path=/openapi.json', 200],
    ['/pages/api/v1.php?path=openapi.json', 200],
    ['/pages/api/v1.php/openapi.json', 200],
    ['/pages/api/v1.php?path=/pages/5', 401],
    ['/pages/api/v1.php?path=/pages/5&include=html', 401],
    ['/pages/api/v1.php', 200],
    ['/pages/api/v1.php?route=/openapi.json', 200],
    ['/pages/api/v1.php?path=/openapi.json?x=1', 404],
    ['/pages/api/v1.php?path=/openapi.json&path=/openapi.json', 400],
    ['/pages/api/v1.php?path=/%25zz', 400],
    ['/pages/openapi.json', 404],
    ['/banners/api.php', 200],
    ['/banners/api.php/', 200],
    ['/banners/api.php?route=/', 200],
    ['/banners/api.php?path=/', 200],
    ['/banners/api.php?route=openapi.json', 200],
    ['/banners/api.php?route=/nothing', 404],
    ['/banners/api.php?path=/nothing', 404],
    ['/banners/api.php?route=/&path=/nothing', 200],
    ['/banners/api.php?route=/?x=1', 404],
    ['/banners/api.php?route=/&route=/', 400],
    ['/banners/api.php/nothing', 404],
  ])('%s is %i', async (path, status) => {
    const headers = path.startsWith('/banners') ? { 'X-API-Key': 'k' } : {};
    expect((await both.ask(path, { headers })).status).toBe(status);
  });
});
