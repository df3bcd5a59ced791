/** Answers from memory in front of Koa: the same bytes, headers, limits and log lines as on the way through it. */
import { expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import type { Reply } from '../../../src/http/interface/endpoint.js';
import { fakeClock } from '../../support/clock.js';
import { rawGet, sendRaw } from '../../support/raw-socket.js';
import { row, startTestServer } from '../../support/server.js';

async function serve(most = 1000, limits = {}) {
  let made = 0;
  let counted = 0;
  const handler = (): Reply => {
    made += 1;
    return { status: 200, body: { kind: 'json', value: { made } }, caching: { kind: 'content', tags: ['one', 'two'] } };
  };
  const large = (): Reply => ({ ...handler(), body: { kind: 'json', value: 'ä large ànswer ☃ '.repeat(4000) } });
  const server = await startTestServer({
    // Age and Date of two answers would differ when a second ends between them.
    clock: fakeClock(),
    limits,
    settings: { gateway_cors_enabled: true, gateway_cors_allowed_origins: ['https://a.example'] },
    endpoints: [
      row({ name: 'x', path: '/x', parameters: [], handler }),
      row({ name: 'large', path: '/large', parameters: [], handler: large }),
    ],
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

test('answers nothing from memory while the gateway is turned off', async () => {
  const { server } = await serve();
  await server.ask('/api/v1/x');
  server.set({ gateway_enabled: false });
  expect((await server.ask('/api/v1/x')).status).toBe(503);
});

const lines = (...more: string[]) => ['X-Request-ID: request-0001', ...more];
/** It means nothing to these routes and sends a request through Koa. */
const cookie = 'Cookie: a=b';

/** The bytes, without the time. Both ways count, so the header of the limit is the same. */
function bytesOf(text: string): string {
  return text.replace(/\r\nDate: [^\r]*/, '\r\nDate: now');
}

/** By path, for the questions with a tag. */
const tags = new Map<string, string>();

const tagForms: readonly [name: string, form: (tag: string) => string][] = [
  ['the tag', (tag) => tag],
  ['a weak tag', (tag) => `W/${tag}`],
  ['the tag of a compressed form', (tag) => tag.replace(/"$/, '-gzip"')],
  ['a list with the tag', (tag) => `"other", ${tag}`],
  ['a list that is broken', (tag) => `"other" ${tag}`],
];

test.each<[name: string, ask: (path: string, more: readonly string[]) => string]>([
  ['a plain read', (path, more) => rawGet(path, lines(...more))],
  ['parameters that no route knows', (path, more) => rawGet(`${path}?utm_source=a`, lines(...more))],
  [
    'the entry without clean addresses',
    (path, more) => rawGet(path.replace('/api', '/api.php?route='), lines(...more)),
  ],
  ['HEAD', (path, more) => rawGet(path, lines(...more)).replace('GET', 'HEAD')],
  ['gzip', (path, more) => rawGet(path, lines('Accept-Encoding: gzip', ...more))],
  ['brotli', (path, more) => rawGet(path, lines('accept-encoding: br;q=1, gzip;q=0.5', ...more))],
  ['no-transform', (path, more) => rawGet(path, lines('Accept-Encoding: br', 'Cache-Control: no-transform', ...more))],
  ['an origin', (path, more) => rawGet(path, lines('Origin: https://a.example', ...more))],
  ['an origin that is not let in', (path, more) => rawGet(path, lines('Origin: https://b.example', ...more))],
  ['a range', (path, more) => rawGet(path, lines('Range: bytes=0-3', 'If-Range: "x"', ...more))],
  ['a time', (path, more) => rawGet(path, lines('If-Modified-Since: Mon, 23 Nov 2026 07:08:43 GMT', ...more))],
  ['any tag', (path, more) => rawGet(path, lines('If-None-Match: *', ...more))],
  ['a media type', (path, more) => rawGet(path, lines('Accept: application/json', ...more))],
  ['a media type that is not offered', (path, more) => rawGet(path, lines('Accept: image/png', ...more))],
  ['a context', (path, more) => rawGet(path, lines('X-Context: web', ...more))],
  ['a wrong credential', (path, more) => rawGet(path, lines('Authorization: Bearer wrong', ...more))],
  ['a forwarded address', (path, more) => rawGet(path, lines('X-Forwarded-For: 192.0.2.1', ...more))],
  ['If-Match', (path, more) => rawGet(path, lines('If-Match: "x"', ...more))],
  ['no-cache', (path, more) => rawGet(path, lines('Cache-Control: no-cache', 'Pragma: no-cache', ...more))],
  ['the end of the connection', (path, more) => rawGet(path, lines('Connection: close', ...more))],
  ['HTTP/1.0', (path, more) => rawGet(path, lines('Connection: close', ...more)).replace('HTTP/1.1', 'HTTP/1.0')],
  ['HTTP/1.0, kept', (path, more) => rawGet(path, lines('Connection: keep-alive', ...more)).replace('1.1', '1.0')],
  ['an expectation', (path, more) => rawGet(path, lines('Expect: 100-continue', ...more))],
  ['another expectation', (path, more) => rawGet(path, lines('Expect: everything', 'Connection: close', ...more))],
  ['a body', (path, more) => `${rawGet(path, lines('Content-Length: 4', ...more))}abcd`],
  ['an empty body', (path, more) => rawGet(path, lines('Content-Length: 0', ...more))],
  ['an absolute target', (path, more) => rawGet(`http://localhost${path}`, lines(...more))],
  ['a target of another host', (path, more) => rawGet(`http://other${path}`, lines('Connection: close', ...more))],
  ['two slashes', (path, more) => rawGet(`/${path}`, lines(...more))],
  ['a path with dots', (path, more) => rawGet(`/api/../${path}`, lines(...more))],
  ['a question mark alone', (path, more) => rawGet(`${path}?`, lines(...more))],
  ['two hosts', (path, more) => rawGet(path, lines('Host: other', 'Connection: close', ...more))],
  ['a host that is none', (path, more) => rawGet(path, lines('Connection: close', ...more)).replace('localhost', '*')],
  ['a short id', (path, more) => rawGet(path, ['X-Request-ID: request-0001', 'X-Forwarded-Proto: https', ...more])],
  ...tagForms.map(([name, form]): [string, (path: string, more: readonly string[]) => string] => [
    name,
    (path, more) => rawGet(path, lines(`If-None-Match: ${form(tags.get(path) ?? '')}`, ...more)),
  ]),
])('sends the same bytes from memory as through Koa: %s', async (name, ask) => {
  const { server } = await serve();
  const { port } = server;
  for (const path of ['/api/v1/x', '/api/v1/large']) {
    // An answer that was just made has no compressed form yet.
    await sendRaw({ port, bytes: rawGet(path, ['Accept-Encoding: gzip']) });
    await sendRaw({ port, bytes: rawGet(path, ['Accept-Encoding: br']) });
    tags.set(path, (await server.ask(path)).headers.etag ?? '');
    const before = server.log.length;
    const head = name === 'HEAD';
    const fast = await sendRaw({ port, bytes: ask(path, []), head });
    const slow = await sendRaw({ port, bytes: ask(path, [cookie]), head });
    expect(fast.text).not.toBe('');
    expect(bytesOf(fast.text)).toBe(bytesOf(slow.text));
    const [one, other, ...rest] = server.log.slice(before).map((fact) => ({ ...fact, durationMs: 0 }));
    expect(rest).toEqual([]);
    expect(one).toEqual(other);
  }
});

test('answers requests that were sent ahead in their order, to the last one that a connection may have', async () => {
  const { server } = await serve(1000, { maxRequestsPerSocket: 6 });
  const { port } = server;
  await server.ask('/api/v1/large');
  await server.ask('/api/v1/x');
  const question = (id: string, path: string, more: readonly string[] = []) =>
    rawGet(path, [`X-Request-ID: ahead-${id}`, ...more]);
  const bytes = [
    question('001', '/api/v1/large'),
    question('002', '/api/v1/x').replace('GET', 'HEAD'),
    question('003', '/api/v1/x', [cookie]),
    question('004', '/api/v1/large', ['If-None-Match: *']),
    question('005', '/api/v1/nothing'),
    question('006', '/api/v1/large'),
    question('007', '/api/v1/x'),
  ].join('');
  const { text } = await sendRaw({ port, bytes, untilClose: true });
  const heads = [...text.matchAll(/HTTP\/1\.1 (\d+) .*?X-Request-ID: (\S+).*?Connection: (\S+)/gs)];
  expect(heads.map(([, ...found]) => found.join(' '))).toEqual([
    '200 ahead-001 keep-alive',
    '200 ahead-002 keep-alive',
    '200 ahead-003 keep-alive',
    '304 ahead-004 keep-alive',
    '404 ahead-005 keep-alive',
    '200 ahead-006 close',
  ]);
});
