/** Refusals stay small and cheap: whatever a caller sends, few bytes come back and little of the processor goes into them. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { processorMs, slowness } from '../../support/processor-time.js';
import { sendRaw } from '../../support/raw-socket.js';
import { key as bannerKey } from '../banners/management-site.js';
import { startWritingSite } from '../gateway/writing-site.js';

const mostBytes = 65_536;
const mostMs = 20;
/** The least of so many measurements counts: what else the machine does can only add. */
const repeats = 6;

const megabyte = 1_048_576;
const json = 'Content-Type: application/json';
const form = 'Content-Type: application/x-www-form-urlencoded';
const asEditor = 'Authorization: Bearer all';
const asBanners = `X-API-Key: ${bannerKey}`;

interface Route {
  readonly line: string;
  readonly headers: readonly string[];
}

const anonymousRoutes: readonly Route[] = ['session', 'token', 'revoke', 'introspect'].map((name) => ({
  line: `POST /api/v1/auth/${name}`,
  headers: [],
}));
const gatewayRoutes: readonly Route[] = [
  ...['POST /api/v1/resources', 'PUT /api/v1/resources/1', 'PATCH /api/v1/resources/1'],
  ...['POST /api/v1/objects/goods', 'PATCH /api/v1/objects/makers/x'],
].map((line) => ({ line, headers: [asEditor] }));
const bannerRoutes: readonly Route[] = [
  ...['POST /banners/api.php/ads', 'PATCH /banners/api.php/ads/1', 'POST /banners/api.php/ads/from-template'],
  'POST /banners/api.php/conversions',
].map((line) => ({ line, headers: [asBanners] }));
const readRoutes: readonly Route[] = [
  ...['/api/v1/resources', '/api/v1/objects/goods', '/api/v1/schema', '/api/v1/pages/x'].map((path) => ({
    line: `GET ${path}`,
    headers: [asEditor],
  })),
  ...['/banners/api.php/ads', '/banners/api.php/slots/1', '/banners/api.php/statistics'].map((path) => ({
    line: `GET ${path}`,
    headers: [asBanners],
  })),
  { line: 'GET /pages/api/v1.php/pages', headers: [] },
  { line: 'GET /pages/api.php', headers: [] },
];

/** `piece` again and again with a number in it, up to so many bytes. */
function repeated(size: number, piece: (at: number) => string): string {
  const pieces: string[] = [];
  let length = 0;
  for (let at = 0; length < size; at += 1) {
    const next = piece(at);
    pieces.push(next);
    length += next.length;
  }
  return pieces.join('');
}

const members = (size: number, value: string) => `{${repeated(size, (at) => `"m${at}":${value},`)}"z":0}`;

/** Bodies of about so many bytes, each of a shape that costs a careless reader much. */
const shapes: Readonly<Record<string, (size: number) => string>> = {
  members: (size) => members(size, '0'),
  'members of a field': (size) => `{"properties":${members(size, '0')},"tvs":${members(size, '"x"')}}`,
  'objects of a thousand members': (size) => `[${repeated(size, () => `${members(9000, '0')},`)}0]`,
  'arrays in arrays': (size) => '['.repeat(size),
  'closed arrays in arrays': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'empty arrays': (size) => `[${'[],'.repeat(size / 3)}0]`,
  'list of a field': (size) => `{"name":"x","positions":[${'1,'.repeat(size / 2)}1]}`,
  'long number': (size) => `{"parent":${'1'.repeat(size)}}`,
  'long fraction': (size) => `{"menuindex":0.${'1'.repeat(size)}}`,
  'long exponent': (size) => `{"template":1e${'1'.repeat(size)}}`,
  numbers: (size) => `[${'12345678901234567890,'.repeat(size / 21)}0]`,
  'long text': (size) => `{"pagetitle":"${'x'.repeat(size)}","name":"${'x'.repeat(size)}","order_id":"x"}`,
  escapes: (size) => `{"pagetitle":"${'\\n'.repeat(size / 2)}","username":1}`,
  'texts with escapes': (size) => `[${'"\\u0001",'.repeat(size / 9)}0]`,
  'long name': (size) => `{"${'x'.repeat(size)}":1}`,
  'long names of control characters': (size) =>
    `{${repeated(size, (at) => `"${at}${'\\u0001'.repeat(200)}":1,`)}"z":0}`,
  'names of four bytes each': (size) => `{${repeated(size, (at) => `"${at}${'😀'.repeat(100)}":1,`)}"z":0}`,
  'names near to fields': (size) => `{${repeated(size, (at) => `"pagetitl${at}":1,`)}"z":0}`,
  'the same name': (size) => `{${'"a":1,'.repeat(size / 6)}"a":1}`,
  blanks: (size) => ' '.repeat(size),
  'bytes that are not text': (size) => '\xff'.repeat(size),
  'form pairs': (size) => repeated(size, (at) => `p${at}=1&`),
  'form of one pair': (size) => `grant_type=${'x'.repeat(size)}`,
  'form of percent signs': (size) => '%41'.repeat(size / 3),
};

const queries: Readonly<Record<string, (size: number) => string>> = {
  filters: (size) => repeated(size, (at) => `filter[f${at}]=1&`),
  'filters near to fields': (size) => repeated(size, (at) => `filter[pagetitl${at}]=1&`),
  operators: (size) => repeated(size, () => 'filter[id][x]=1&'),
  brackets: (size) => `filter${'[a]'.repeat(size / 3)}=1`,
  'list of a filter': (size) => `filter[id][in]=${'a,'.repeat(size / 2)}`,
  fields: (size) => `fields=${repeated(size, (at) => `f${at},`)}`,
  'fields near to fields': (size) => `fields=${repeated(size, (at) => `pagetitl${at},`)}`,
  sort: (size) => `sort=${repeated(size, (at) => `-s${at},`)}`,
  include: (size) => `include=${repeated(size, (at) => `i${at}.j,`)}`,
  'deep include': (size) => `include=${'children.'.repeat(size / 9)}`,
  search: (size) => `limit=0&q=${'%25'.repeat(size / 3)}`,
  cursor: (size) => `cursor=${'A'.repeat(size)}`,
  limit: (size) => `limit=${'9'.repeat(size)}`,
  parameters: (size) => `limit=x&${repeated(size, (at) => `p${at}&`)}`,
  'the same parameter': (size) => 'limit=1&'.repeat(size / 8),
  dates: (size) => `period=${'x'.repeat(size)}&from=x&to=x&start=x`,
};

interface Attack {
  readonly route: Route;
  readonly shape: string;
  readonly size: number;
}

const bodyAttack: fc.Arbitrary<Attack> = fc.record({
  route: fc.constantFrom(...anonymousRoutes, ...gatewayRoutes, ...bannerRoutes),
  shape: fc.constantFrom(...Object.keys(shapes)),
  size: fc.constantFrom(300, 16_000, 120_000, megabyte - 2048, 2 * megabyte),
});

const queryAttack: fc.Arbitrary<Attack> = fc.record({
  route: fc.constantFrom(...readRoutes),
  shape: fc.constantFrom(...Object.keys(queries)),
  size: fc.constantFrom(300, 4000, 15_500),
});

function bytesOf({ route, shape, size }: Attack): Buffer {
  const query = queries[shape];
  if (query !== undefined) return head(route.line, `?${query(size)}`, route.headers);
  const body = Buffer.from(shapes[shape]?.(size) ?? '', shape.startsWith('bytes') ? 'latin1' : 'utf8');
  const type = shape.startsWith('form') ? form : json;
  return Buffer.concat([head(route.line, '', [...route.headers, type, `Content-Length: ${body.length}`]), body]);
}

function head(line: string, query: string, headers: readonly string[]): Buffer {
  return Buffer.from(`${[`${line}${query} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`);
}

describeEachDatabase('refusals', (database) => {
  let port: number;

  beforeAll(async () => {
    const site = await startWritingSite(database, {
      env: {
        ...{ HCD_GATEWAY_OAUTH_ENABLED: '1', HCD_PAGES_REST_API_ENABLED: '1', HCD_PAGES_PUBLIC_API_ENABLED: '1' },
        ...{ HCD_BANNERS_API_ENABLED: '1', HCD_BANNERS_API_KEY: bannerKey, HCD_BANNERS_API_WRITE_ENABLED: '1' },
      },
    });
    port = Number(new URL(site.url).port);
  });

  it.each([
    ['body', bodyAttack],
    ['query', queryAttack],
  ])('of a hostile %s have at most 64 KiB and cost at most 20 ms of the processor', async (_name, attacks) => {
    const refused = new Set<number>();
    await fc.assert(
      fc.asyncProperty(attacks, async (attack) => {
        const name = `${attack.route.line}: ${attack.shape}, ${attack.size}`;
        const bytes = bytesOf(attack);
        const times: number[] = [];
        for (let attempt = 0; attempt < repeats; attempt += 1) {
          let status = 0;
          const ms = await processorMs(async () => {
            const answer = await sendRaw({ port, bytes });
            status = answer.status;
            expect(answer.body.length, `bytes of ${name}`).toBeLessThanOrEqual(mostBytes);
          });
          expect(status, name).toBeLessThan(500);
          if (status < 400) return;
          refused.add(status);
          times.push(ms / slowness());
          if (ms <= mostMs) return;
        }
        expect(Math.min(...times), `processor time of ${name}`).toBeLessThanOrEqual(mostMs);
      }),
      { numRuns: 100 },
    );
    expect(refused.size).toBeGreaterThan(2);
  });
});
