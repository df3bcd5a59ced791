/**
 * No header of a request gets into an answer that others are given from memory: for every header that a client may send,
 * the request with it comes first, and so makes the answer that is kept. A server that keeps nothing says what is right.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { sendRaw } from '../../support/raw-socket.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

/** Everything that Node knows by name, what proxies and frameworks add, and methods and addresses in headers. */
const headers: readonly (readonly [name: string, ...values: string[]])[] = [
  ['Host', 'evil.example', 'localhost:1', 'LOCALHOST', '[::1]'],
  ['Authorization', 'Bearer reader', 'Bearer all', 'Bearer wrong', 'Basic YTpi', 'bearer', 'Negotiate x'],
  ['X-API-Key', 'reader', 'all', 'wrong', ''],
  ['Cookie', 'a=b', 'hcd_session=x', '__Host-hcd_session=x', 'PHPSESSID=x', 'modx_session=x'],
  ['X-Context', 'web', 'docs', 'mgr', ' ', 'web, docs'],
  ['Origin', 'https://a.example', 'https://evil.example', 'null'],
  ['Accept', 'application/json', 'text/html', '*/*;q=0', 'image/*', 'application/json;q=0.1', ','],
  ['Accept-Encoding', 'gzip', 'br', 'identity;q=0', '*', 'gzip;q=0', 'zstd', 'x-gzip, deflate', ',;'],
  ['Accept-Language', 'de', '*'],
  ['Accept-Charset', 'utf-16'],
  ['X-Forwarded-For', '203.0.113.9', '203.0.113.9, 127.0.0.1', 'unknown'],
  ['X-Forwarded-Host', 'evil.example', 'a.example, evil.example'],
  ['X-Forwarded-Proto', 'https', 'ftp'],
  ['X-Forwarded-Port', '8443'],
  ['X-Forwarded-Prefix', '/evil'],
  ['Forwarded', 'for=203.0.113.9;host=evil.example;proto=https'],
  ['X-Real-IP', '203.0.113.9'],
  ['X-Original-URL', '/api/v1/resources/3'],
  ['X-Rewrite-URL', '/api/v1/resources/3'],
  ['X-HTTP-Method-Override', 'DELETE', 'HEAD'],
  ['X-Method-Override', 'POST'],
  ['X-HTTP-Host-Override', 'evil.example'],
  ['If-None-Match', '*', '"x"', 'W/"x"', 'x'],
  ['If-Match', '*', '"x"'],
  ['If-Modified-Since', 'Mon, 23 Nov 2026 07:08:43 GMT', 'x'],
  ['If-Unmodified-Since', 'Mon, 23 Nov 1999 07:08:43 GMT'],
  ['Range', 'bytes=0-1', 'bytes=5-', 'bytes=-1', 'bytes=0-0,2-3', 'items=0-1'],
  ['If-Range', '"x"'],
  ['Cache-Control', 'no-cache', 'no-store', 'no-transform', 'max-age=0', 'only-if-cached'],
  ['Pragma', 'no-cache'],
  ['Connection', 'close', 'keep-alive', 'X-Context', 'Upgrade'],
  ['Keep-Alive', 'timeout=1'],
  ['Upgrade', 'h2c', 'websocket'],
  ['TE', 'trailers'],
  ['Trailer', 'X-Context'],
  ['Expect', '100-continue', 'x'],
  ['Content-Length', '0'],
  ['Content-Type', 'application/json', 'text/plain'],
  ['Content-Encoding', 'gzip'],
  ['Access-Control-Request-Method', 'DELETE'],
  ['Access-Control-Request-Headers', 'authorization'],
  ['X-CSRF-Token', 'x'],
  ['X-Request-ID', 'request-of-another', 'x', '<script>'],
  ['Idempotency-Key', 'a-key-of-another'],
  ['Proxy-Authorization', 'Bearer all'],
  ['Via', '1.1 evil'],
  ['Max-Forwards', '0'],
  ['Age', '5'],
  ['Date', 'Mon, 23 Nov 1999 07:08:43 GMT'],
  ['ETag', '"x"'],
  ['Expires', '0'],
  ['Vary', '*'],
  ['Location', 'https://evil.example'],
  ['Referer', 'https://evil.example'],
  ['User-Agent', 'evil'],
  ['From', 'evil@example.org'],
  ['DNT', '1'],
  ['Prefer', 'return=minimal'],
  ['Save-Data', 'on'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-WebSocket-Key', 'x'],
  ['Traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['Surrogate-Control', 'no-store'],
  ['Surrogate-Capability', 'x="ESI/1.0"'],
  ['X-Requested-With', 'XMLHttpRequest'],
  ['X-Preview', '1'],
  ['X-Unknown', 'x'],
  ['Constructor', 'x'],
  ['__proto__', 'x'],
];

const questions = headers.flatMap(([name, ...values]) => values.map((value) => `${name}: ${value}`));

describeEachDatabase('answers from memory and headers of others', (database) => {
  let site: TestSite;
  let uncached: TestSite;

  beforeAll(async () => {
    const identities = {
      reader: { kind: 'api_key', id: 'reader', scopes: new Set(['resources.read']), userId: null },
      all: { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null },
    } as const;
    const env = {
      HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,docs',
      HCD_GATEWAY_CORS_ENABLED: '1',
      HCD_GATEWAY_CORS_ALLOWED_ORIGINS: 'https://a.example',
      // What a trusted proxy says shapes more than the words of a client.
      HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
    };
    const databaseUrl = await database.url();
    site = await startTestSite({ databaseUrl, identities, env: { ...env, HCD_GATEWAY_CACHE_ENABLED: '1' } });
    uncached = await startTestSite({ databaseUrl, identities, env });
    await seed(site.store, {
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', description: 'text '.repeat(1000) },
        { id: 2, pagetitle: 'Draft', alias: 'draft', uri: 'draft.html', published: 0 },
        { id: 3, pagetitle: 'Docs', alias: 'docs', uri: 'docs.html', context_key: 'docs' },
      ],
    });
    await site.live.refresh();
    await uncached.live.refresh();
  });

  /** Head and body as text; without times, what a cache is told, and the length of what is compressed in two ways. */
  const ask = async (from: TestSite, path: string, line: string): Promise<string> => {
    const given = line.startsWith('Host:') ? [line] : ['Host: localhost', ...(line === '' ? [] : [line])];
    const id = line.startsWith('X-Request-ID:') ? [] : ['X-Request-ID: request-0001'];
    const bytes = `${[`GET ${path} HTTP/1.1`, ...given, ...id].join('\r\n')}\r\n\r\n`;
    const { text, body, headers: sent } = await sendRaw({ port: Number(new URL(from.url).port), bytes });
    const coding = sent.get('content-encoding');
    const whole =
      coding === undefined
        ? text
        : text.slice(0, text.length - body.length).replace(/\r\nContent-Length: \d+/, '') + decoded(body, coding);
    return whole
      .replace(/\r\nDate: [^\r]*/, '')
      .replace(/\r\n(?:Cache-Control: (?:public|private)|Age|Cache-Tag)[^\r]*/g, '')
      .replace(/[0-9a-f]{32}/g, 'an id');
  };

  it('gives what a server without a memory gives, to the sender and to those after it', async () => {
    const wrong: string[] = [];
    for (const [at, line] of questions.entries()) {
      // Another question each time, so that the request with the header is the one that makes the answer.
      const path = `/api/v1/resources?fields=id,pagetitle,description&filter[menuindex][lt]=${1000 + at}`;
      const right = [await ask(uncached, path, line), await ask(uncached, path, '')];
      expect(right[1]).toMatch(/^HTTP\/1.1 200 /);
      const found = [
        await ask(site, path, line),
        await ask(site, path, ''),
        await ask(site, path, line),
        await ask(site, path, ''),
      ];
      if (found.some((answer, turn) => answer !== right[turn % 2])) wrong.push(line);
    }
    expect(wrong).toEqual([]);
  });
});

function decoded(body: string, coding: string): string {
  const bytes = Buffer.from(body, 'latin1');
  if (coding === 'gzip') return gunzipSync(bytes).toString('latin1');
  if (coding === 'br') return brotliDecompressSync(bytes).toString('latin1');
  return coding;
}
