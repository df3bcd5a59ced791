/** Every route of every table × every method: HEAD wherever GET, 405 with the exact Allow, OPTIONS by API. */
import { expect, test } from 'vitest';
import type { ApiModule } from '../../../src/http/interface/api.js';
import { sendRaw } from '../../support/raw-socket.js';
import { testRows } from '../../support/rows.js';
import { startTestServer } from '../../support/server.js';

const server = await startTestServer({
  endpoints: testRows,
  settings: { pages_rest_api_enabled: true, banners_api_enabled: true, banners_api_key: 'key' },
});
const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const headers = { 'X-API-Key': 'key' };

interface Path {
  readonly api: string;
  readonly path: string;
  readonly allow: readonly string[];
}

/** Every path of the tables with the methods that Allow must name, in its order. */
function pathsOf(api: ApiModule): readonly Path[] {
  const { mounts, answersOptions } = api.policy();
  const byPath = new Map<string, string[]>();
  for (const { path, method } of api.endpoints) byPath.set(path, [...(byPath.get(path) ?? []), method]);
  return [...byPath].map(([pattern, methods]) => ({
    api: api.name,
    path: `${mounts[0]?.base}${pattern
      .replace(':name', 'known')
      .replace(':slug', 'not-found')
      .replace(':id', '1')
      .replaceAll(/[:*]\w+/g, 'x')}`,
    allow: allMethods.filter((method) => {
      if (method === 'OPTIONS') return answersOptions;
      return methods.includes(method === 'HEAD' ? 'GET' : method);
    }),
  }));
}

const paths = server.apis.flatMap(pathsOf);

test('the tables are not empty', () => {
  expect([...new Set(paths.map(({ api }) => api))]).toEqual(['gateway', 'pages', 'banners']);
});

test.each(paths)('$api $path allows $allow', async ({ path, allow }) => {
  for (const method of allMethods) {
    const answer = await server.ask(path, { method, headers });
    if (method === 'OPTIONS' && allow.includes('OPTIONS')) {
      expect([answer.status, answer.headers.allow, answer.text]).toEqual([204, allow.join(', '), '']);
    } else if (allow.includes(method)) {
      expect([204, 404, 405]).not.toContain(answer.status);
    } else {
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow.join(', ')]);
    }
  }
});

test.each(paths.filter(({ allow }) => allow.includes('GET')))(
  'HEAD of $api $path has the headers of GET',
  async ({ path }) => {
    const lines = 'Host: a\r\nX-API-Key: key\r\nX-Request-ID: same-for-both';
    const get = await sendRaw({ port: server.port, bytes: `GET ${path} HTTP/1.1\r\n${lines}\r\n\r\n` });
    const head = await sendRaw({ port: server.port, bytes: `HEAD ${path} HTTP/1.1\r\n${lines}\r\n\r\n`, head: true });
    const comparable = (map: ReadonlyMap<string, string>) => {
      const { date, age, 'cache-control': caching, ...rest } = Object.fromEntries(map);
      expect([typeof date, typeof caching]).toEqual(['string', 'string']);
      return { ...rest, aged: age !== undefined };
    };
    // The handler of echo rows names the method in its body, so only its length may differ by the name.
    const { 'content-length': getLength, ...getHeaders } = comparable(get.headers) as Record<string, unknown>;
    const { 'content-length': headLength, ...headHeaders } = comparable(head.headers) as Record<string, unknown>;
    expect([head.status, head.body, headHeaders]).toEqual([get.status, '', getHeaders]);
    expect(Number(headLength) - Number(getLength)).toBe(get.body.includes('"method":"GET","mediaType"') ? 1 : 0);
  },
);

test('OPTIONS is 204 on any path of the gateway, without and with credentials, even when it is off', async () => {
  const off = await startTestServer({ endpoints: testRows, settings: { gateway_enabled: false } });
  for (const path of ['/api/v1/things', '/api/v1/nothing', '/api.php', '/api/v1']) {
    for (const authorization of [undefined, 'Bearer bad']) {
      const given = authorization === undefined ? {} : { Authorization: authorization };
      const answer = await off.ask(path, { method: 'OPTIONS', headers: { ...given, Accept: 'text/html' } });
      expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([204, '', undefined]);
    }
  }
});

test('a method that exists nowhere is not a way around the switch of an API', async () => {
  const off = await startTestServer();
  const answer = await off.ask('/banners/api.php?route=/', { method: 'POST' });
  expect([answer.status, answer.text]).toEqual([503, '{"success":false,"message":"api disabled"}']);
});
