/** Floods of different requests: what is kept stays within its bytes, and an answer that many ask for stays among it. */
import { expect, test } from 'vitest';
import type { Endpoint } from '../../../src/http/interface/endpoint.js';
import { row, startTestServer } from '../../support/server.js';

const cacheBytes = 128 * 1024;
const requests = 80;
const hot = '/api/v1/thing/1?sort=hot';

interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const floods: readonly (readonly [name: string, ask: (at: number) => Asked])[] = [
  ['values of parameters', (at) => ({ path: `/api/v1/thing/1?sort=${at}` })],
  ['long values of parameters', (at) => ({ path: `/api/v1/thing/1?sort=${at}${'x'.repeat(900)}` })],
  ['names of parameters', (at) => ({ path: `/api/v1/thing/1?filter[${at}]=1` })],
  ['parameters that mean nothing', (at) => ({ path: `${hot}&junk${at}=${at}` })],
  ['paths', (at) => ({ path: `/api/v1/thing/${at + 2}` })],
  ['spellings of a path', (at) => ({ path: `/api/v1/thing/1${'%2f'.repeat(at)}` })],
  ['paths that lead nowhere', (at) => ({ path: `/nowhere/${at}` })],
  ['contexts', (at) => ({ path: '/api/v1/thing/1?sort=cold', headers: { 'X-Context': `context-${at}` } })],
  ['callers', (at) => ({ path: hot, headers: { Authorization: `Bearer wrong-${at}` } })],
  ['cookies', (at) => ({ path: hot, headers: { Cookie: `hcd_session=${at}` } })],
  ['origins', (at) => ({ path: hot, headers: { Origin: `https://${at}.example` } })],
  ['media types', (at) => ({ path: hot, headers: { Accept: `application/json;q=0.${at + 1}, text/x-${at}` } })],
  [
    'encodings',
    (at) => ({
      path: `/api/v1/thing/1?sort=${at % 7}`,
      headers: { 'Accept-Encoding': `br;q=0.${at + 1}, gzip, x-${at}` },
    }),
  ],
  ['encodings that are excluded', (at) => ({ path: hot, headers: { 'Accept-Encoding': `x-${at}, *;q=0` } })],
  ['ranges', (at) => ({ path: hot, headers: { Range: `bytes=${at}-${at + 1}` } })],
  ['tags', (at) => ({ path: hot, headers: { 'If-None-Match': `"${at}"` } })],
  ['hosts', (at) => ({ path: hot, headers: { Host: `${at}.example` } })],
  [
    'forwarded hosts',
    (at) => ({ path: hot, headers: { 'X-Forwarded-Host': `${at}.example`, 'X-Forwarded-For': `10.0.0.${at % 256}` } }),
  ],
];

/** Answers of 4 KB that say what was asked for; counts how often each was made. */
function things(): { readonly made: Map<string, number>; readonly endpoint: Endpoint } {
  const made = new Map<string, number>();
  const parameters = ['sort', 'filter'].map((name) => ({
    name,
    in: 'query' as const,
    description: name,
    schema: { type: 'string' },
  }));
  const endpoint = row({
    name: 'thing',
    path: '/thing/:id',
    parameters: [{ name: 'id', in: 'path', description: 'id', schema: { type: 'string' } }, ...parameters],
    handler: ({ params, query }) => {
      const asked = JSON.stringify([params, query]);
      made.set(asked, (made.get(asked) ?? 0) + 1);
      const body = { kind: 'json', value: { asked, text: 'everything to carry '.repeat(200) } } as const;
      return { status: 200, body, caching: { kind: 'content', tags: [] } };
    },
  });
  return { made, endpoint };
}

test.each(floods)('of %s keep to the memory, and leave the answer that others ask for', async (_name, flood) => {
  const { made, endpoint } = things();
  const server = await startTestServer({ endpoints: [endpoint], limits: { cacheBytes } });
  const first = await server.ask(hot);
  const kept = JSON.parse(first.text).asked;
  let most = 0;
  for (let at = 0; at < requests; at += 1) {
    const { path, headers } = flood(at);
    const { status } = await server.ask(path, headers === undefined ? {} : { headers });
    expect(status).toBeLessThan(500);
    most = Math.max(most, server.server.cache.bytes);
    if (at % 10 === 0) expect((await server.ask(hot)).text).toBe(first.text);
  }
  expect(most).toBeLessThanOrEqual(cacheBytes);
  expect(most).toBeGreaterThan(first.text.length);
  expect(server.server.cache.hits).toBeGreaterThanOrEqual(requests / 10);
  expect(made.get(kept)).toBe(1);
  const { text, headers } = await server.ask(hot);
  expect([text, headers.etag]).toEqual([first.text, first.headers.etag]);
});
