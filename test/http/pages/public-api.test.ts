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
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? null : (JSON.parse(text) as unknown),
  };
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
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([
        200,
        page.text,
        page.headers.get('etag'),
      ]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
    const etag = page.headers.get('etag') ?? '';
    const again = await ask(site, '?action=web/page/get&resource_id=1', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const part = await ask(site, '?action=web/page/get&resource_id=1&include=html&section_types=hero');
    expect(part.body).toMatchObject({
      success: true,
      object: { resourceId: 1, html: expect.stringContaining('Free') },
    });
    const catalog = await site.ask('/catalog/sections');
    expect((await ask(site, '?action=web/catalog/list')).text).toBe(catalog.text);
    expect((await ask(site, '?action=web/health/ping')).body).toEqual({
      success: true,
      message: '',
      object: { ok: true, publicApiEnabled: true },
    });
    expect(await site.get('/health')).toMatchObject({ publicApiEnabled: true });
  });

  it('refuses with its own statuses and words', async () => {
    const site = await open(await database.url());
    const refused = async (query: string) => {
      const { status, body } = await ask(site, query);
      return [status, (body as { message: string }).message];
    };
    const get = '?action=web/page/get';
    expect({
      'no name': await refused(get),
      'empty names': await refused(`${get}&resource_id=&alias=`),
      'no id': await refused(`${get}&resource_id=x`),
      'unknown id': await refused(`${get}&resource_id=99`),
      'unknown alias': await refused(`${get}&alias=none`),
      'an id is not an alias': await refused(`${get}&alias=1`),
      'not published': await refused(`${get}&resource_id=2`),
      'resource not published': await refused(`${get}&resource_id=4`),
      closed: await refused(`${get}&resource_id=3`),
      'closed by alias': await refused(`${get}&alias=closed`),
      'unknown part': await refused(`${get}&resource_id=1&include=x`),
      'context twice': await refused(`${get}&alias=one&context_key=a&context_key=b`),
      'unknown action': await refused('?action=web/page/put'),
      'no action': await refused(''),
      'two actions': await refused('?action=web/health/ping&action=web/page/get'),
    }).toEqual({
      'no name': [400, 'resource_id or alias is required.'],
      'empty names': [400, 'resource_id or alias is required.'],
      'no id': [400, 'resource_id must be a whole number from 1 to 4294967295'],
      'unknown id': [404, 'Resource not found.'],
      'unknown alias': [404, 'Resource not found.'],
      'an id is not an alias': [404, 'Resource not found.'],
      'not published': [404, 'Page has no published content.'],
      'resource not published': [404, 'Resource not found.'],
      closed: [403, 'Access denied.'],
      'closed by alias': [403, 'Access denied.'],
      'unknown part': [400, 'include must be a comma list of: document, values, html, sections, hreflang'],
      'context twice': [400, 'context_key is given more than once; give it once'],
      'unknown action': [400, 'Invalid action.'],
      'no action': [400, 'Invalid action.'],
      'two actions': [400, 'action is given more than once; give it once'],
    });
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
  expect(good.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual([
    [200, 'private, no-store'],
    [200, 'private, no-store'],
  ]);
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
  const allowed = [
    'https://shop.example',
    'GET, OPTIONS',
    'Content-Type, If-None-Match, X-Request-ID, X-Pages-Api-Key',
  ];
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
  expect([post.status, post.headers.get('allow'), post.body]).toEqual([
    405,
    'GET, HEAD, OPTIONS',
    failure('Method not allowed'),
  ]);
  for (const { headers } of [post, await ask(site, '?action=web/health/ping'), await ask(site, '?action=x')]) {
    expect(
      ['x-content-type-options', 'referrer-policy', 'content-security-policy'].map((name) => headers.get(name)),
    ).toEqual(['nosniff', 'no-referrer', "default-src 'none'; frame-ancestors 'none'"]);
  }
});
