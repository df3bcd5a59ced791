/** Answers from memory in front of Koa: the same bytes, headers, limits and log lines as on the way through it. */
import { expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import type { Reply } from '../../../src/http/interface/endpoint.js';
import { type Answer, row, startTestServer } from '../../support/server.js';

/** A cookie means nothing to these routes and sends a request through Koa. */
const throughKoa = { Cookie: 'a=b' };

async function serve(most = 100) {
  let made = 0;
  let counted = 0;
  const handler = (): Reply => {
    made += 1;
    return { status: 200, body: { kind: 'json', value: { made } }, caching: { kind: 'content', tags: ['one', 'two'] } };
  };
  const server = await startTestServer({
    settings: { gateway_cors_enabled: true, gateway_cors_allowed_origins: ['https://a.example'] },
    endpoints: [row({ name: 'x', path: '/x', parameters: [], handler })],
    gateway: {
      limit() {
        counted += 1;
        const headers = { 'X-RateLimit-Limit': String(most) };
        if (counted <= most) return { headers };
        return { headers, error: new AppError('rate_limited', { details: { retryAfter: 9 } }) };
      },
    },
  });
  return { server, made: () => made, counted: () => counted };
}

/** What a client sees, without what differs from request to request. */
function shown({ status, headers, text }: Answer) {
  const { date: _date, ...rest } = headers;
  return { status, headers: rest, text };
}

const id = 'request-0001';

test.each<[name: string, ask: { method?: string; headers?: Record<string, string>; path?: string }]>([
  ['a plain read', {}],
  ['HEAD', { method: 'HEAD' }],
  ['parameters that no route knows', { path: '/api/v1/x?utm_source=a' }],
  ['the entry without clean addresses', { path: '/api.php?route=/v1/x' }],
  ['a tag that does not fit', { headers: { 'If-None-Match': '"other"' } }],
  ['any tag', { headers: { 'If-None-Match': '*' } }],
  ['another origin', { headers: { Origin: 'https://a.example' } }],
  ['a media type', { headers: { Accept: 'application/json' } }],
  ['a media type that is not offered', { headers: { Accept: 'image/png' } }],
  ['a context', { headers: { 'X-Context': 'web' } }],
  ['a wrong credential', { headers: { Authorization: 'Bearer wrong' } }],
  ['a forwarded address', { headers: { 'X-Forwarded-For': '192.0.2.1' } }],
])('answers %s from memory as Koa does', async (_name, { method, headers, path = '/api/v1/x' }) => {
  const { server } = await serve();
  await server.ask('/api/v1/x');
  const asked = { ...(method === undefined ? {} : { method }), headers: { 'X-Request-ID': id, ...headers } };
  const first = await server.ask(path, asked);
  const second = await server.ask(path, { ...asked, headers: { ...asked.headers, ...throughKoa } });
  expect(shown(first)).toEqual(shown(second));
  const [, one, other] = server.log;
  expect({ ...one, durationMs: 0 }).toEqual({ ...other, durationMs: 0 });
});

test('counts requests that memory answers, and refuses them over the limit', async () => {
  const { server, made, counted } = await serve(3);
  const statuses = [];
  for (let at = 0; at < 5; at += 1) statuses.push((await server.ask('/api/v1/x')).status);
  expect({ statuses, made: made(), counted: counted() }).toEqual({
    statuses: [200, 200, 200, 429, 429],
    made: 1,
    counted: 5,
  });
});

test('makes an answer again after content has changed', async () => {
  const { server, made } = await serve();
  await server.ask('/api/v1/x');
  await server.ask('/api/v1/x');
  server.bumpGeneration();
  const after = await server.ask('/api/v1/x');
  expect([made(), after.json()]).toEqual([2, { made: 2 }]);
});

test('answers nothing from memory while the gateway is switched off', async () => {
  const { server } = await serve();
  await server.ask('/api/v1/x');
  server.set({ gateway_enabled: false });
  expect((await server.ask('/api/v1/x')).status).toBe(503);
});
