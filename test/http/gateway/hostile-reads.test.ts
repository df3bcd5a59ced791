/**
 * Hostile requests against the real gateway, on every kind of database: never a 5xx, always the envelope, always a
 * content type with its charset, never a fault in the log.
 */

import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { defineObject } from '../../../src/content/objects/definition.js';
import { describeEachDatabase } from '../../support/databases.js';
import { flag, integer, optionalText, text, time } from '../../support/fields.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const requests = Number(process.env['HCD_TEST_REQUESTS'] ?? 1000);

/** One field of every type, over columns that hold other types as well. */
const oddities = defineObject({
  name: 'oddities',
  table: 'site_templates',
  fields: {
    id: integer(),
    name: text(50, { column: 'templatename' }),
    image: text(255, { column: 'icon', media: true }),
    amount: { type: 'number', nullable: true, column: 'template_type' },
    on: flag({ column: 'locked' }),
    at: time({ column: 'category' }),
    when: { type: 'datetime', storage: 'datetime', nullable: true, column: 'description' },
    data: { type: 'json', nullable: true, column: 'properties' },
    note: optionalText(undefined, { column: 'static_file' }),
  },
  filterable: ['id', 'name', 'image', 'amount', 'on', 'at', 'when', 'note'],
  sortable: ['id', 'name', 'image', 'amount', 'on', 'at', 'when', 'note'],
  searchable: ['name', 'note'],
});

const identities = {
  all: { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null },
  user: { kind: 'api_key', id: 'user', scopes: new Set(['resources.read', 'preview']), userId: 1 },
  gone: { kind: 'access_token', id: 'gone', scopes: new Set(['resources.read']), userId: 99_999 },
  scoped: { kind: 'api_key', id: 'scoped', scopes: new Set(['oddities.read', 'contexts.read']), userId: null },
} as const satisfies Record<string, Identity>;

const oneOf = (words: string) => fc.constantFrom(...words.split(' '));
const word = fc.oneof(
  oneOf('id parent pagetitle published context_key uri createdon createdby properties'),
  oneOf('name amount on at when data note key children tvs category'),
  fc.constantFrom('', ...'__proto__ constructor hasOwnProperty toString a`b a"b a\'b a;b a\\ . ..'.split(' ')),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const numbers =
  '0 -0 -1 1e309 -1e309 9007199254740993 -9223372036854775808 18446744073709551616 0x10 NaN Infinity 1.5 1e5';
const times = '2026-11-21T09:30:00Z 0000-00-00T00:00:00Z 9999-12-31T23:59:59+14:00 2026-02-30T00:00:00Z 99999999999';
const value = fc.oneof(
  word,
  oneOf(`${numbers} ٣ ２ 0.1e-400`),
  oneOf(`${times} -99999999999 2026-11-21T09:30:60Z now`),
  oneOf('% _ ! !!% \\ %%%% \u{1f600} \ufeff \u2028 \u0001 \u007f e\u0301 İ ﬀ'),
  fc.constantFrom("' OR 1=1 --", '1;DROP TABLE x', '@SELECT 1', '\r\nSet-Cookie: a=b'),
  oneOf('{{7*7}} [[++site_url]] <script>'),
  fc.array(fc.nat(3000), { maxLength: 1200 }).map((items) => items.join(',')),
  fc.array(word, { maxLength: 60 }).map((items) => items.join(',')),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const operator = fc.constantFrom('', ...'eq ne neq gt gte lt lte like in not_in null not_null EQ regex'.split(' '));
const filterName = fc
  .tuple(fc.constantFrom('filter', 'filters'), word, fc.option(operator), fc.constantFrom('', '[]', '[x]', '[', ']'))
  .map(([start, field, op, end]) => `${start}[${field}]${op === null ? '' : `[${op}]`}${end}`);
const some = { maxLength: 12 };
const parameter = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(filterName, value) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('sort', 'fields', 'include', 'tv_fields', 'q'), value) },
  fc
    .array(fc.tuple(fc.constantFrom('', '-', '+', ' '), word, fc.constantFrom('', ':asc', ':DESC', ':up')), some)
    .map((terms): [string, string] => ['sort', terms.map((parts) => parts.join('')).join(',')]),
  fc
    .array(fc.array(fc.constantFrom('parent', 'children', 'tvs', 'tv', 'category', ''), { maxLength: 4 }), some)
    .map((paths): [string, string] => ['include', paths.map((path) => path.join('.')).join(',')]),
  fc.tuple(oneOf('limit offset page cursor context preview include_deleted include_tv'), value),
  fc.array(fc.oneof(fc.constant(null), fc.integer(), value), { maxLength: 4 }).map((values): [string, string] => {
    const payload = Buffer.from(JSON.stringify(['AAAAAAAAAAAAAAAA', values])).toString('base64url');
    return ['cursor', `${payload}.AAAAAAAAAAAAAAAAAAAAAA`];
  }),
  fc.tuple(fc.constantFrom('route', 'path', 'force', 'unknown', '__proto__'), value),
);
const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1', '2', 'index', 'web', 'mgr', 'settings', 'resources', 'oddities') },
  value.filter((text) => text.length < 200),
);
const route = fc.oneof(
  { weight: 4, arbitrary: oneOf('/resources /objects/oddities /objects/resources /contexts /chunks /tvs') },
  oneOf('/pages /templates /categories /content_types /snippets /schema /health /docs /'),
  fc
    .tuple(oneOf('/resources/ /pages/ /contexts/ /objects/ /objects/oddities/ /problems/'), segment)
    .map(([start, end]) => `${start}${encodeURIComponent(end)}`),
  fc.tuple(segment, segment).map((parts) => `/${parts.map(encodeURIComponent).join('/')}`),
);
const headerValue = fc.oneof(
  fc.constantFrom('web', 'mgr', '*', '"x"', 'W/"x", *', 'text/html', 'application/json;q=0', 'a=b', '1.2.3.4', 'null'),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').trim()),
);
const hostile = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'),
  base: fc.constantFrom('/api/v1', '/api/v1', '/api/v1', '/api.php/v1'),
  route,
  parameters: fc.array(parameter, { maxLength: 6 }),
  as: fc.constantFrom(undefined, undefined, 'all', 'all', 'user', 'gone', 'scoped', 'wrong'),
  headers: fc.array(fc.tuple(oneOf('x-context accept if-none-match x-forwarded-for cookie x-api-key'), headerValue), {
    maxLength: 2,
  }),
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
afterAll(() => agent.destroy());

/** By hand, so that nothing on the way tidies the address up. */
function ask(url: string, options: { path: string; method: string; headers: Record<string, string> }): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: hostname, port, agent, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

function checkBody({ status, headers, text: body }: Answer, method: string): void {
  if (method === 'HEAD' || status === 204 || status === 304) {
    expect(body).toBe('');
    return;
  }
  expect(headers['content-type']).toMatch(/; charset=utf-8$/);
  if (status < 400) return;
  // Browsers get a page where no route is.
  if (status === 404 && headers['content-type'] === 'text/html; charset=utf-8') return;
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  const { status: stated, code, detail, title, type, request_id, ...rest } = JSON.parse(body);
  expect([stated, request_id]).toEqual([status, headers['x-request-id']]);
  expect([typeof code, typeof detail, typeof title, typeof type]).toEqual(Array(4).fill('string'));
  const members = ['errors', 'instance'].filter((name) => (name === 'errors' ? status === 422 : true));
  expect(members).toEqual(expect.arrayContaining(Object.keys(rest)));
  expect(body).not.toMatch(/SQLITE_|site_content|node_modules|\.[jt]s:\d/);
}

describeEachDatabase('hostile reads', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await database.url(),
      identities,
      extra: [oddities],
      env: { HCD_GATEWAY_CACHE_ENABLED: '1' },
    });
    await site.fill({
      site_content: Array.from({ length: 60 }, (_unused, index) => ({
        id: index + 1,
        pagetitle: `Page ${index}`,
        alias: index % 7 === 0 ? 'index' : `p${index}`,
        uri: index === 0 ? 'index.html' : `p${index}/`,
        parent: index % 5,
        createdon: [0, -1, 2_147_483_647, 1_700_000_000][index % 4] ?? 0,
      })),
      site_templates: [
        { id: 1, templatename: 'One', description: '2026-11-21 09:30:00', category: 2_147_483_647, properties: '{' },
        { id: 2, templatename: 'Two', description: 'garbage', category: -5, properties: '[1e999]' },
        { id: 3, templatename: '\u{1f600}', description: '0000-00-00', locked: 1, icon: '../x y.png', static_file: '' },
      ],
    });
  });

  it('are answered or refused in due form', async () => {
    const faults: unknown[] = [];
    await fc.assert(
      fc.asyncProperty(hostile, async ({ method, base, route: below, parameters, as, headers }) => {
        const query = parameters.map((pair) => pair.map((part) => encodeURIComponent(part)).join('=')).join('&');
        const path = `${base}${below}${query === '' ? '' : `?${query}`}`;
        const answer = await ask(site.url, {
          path,
          method,
          headers: { ...Object.fromEntries(headers), ...(as === undefined ? {} : { authorization: `Bearer ${as}` }) },
        });
        faults.push(...site.log.filter((fact) => fact.kind === 'request_finished' && fact.error !== undefined));
        expect(faults).toEqual([]);
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers['x-content-type-options']).toBe('nosniff');
        expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
        checkBody(answer, method);
      }),
      { numRuns: requests },
    );
  });

  describe('at the limits', () => {
    it.each([
      ['3,900 values in a list', `/resources?filter[id][in]=${Array(3900).fill('1').join(',')}`, 200],
      ['600 filters', `/resources?${Array(600).fill('filter[id]=1').join('&')}`, 422],
      ['a thousand tv names', `/resources?tv_fields=${[...Array(1000).keys()].map((at) => `t${at}`).join(',')}`, 200],
      ['a target beyond 8 KiB', `/resources?q=${'x'.repeat(8200)}`, 414],
      ['a very long search', `/resources?q=${'x'.repeat(7000)}`, 422],
      ['wildcards without end', `/resources?filter[alias][like]=${'%25_'.repeat(1000)}`, 200],
      ['50 fields', `/resources?fields=${Array(50).fill('id').join(',')}`, 200],
      ['a NUL in a search', '/resources?q=a%00b', 400],
      ['half a surrogate pair', '/resources?q=%ED%A0%80', 400],
      ['a sort with a line break in a name', '/resources?sort=id%0Ax', 422],
    ])('%s', async (_name, path, status) => {
      expect((await site.get(path)).status).toBe(status);
    });
  });
});
