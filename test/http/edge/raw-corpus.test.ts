/** What arrives on a socket and is no proper request: refused, in the right shape, and the server goes on. */
import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/http/interface/endpoint.js';
import type { ServerLimits } from '../../../src/http/server/server.js';
import { rawGet, sendRaw } from '../../support/raw-socket.js';
import { testRows } from '../../support/rows.js';
import { row, startTestServer } from '../../support/server.js';

const server = await startTestServer({ endpoints: testRows });
const { port } = server;
const things = '/api/v1/things';

const post = (lines: readonly string[], body: string): string =>
  `${[`POST ${things} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n${body}`;

describe('a coding of the body', () => {
  test.each(['gzip, chunked', 'identity, chunked', 'xchunked'])(
    'is not read unless it is chunked: %s',
    async (coding) => {
      for (const method of ['GET', 'POST']) {
        const bytes = `${method} ${things} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
        const answer = await sendRaw({ port, bytes });
        expect([answer.status, answer.closed]).toEqual([501, true]);
        expect(JSON.parse(answer.body)).toMatchObject({ status: 501, code: 'bad_request' });
      }
    },
  );
});

describe('refused by the parser, connection closed', () => {
  test.each<[name: string, bytes: string | Buffer, status?: number]>([
    ['a length with a coding', post(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['two equal Content-Lengths', post(['Content-Length: 1', 'Content-Length: 1'], 'x')],
    ['two different Content-Lengths', post(['Content-Length: 1', 'Content-Length: 2'], 'xx')],
    ['a signed Content-Length', post(['Content-Length: +1'], 'x')],
    ['a listed Content-Length', post(['Content-Length: 1, 1'], 'x')],
    ['chunked not last', post(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n')],
    ['a space before the colon', post(['Content-Length : 1'], 'x')],
    ['a folded header line', rawGet(things, ['X-A: b', ' c'])],
    ['bare line feeds', `GET ${things} HTTP/1.1\nHost: localhost\n\n`],
    ['a bare carriage return', rawGet(things, ['X-A: b\rX-B: c'])],
    ['NUL in a header value', rawGet(things, ['X-A: b\0c'])],
    ['an oversized chunk size', post(['Transfer-Encoding: chunked'], 'fffffffffffffffff\r\n')],
    ['long chunk extensions', post(['Transfer-Encoding: chunked'], `1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`), 413],
    ['no Host in HTTP/1.1', `GET ${things} HTTP/1.1\r\n\r\n`],
    ['a raw space in the target', `GET ${things}/a b HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', `FOO ${things} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a lower-case method', `get ${things} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['headers above 16 KiB', rawGet(things, [`X-A: ${'a'.repeat(17_000)}`]), 431],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('%s', async (_name, bytes, status = 400) => {
    const answer = await sendRaw({ port, bytes });
    expect([answer.status, answer.closed, answer.headers.get('connection')]).toEqual([status, true, 'close']);
    expect(JSON.parse(answer.body)).toMatchObject({ title: STATUS_CODES[status], status, code: 'bad_request' });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await server.ask(things)).status).toBe(200);
  });

  test('the answer to broken HTTP is a whole problem document', async () => {
    const answer = await sendRaw({ port, bytes: 'nonsense\r\n\r\n' });
    expect(JSON.parse(answer.body)).toEqual({
      type: '/api/v1/problems/bad-request',
      title: 'Bad Request',
      status: 400,
      detail: 'The request is not valid HTTP/1.1',
      code: 'bad_request',
      request_id: answer.headers.get('x-request-id'),
    });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('a body that turns out to be none', () => {
  const bodies: [name: string, lines: string, bytes: string, status: number][] = [
    ['an unknown transfer coding', 'Transfer-Encoding: xchunked', '0\r\n\r\n', 501],
    ['no size of a chunk', 'Transfer-Encoding: chunked', 'ZZ\r\n', 400],
    ['a second chunk without a size', 'Transfer-Encoding: chunked', '1\r\nx\r\nZZ\r\n', 400],
  ];

  /** A server that notes which paths were deleted. */
  async function startDeleting(limits: Partial<ServerLimits> = {}) {
    const deleted: string[] = [];
    const handler: Endpoint['handler'] = (call) => {
      deleted.push(call.path);
      return { status: 200, body: { kind: 'json', value: {} }, caching: { kind: 'never' } };
    };
    const path = '/things/:id';
    const endpoints = [row({ name: 'delete', method: 'DELETE', path, handler })];
    return { deleted, ...(await startTestServer({ endpoints, limits })) };
  }

  test.each(bodies)('%s keeps a request from its effect', async (_name, line, bytes, status) => {
    const { deleted, port } = await startDeleting();
    const send = (lines: string, body: string) =>
      sendRaw({ port, bytes: `DELETE ${things}/1 HTTP/1.1\r\nHost: a\r\n${lines}\r\n\r\n${body}` });
    const answer = await send(line, bytes);
    expect([answer.status, answer.closed, deleted]).toEqual([status, true, []]);
    expect((await send('Transfer-Encoding: chunked', '1\r\nx\r\n0\r\n\r\n')).status).toBe(200);
    expect(deleted).toEqual([`${things}/1`]);
  });

  test.each(bodies)('%s gets no kept answer', async (_name, line, bytes, status) => {
    const kept = '/api/v1/fixed';
    const { port, ask } = await startTestServer({ endpoints: testRows });
    expect((await ask(kept)).headers.age).toBe('0');
    const answer = await sendRaw({ port, bytes: `${rawGet(kept, [line])}${bytes}` });
    expect([answer.closed, answer.text.match(/HTTP\/1\.1 \d+/g)]).toEqual([true, [`HTTP/1.1 ${status}`]]);
  });

  test('a body that ends before its length keeps a request from its effect', async () => {
    const site = await startDeleting();
    const socket = connect(site.port, '127.0.0.1');
    socket.end(`DELETE ${things}/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf`);
    await once(socket.resume(), 'close');
    expect(site.deleted).toEqual([]);
  });

  test('an end that comes after the refusal for its time changes nothing', async () => {
    const site = await startDeleting({ headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 });
    const socket = connect(site.port, '127.0.0.1');
    socket.write(`DELETE ${things}/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
    socket.end('x');
    await once(socket.resume(), 'close');
    // On a busy machine this request may be refused for its time too.
    await expect.poll(async () => (await site.ask('/api/v1/nothing')).status).toBe(404);
    expect(site.deleted).toEqual([]);
  });
});

describe('accepted by the parser, refused here', () => {
  const headers = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: a`);
  const twoCredentials = ['Authorization: Bearer good', 'Authorization: Bearer x'];
  /** With another target or host. */
  const get = (target: string, host: string) => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

  test.each<[name: string, bytes: string, status?: number, code?: string]>([
    ['two Host headers', rawGet(things, ['Host: other'])],
    ['two equal Host headers in different case', rawGet(things, ['hOST: localhost'])],
    ['user information in Host', get(things, 'a@evil.example')],
    ['a path in Host', get(things, 'a/b')],
    ['an empty Host', get(things, '')],
    ['a Host with a port that is no number', get(things, 'a:b')],
    ['two Authorization headers', rawGet(things, twoCredentials)],
    ['an absolute target of another host', get(`http://evil.example${things}`, 'a')],
    ['an absolute target with user information', get(`http://a@b${things}`, 'b')],
    ['an absolute target with another port', get(`http://a:81${things}`, 'a')],
    ['an absolute target of another scheme', get(`ftp://a${things}`, 'a')],
    ['an unknown expectation', rawGet(things, ['Expect: the-moon']), 417],
    ['TRACE', get(things, 'a').replace('GET', 'TRACE'), 405, 'method_not_allowed'],
    ['PROPFIND on no route', get('/api/v1/nothing', 'a').replace('GET', 'PROPFIND'), 405, 'method_not_allowed'],
    ['OPTIONS of the whole server', get('*', 'a').replace('GET', 'OPTIONS'), 405, 'method_not_allowed'],
    ['an address that looks like another host', rawGet('//evil.example/x'), 404, 'not_found'],
    ['a bad escape in the path', rawGet(`${things}/%zz`)],
    ['a cut escape in the path', rawGet(`${things}/%2`)],
    ['a bad escape in the query', rawGet(`${things}?limit=%zz`)],
    ['a bad escape in a query name', rawGet(`${things}?%=1`)],
    ['NUL in the path', rawGet(`${things}/%00`)],
    ['NUL in the query', rawGet(`${things}?a=%00`)],
    ['a byte that is no UTF-8', rawGet(`${things}/%ff`)],
    ['an overlong form of a slash', rawGet(`${things}/%c0%af`)],
    ['an overlong NUL in the query', rawGet(`${things}?a=%c0%80`)],
    ['half of a surrogate pair', rawGet(`${things}?a=%ed%a0%80`)],
    ['a fragment', rawGet(`${things}#x`)],
    ['101 headers', rawGet(things, headers(100))],
    ['a path above the limit', rawGet(`/api/v1/things/${'a'.repeat(2048)}`), 414, 'uri_too_long'],
    ['a target above 8 KiB', rawGet(`${things}?a=${'a'.repeat(8192)}`), 414, 'uri_too_long'],
  ])('%s', async (_name, bytes, status = 400, code = 'bad_request') => {
    const answer = await sendRaw({ port, bytes });
    expect(JSON.parse(answer.body)).toMatchObject({ status: answer.status, code });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect([answer.status, answer.closed]).toEqual([status, !answer.text.startsWith('HTTP/1.1 404')]);
    expect((await server.ask(things)).status).toBe(200);
  });
});

describe('refused by the parser or here, as this version of Node has it', () => {
  test('raw bytes above ASCII in the target', async () => {
    const bytes = Buffer.from(`GET ${things}/\xe9 HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1');
    const answer = await sendRaw({ port, bytes });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      400,
      { code: 'bad_request', detail: expect.stringContaining('percent-encode') },
    ]);
    expect((await server.ask(things)).status).toBe(200);
  });

  test('2,100 headers', async () => {
    const headers = Array.from({ length: 2100 }, (_, index) => `X-${index}:`);
    const answer = await sendRaw({ port, bytes: rawGet(things, headers) });
    expect([400, 431]).toContain(answer.status);
    expect(JSON.parse(answer.body)).toMatchObject({ status: answer.status, code: 'bad_request' });
    expect(answer.closed).toBe(true);
    expect((await server.ask(things)).status).toBe(200);
  });
});

describe('unusual and fine', () => {
  test.each<[name: string, bytes: string]>([
    ['an absolute target of the same host', `GET http://a.example:80${things} HTTP/1.1\r\nHost: A.example:80\r\n\r\n`],
    ['an IPv6 host', `GET ${things} HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n`],
    ['HTTP/1.0 without Host', `GET ${things} HTTP/1.0\r\n\r\n`],
    ['99 more headers', rawGet(things, Array(99).fill('X-A: a'))],
    ['a path at the limit', rawGet(`/api/v1/things/${'a'.repeat(2048 - '/api/v1/things/'.length)}`)],
    ['a long query', rawGet(`${things}?a=${'a'.repeat(8000)}`)],
    ['a request to switch protocols', rawGet(things, ['Connection: Upgrade', 'Upgrade: websocket'])],
  ])('%s', async (_name, bytes) => {
    expect((await sendRaw({ port, bytes })).status).toBe(200);
  });

  test('a body of a GET is thrown away and the connection stays usable', async () => {
    const first = `GET ${things} HTTP/1.1\r\nHost: a\r\nX-Request-ID: first-one\r\nContent-Length: 4\r\n\r\nbody`;
    const second = `GET ${things} HTTP/1.1\r\nHost: a\r\nX-Request-ID: second-one\r\nConnection: close\r\n\r\n`;
    const { text } = await sendRaw({ port, bytes: first + second, untilClose: true });
    const expected = ['HTTP/1.1 200', 'X-Request-ID: first-one', 'HTTP/1.1 200', 'X-Request-ID: second-one'];
    expect(text.match(/(?:HTTP\/1.1 200|X-Request-ID: [a-z-]+)/g)).toEqual(expected);
  });

  test('a body of a GET above 1 MiB ends the connection', async () => {
    const bytes = `GET ${things} HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\nConnection: close\r\n\r\n${'x'.repeat(3_000_000)}`;
    expect((await sendRaw({ port, bytes })).closed).toBe(true);
    expect((await server.ask(things)).status).toBe(200);
  });

  test('CONNECT gets no tunnel', async () => {
    const answer = await sendRaw({ port, bytes: 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n' });
    expect([answer.status, answer.closed]).toEqual([0, true]);
  });
});
