/** Whatever arrives: never a 5xx, always the envelope of the API that the address belongs to, and its headers. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RawAnswer, sendRaw } from '../../support/raw-socket.js';
import { fixed, testRows } from '../../support/rows.js';
import { row, startTestServer } from '../../support/server.js';

const sound = testRows.filter(({ name }) => !['fault', 'unstorable', 'store-gone'].includes(name));
const server = await startTestServer({
  endpoints: [...sound, row({ name: 'fixed.more', path: '/more/:a/*b', handler: fixed })],
  settings: { pages_rest_api_enabled: true, banners_api_enabled: true, banners_api_key: 'not a word that is sent' },
});

const oneOf = (words: string) => fc.constantFrom(...words.split(' '));
const piece = fc.oneof(
  { weight: 3, arbitrary: oneOf('things files more pages ads openapi.json v1 api objects 7') },
  fc.oneof(fc.constant(''), oneOf('.. . %2e%2e %2F %5c %00 %zz % %c0%af %ff %ed%a0%80 %F0%9F%98%80')),
  oneOf('__proto__ constructor toString :id *rest {x} (a|b) \' " <script> \\ ; @ & ='),
  fc.string({ unit: 'binary-ascii', maxLength: 30 }).map((text) => text.replaceAll(/[^\x21-\x7e]|[?#]/g, '')),
  fc.nat().map(String),
  fc.constant('a'.repeat(3000)),
);
const name = fc.oneof(
  oneOf('route path limit filter[a] filter[ filter[a][b][c] filter[__proto__] __proto__ utm_x api_key'),
  piece,
);
const path = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.map((text) => `/${text}`).join(''));
const query = fc.array(fc.tuple(name, fc.oneof(piece, path)), { maxLength: 5 }).map((pairs) => {
  return pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`;
});
const headerLine = fc.tuple(
  fc.oneof(
    oneOf('Accept Authorization X-API-Key X-Context X-Request-ID If-None-Match X-Forwarded-For'),
    oneOf('Cookie Origin Expect Range Connection Content-Type __proto__'),
  ),
  fc.oneof(
    fc.constantFrom('Bearer good', 'Bearer  x', 'Basic Og==', ...'*/* Bearer " W/"x" * ::1'.split(' ')),
    oneOf('100-continue close ,,, ;q= key'),
    fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')),
  ),
);
const request = fc.record({
  method: oneOf('GET GET GET HEAD POST PUT PATCH DELETE OPTIONS TRACE LOCK SEARCH'),
  path,
  query,
  headers: fc.array(headerLine, { maxLength: 6 }),
});

type Envelope = (answer: RawAnswer) => void;

const problem: Envelope = ({ status, headers, body }) => {
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const { code, detail, ...rest } = JSON.parse(body) as Record<string, unknown>;
  expect(rest).toMatchObject({ status, request_id: headers.get('x-request-id') });
  expect([typeof code, typeof detail]).toEqual(['string', 'string']);
};
const pages: Envelope = ({ headers, body }) => {
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(JSON.parse(body)).toEqual({ success: false, message: expect.any(String), object: {} });
};
const banners: Envelope = ({ body }) => {
  expect(JSON.parse(body)).toEqual({ success: false, message: expect.any(String) });
};

describe.each<[base: string, envelope: Envelope]>([
  ['', problem],
  ['/api/v1', problem],
  ['/api.php', problem],
  ['/pages/api/v1.php', pages],
  ['/banners/api.php', banners],
])('below "%s"', (base, envelope) => {
  test('no request makes a fault or leaves the envelope', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path: below, query: text, headers }) => {
        const lines = headers.map(([key, value]) => `${key}: ${value}`);
        const target = `${base}${below}${text}` || '/';
        const bytes = Buffer.from(
          `${[`${method} ${target} HTTP/1.1`, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`,
          'latin1',
        );
        const answer = await sendRaw({ port: server.port, bytes, head: method === 'HEAD' });
        expect(answer.status).toBeGreaterThanOrEqual(200);
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        expect(answer.headers.has('server') || answer.headers.has('x-powered-by')).toBe(false);
        if (method === 'HEAD' || answer.status < 400) return;
        // More than 16 KiB is refused by the parser, which knows of no API.
        if (answer.status === 431) problem(answer);
        else envelope(answer);
      }),
      { numRuns: 400 },
    );
    expect(server.log.filter((fact) => fact.kind === 'request_finished' && fact.error !== undefined)).toEqual([]);
    expect(server.server.draining).toBe(false);
  });
});
