/** The free page API: its actions, its refusals, the key, and web pages of other origins. */
import { expect, it, test } from 'vitest';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { hero, type PublishedSite, richtext, startPublishedSite } from './published-site.js';

const base = '/pages/api.php';
const on = { HCD_PAGES_PUBLIC_API_ENABLED: '1' };
const failure = (message: string) => ({ success: false, message, object: {} });

async function ask(site: PublishedSite, query: string, init: RequestInit = {}) {
  const response = await fetch(`${site.site.url}${base}${query}`, init);
  const text = await response.text();
  const body = text === '' ? null : (JSON.parse(text) as unknown);
  return { status: response.status, headers: response.headers, text, body };
}

async function open(databaseUrl: string, env: Readonly<Record<string, string>> = on): Promise<PublishedSite> {
  const site = await startPublishedSite({ databaseUrl, env });
  await site.resources(
    { id: 1, pagetitle: 'One', alias: 'one' },
    { id: 2, alias: 'draft' },
    { id: 3, alias: 'closed' },
    { id: 4, alias: 'off', published: 0 },
  );
  for (const id of [1, 3, 4]) await site.publish(id, [hero('Free'), richtext('<p>text</p>')]);
  await site.site.change([
    "INSERT INTO modx_access_policies (id, name, description, data) VALUES (900, 'p', '', '{}')",
    'INSERT INTO modx_document_groups (document_group, document) VALUES (5, 3)',
    "INSERT INTO modx_access_resource_groups (target, principal_class, principal, authority, policy, context_key) VALUES ('5', 'modUserGroup', 1, 9999, 900, 'web')",
  ]);
  return site;
}

describeEachDatabase('the free page API', (database) => {
  it('gives the same page as the API with tokens, by id or by alias', async () => {
    const site = await open(await database.url());
    const page = await site.ask('/pages/1');
    for (const query of [
      '?action=web/page/get&resource_id=1',
      '?action=web/page/get&alias=one',
      '?action=web/page/get&alias=one&context_key=web&resource_id=1&include=values,document',
      '/web/page/get?alias=one',
    ]) {
      const answer = await ask(site, query);
      expect([answer.status, answer.text]).toEqual([200, page.text]);
      expect(answer.headers.get('etag')).toBe(page.headers.get('etag'));
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
    const etag = page.headers.get('etag') ?? '';
    const again = await ask(site, '?action=web/page/get&resource_id=1', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const part = await ask(site, '?action=web/page/get&resource_id=1&include=html&section_types=hero');
    const object = { resourceId: 1, html: expect.stringContaining('Free') };
    expect(part.body).toMatchObject({ success: true, object });
    const catalog = await site.ask('/catalog/sections');
    expect((await ask(site, '?action=web/catalog/list')).text).toBe(catalog.text);
    const health = { success: true, message: '', object: { ok: true, publicApiEnabled: true } };
    expect((await ask(site, '?action=web/health/ping')).body).toEqual(health);
    expect(await site.get('/health')).toMatchObject({ publicApiEnabled: true });
  });

  it('refuses with its own statuses and words', async () => {
    const site = await open(await database.url());
    const refused = async (query: string) => {
      const { status, body } = await ask(site, query);
      return [status, (body as { message: string }).message];
    };
    const get = '?action=web/page/get';
    for (const [query, status, message] of [
      [get, 400, 'resource_id or alias is required.'],
      [`${get}&resource_id=&alias=`, 400, 'resource_id or alias is required.'],
      [`${get}&resource_id=x`, 400, 'resource_id must be a whole number from 1 to 4294967295'],
      [`${get}&resource_id=99`, 404, 'Resource not found.'],
      [`${get}&alias=none`, 404, 'Resource not found.'],
      // An id is not an alias.
      [`${get}&alias=1`, 404, 'Resource not found.'],
      [`${get}&resource_id=2`, 404, 'Page has no published content.'],
      [`${get}&resource_id=4`, 404, 'Resource not found.'],
      [`${get}&resource_id=3`, 403, 'Access denied.'],
      [`${get}&alias=closed`, 403, 'Access denied.'],
      [
        `${get}&resource_id=1&include=x`,
        400,
        'include must be a comma list of: document, values, html, sections, hreflang',
      ],
      [`${get}&alias=one&context_key=a&context_key=b`, 400, 'context_key is given more than once; give it once'],
      ['?action=web/page/put', 400, 'Invalid action.'],
      ['', 400, 'Invalid action.'],
      ['?action=web/health/ping&action=web/page/get', 400, 'action is given more than once; give it once'],
    ] as const)
      expect(await refused(query), query).toEqual([status, message]);
  });
});

const key = 'a key of my own: ünïcode';

test('while it is off everything but the ping is not found', async () => {
  const site = await open(await freshSqliteUrl(), {});
  for (const action of ['web/page/get&resource_id=1', 'web/catalog/list']) {
    const answer = await ask(site, `?action=${action}`);
    expect([answer.status, answer.body]).toEqual([404, failure('Resource not found.')]);
  }
  expect((await ask(site, '?action=web/health/ping')).body).toMatchObject({
    object: { ok: true, publicApiEnabled: false },
  });
});

test('a key that is set must be sent, by header or parameter, except with the ping; what it opens is private', async () => {
  const site = await open(await freshSqliteUrl(), { ...on, HCD_PAGES_PUBLIC_API_KEY: 'open sesame' });
  const get = '?action=web/page/get&resource_id=1';
  const refused = [401, failure('Invalid API key.'), null];
  for (const [query, headers] of [
    [get, {}],
    [get, { 'X-Pages-Api-Key': 'open sesam' }],
    [get, { 'X-Pages-Api-Key': '' }],
    [`${get}&api_key=open`, {}],
    ['?action=web/catalog/list', {}],
    // Nothing is learned without the key.
    ['?action=web/page/get', {}],
    [`${get}&include=x`, {}],
  ] as const) {
    const answer = await ask(site, query, { headers });
    expect([answer.status, answer.body, answer.headers.get('www-authenticate')]).toEqual(refused);
  }
  const good = [
    await ask(site, get, { headers: { 'X-Pages-Api-Key': 'open sesame' } }),
    await ask(site, `${get}&api_key=open%20sesame`),
  ];
  for (const { status, headers } of good)
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect((await ask(site, `${get}&api_key=open%20sesame&api_key=x`)).status).toBe(400);
  expect((await ask(site, '?action=web/health/ping')).status).toBe(200);
});

test('a key of any form closes the API: none leaves it open', async () => {
  const site = await open(await freshSqliteUrl());
  const get = '?action=web/page/get&resource_id=1';
  expect((await ask(site, get)).status).toBe(200);
  await site.site.change([
    `INSERT INTO modx_system_settings (\`key\`, value, xtype, namespace, area) VALUES ('pages_public_api_key', '${key}', 'textfield', 'core', '')`,
  ]);
  expect((await ask(site, get)).status).toBe(401);
  expect((await ask(site, `${get}&api_key=${encodeURIComponent(key)}`)).status).toBe(200);
});

test('web pages of every origin may use it by default, those of a list when one is set', async () => {
  const every = await open(await freshSqliteUrl());
  const get = '?action=web/page/get&resource_id=1';
  const origin = { Origin: 'https://shop.example' };
  const names = ['access-control-allow-origin', 'access-control-allow-methods', 'access-control-allow-headers'];
  const cors = ({ headers }: { headers: Headers }) => names.map((name) => headers.get(name));
  const allowedHeaders = 'Content-Type, If-None-Match, X-Request-ID, X-Pages-Api-Key';
  const allowed = ['https://shop.example', 'GET, OPTIONS', allowedHeaders];
  const preflight = await ask(every, get, {
    method: 'OPTIONS',
    headers: { ...origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-pages-api-key' },
  });
  expect([preflight.status, preflight.text, cors(preflight)]).toEqual([204, '', allowed]);
  for (const query of [get, '?action=web/page/get&resource_id=99', '?action=nothing']) {
    const answer = await ask(every, query, { headers: origin });
    expect([cors(answer), answer.headers.get('vary')]).toEqual([allowed, expect.stringContaining('Origin')]);
  }
  const listed = await open(await freshSqliteUrl(), {
    ...on,
    HCD_PAGES_PUBLIC_API_CORS_ORIGINS: 'https://shop.example,https://www.example.com',
  });
  expect(cors(await ask(listed, get, { headers: origin }))).toEqual(allowed);
  for (const other of ['https://evil.example', 'https://shop.example.evil', 'null']) {
    expect(cors(await ask(listed, get, { headers: { Origin: other } }))).toEqual([null, null, null]);
  }
});

test('other methods are refused, and every answer has the security headers', async () => {
  const site = await open(await freshSqliteUrl());
  const post = await ask(site, '?action=web/page/get&resource_id=1', { method: 'POST', body: '{}' });
  const refused = [405, 'GET, HEAD, OPTIONS', failure('Method not allowed')];
  expect([post.status, post.headers.get('allow'), post.body]).toEqual(refused);
  for (const { headers } of [post, await ask(site, '?action=web/health/ping'), await ask(site, '?action=x')]) {
    expect(
      ['x-content-type-options', 'referrer-policy', 'content-security-policy'].map((name) => headers.get(name)),
    ).toEqual(['nosniff', 'no-referrer', "default-src 'none'; frame-ancestors 'none'"]);
  }
});
