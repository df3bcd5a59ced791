/** Content codings (docs/reference/http.md#compression): which answers are compressed, for whom, and under which tag. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anonymousPrincipal } from '../../../src/access/acl.js';
import { AppError } from '../../../src/errors/app-error.js';
import { renderReply } from '../../../src/http/answers/representation.js';
import type { Endpoint, Reply } from '../../../src/http/interface/endpoint.js';
import { Compressor, chooseCoding, compressPieces } from '../../../src/http/stages/compress.js';
import { fakeClock } from '../../support/clock.js';
import { deferred } from '../../support/deferred.js';
import { row, startTestServer } from '../../support/server.js';

const { brotliDecompressSync, gunzipSync, gzipSync } = zlib;
/** From Node 22.15 on. */
const unzstd: unknown = Reflect.get(zlib, 'zstdDecompressSync');
if (typeof unzstd !== 'function') process.stdout.write('\nNOTICE: the test of zstd was skipped: this Node has none.\n');

const long = { text: 'Everything to carry. '.repeat(200) };
const content = { kind: 'content', tags: [] } as const;

interface Bytes {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Bytes as they come; `ask` of the test server would read them as text. */
function fetchBytes(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: `/api/v1${path}`, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

function thing(name: string, reply: Partial<Reply>, change: Partial<Endpoint> = {}): Endpoint {
  const body = { kind: 'json', value: long } as const;
  return row({ name, path: `/${name}`, handler: () => ({ status: 200, body, caching: content, ...reply }), ...change });
}

const accepting = (coding: string) => ({ 'Accept-Encoding': coding });

describe('the coding that Accept-Encoding prefers', () => {
  const zstdOrGzip = expect.stringMatching(/^(zstd|gzip)$/);

  test.each<[name: string | undefined, ...headers: string[]]>([
    ['gzip', 'gzip', 'GZIP', 'x-gzip', 'gzip;q=1.0, br;q=0.9', 'br;q=0, gzip;q=0.1', 'identity;q=0.5, gzip;q=0.5'],
    ['br', 'gzip, deflate, br', '*'],
    [zstdOrGzip, 'br;q=0, *;q=0.5'],
    [undefined, 'identity;q=1, gzip;q=0.5', 'identity', 'identity;q=0', '*;q=0', 'gzip;q=0', 'gzip;q=high'],
    [undefined, 'gzip;q=1.5', 'deflate', '', ',, ;;'],
  ])('is %s for %s', (name, ...headers) => {
    for (const header of headers) expect(chooseCoding(header)?.name, header).toEqual(name);
  });

  test('never is one that the header excludes, whatever the header is', () => {
    const element = fc.record({
      name: fc.constantFrom('gzip', 'br', 'zstd', 'identity', '*', 'deflate', 'x'),
      weight: fc.constantFrom('', ';q=0', ';q=0.000', ';q=0.3', '; q=1', ';q=', ';q=2', ';q=0;q=1'),
    });
    fc.assert(
      fc.property(fc.array(element, { maxLength: 6 }), (elements) => {
        // The last element of a name counts.
        const last = new Map<string, string>(elements.map(({ name, weight }) => [name, weight]));
        const chosen = chooseCoding(elements.map(({ name, weight }) => name + weight).join(', '));
        const weight = chosen === null ? '' : (last.get(chosen.name) ?? last.get('*'));
        expect(['', ';q=0.3', '; q=1']).toContain(weight);
      }),
    );
  });
});

test('sends a long text compressed, with a tag and a length of its own, and keeps it so', async () => {
  const server = await startTestServer({ endpoints: [thing('long', {})], clock: fakeClock() });
  const plain = await fetchBytes(server.port, '/long');
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const [coding, decode] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const first = await fetchBytes(server.port, '/long', accepting(coding));
    const kept = await fetchBytes(server.port, '/long', accepting(coding));
    expect(decode(first.body)).toEqual(plain.body);
    expect(kept.body).toEqual(first.body);
    expect(first.headers).toMatchObject({
      'content-encoding': coding,
      'content-length': String(first.body.length),
      etag: plain.headers.etag?.replace(/"$/, `-${coding}"`),
      vary: plain.headers.vary,
    });
    expect(first.headers.vary).toContain('Accept-Encoding');
    const head = await fetchBytes(server.port, '/long', accepting(coding), 'HEAD');
    const { date: _one, 'x-request-id': _two, ...same } = head.headers;
    expect(first.headers).toMatchObject(same);
  }
});

test.skipIf(typeof unzstd !== 'function')(
  'compresses with zstd, whole answers and those made while they are sent',
  async () => {
    const lines = Array.from({ length: 5000 }, (_, at) => `${at},line\n`);
    const body = {
      kind: 'stream',
      type: 'text/csv',
      open: async function* () {
        yield* lines;
      },
    } as const;
    const server = await startTestServer({
      endpoints: [thing('long', {}), thing('stream', { caching: { kind: 'never' }, body })],
    });
    const plain = await fetchBytes(server.port, '/long');
    for (const [path, text] of [
      ['/long', plain.body.toString()],
      ['/stream', lines.join('')],
    ] as const) {
      const caller: Record<string, string> = path === '/stream' ? { Authorization: 'Bearer good' } : {};
      const headers = { ...accepting('zstd, gzip;q=0.5'), ...caller };
      const answer = await fetchBytes(server.port, path, headers);
      expect(answer.headers['content-encoding']).toBe('zstd');
      expect(answer.body.length).toBeLessThan(text.length);
      expect(String(typeof unzstd === 'function' && unzstd(answer.body))).toBe(text);
    }
    const { headers } = await fetchBytes(server.port, '/long', accepting('zstd'));
    expect(headers.etag).toBe(plain.headers.etag?.replace(/"$/, '-zstd"'));
  },
);

test('answers 304 to the tag of any form of the answer, with the tag that the client has', async () => {
  const server = await startTestServer({ endpoints: [thing('long', {})] });
  const { etag = '' } = (await fetchBytes(server.port, '/long')).headers;
  const coded = etag.replace(/"$/, '-gzip"');
  for (const tag of [etag, coded]) {
    for (const coding of ['gzip', 'identity']) {
      const headers = { ...accepting(coding), 'If-None-Match': `"other", W/${tag}` };
      const { status, headers: got, body } = await fetchBytes(server.port, '/long', headers);
      expect([status, got.etag, got['content-encoding'], body.length]).toEqual([304, tag, undefined, 0]);
    }
  }
  const other = { 'If-None-Match': etag.replace(/"$/, '-lzma"') };
  expect((await fetchBytes(server.port, '/long', other)).status).toBe(200);
});

test.each([
  ['a short answer', { body: { kind: 'json', value: { text: 'short' } } }, {}],
  ['an image', { body: { kind: 'bytes', type: 'image/png', bytes: Buffer.alloc(5000) } }, {}],
  ['a stream of events', { body: { kind: 'bytes', type: 'text/event-stream', bytes: 'x'.repeat(5000) } }, {}],
  ['an answer that forbids it', { headers: { 'Cache-Control': 'no-transform' } }, {}],
  ['an answer to a request that forbids it', {}, { 'Cache-Control': 'max-age=0, No-Transform' }],
  ['an error', { status: 404 }, {}],
] satisfies [string, Partial<Reply>, Record<string, string>][])('does not compress %s', async (_, reply, headers) => {
  const endpoint = thing('thing', { caching: { kind: 'never' }, ...reply }, { produces: [] });
  const server = await startTestServer({ endpoints: [endpoint] });
  const answer = await fetchBytes(server.port, '/thing', { ...accepting('gzip, br'), ...headers });
  expect(answer.headers['content-encoding']).toBeUndefined();
});

test('does not compress what does not get shorter', async () => {
  const packed = gzipSync(Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * at * 7919) % 256)));
  const reply: Partial<Reply> = { body: { kind: 'bytes', type: 'text/plain', bytes: packed } };
  const server = await startTestServer({ endpoints: [thing('packed', reply, { produces: [] })] });
  const { headers, body } = await fetchBytes(server.port, '/packed', accepting('gzip'));
  expect(body.equals(packed) || gunzipSync(body).equals(packed)).toBe(true);
  expect(body.length).toBeLessThanOrEqual(packed.length);
  expect(headers['content-length']).toBe(String(body.length));
});

test('compresses answers to keys, never those to a session', async () => {
  const server = await startTestServer({
    endpoints: [thing('long', {})],
    gateway: {
      authenticate: async (caller) =>
        caller.header('cookie') === undefined
          ? { kind: 'api_key', id: '1', scopes: new Set(['*']), userId: null }
          : { kind: 'session', id: '1', userId: 1, principal: anonymousPrincipal, csrfToken: 'secret' },
    },
  });
  const key = await fetchBytes(server.port, '/long', { ...accepting('gzip'), Authorization: 'Bearer good' });
  expect(JSON.parse(gunzipSync(key.body).toString())).toEqual(long);
  const session = await fetchBytes(server.port, '/long', { ...accepting('gzip'), Cookie: 'session=1' });
  expect([session.status, session.headers['content-encoding']]).toEqual([200, undefined]);
});

test('turned off, compresses nothing', async () => {
  const server = await startTestServer({ endpoints: [thing('long', {})], compresses: false });
  const answer = await fetchBytes(server.port, '/long', accepting('gzip'));
  expect(answer.headers['content-encoding']).toBeUndefined();
});

describe('a body that is made while it is sent', () => {
  // Answers to anonymous callers are kept whole.
  const withKey = { Authorization: 'Bearer good' };
  const stream = (open: () => AsyncIterable<string>): Endpoint =>
    thing('stream', { caching: { kind: 'never' }, body: { kind: 'stream', type: 'text/csv', open } });

  test('is compressed as it is made', async () => {
    const lines = Array.from({ length: 5000 }, (_, at) => `${at},line\n`);
    const endpoint = stream(async function* () {
      yield* lines;
    });
    const server = await startTestServer({ endpoints: [endpoint] });
    const { headers, body } = await fetchBytes(server.port, '/stream', { ...accepting('gzip'), ...withKey });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(body).toString()).toBe(lines.join(''));
    expect((await fetchBytes(server.port, '/stream', withKey)).body.toString()).toBe(lines.join(''));
  });

  test('that cannot be begun is answered with its error', async () => {
    const endpoint = stream(async function* () {
      yield await Promise.reject<string>(new AppError('not_found'));
    });
    const server = await startTestServer({ endpoints: [endpoint] });
    const { status, headers } = await fetchBytes(server.port, '/stream', { ...accepting('gzip'), ...withKey });
    expect([status, headers['content-encoding']]).toEqual([404, undefined]);
  });

  test('ends its source when its reader goes away', async () => {
    const ended = deferred<void>();
    const source = (async function* () {
      try {
        for (;;) yield 'more and more '.repeat(10_000);
      } finally {
        ended.resolve();
      }
    })();
    const coding = chooseCoding('gzip');
    if (coding === null) throw new Error('no gzip');
    const pieces = compressPieces(source, coding);
    await pieces.next();
    await pieces.return(undefined);
    await ended.promise;
  });
});

test('makes each form of a kept answer once, also for requests that come at the same time', async () => {
  const reply: Reply = { status: 200, body: { kind: 'json', value: long }, caching: content };
  const answer = renderReply(reply, { isRead: true });
  const coding = chooseCoding('gzip');
  if (coding === null) throw new Error('no gzip');
  let made = 0;
  const counted = {
    ...coding,
    once: (...given: Parameters<typeof coding.once>) => {
      made += 1;
      return coding.once(...given);
    },
  };
  const compressor = new Compressor();
  const asked = [1, 2, 3].map(() => compressor.compress(answer, { coding: counted, effort: 'fast' }));
  const [first] = await Promise.all(asked);
  expect(made).toBe(1);
  // From now on without waiting.
  expect(compressor.compress(answer, { coding: counted, effort: 'fast' })).toBe(first);
});
