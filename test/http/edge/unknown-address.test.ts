/** An address that names nothing gives browsers a page and every other client the error of the interface. */
import { expect, test } from 'vitest';
import { freshSqliteUrl } from '../../support/databases.js';
import { startTestSite } from '../../support/site.js';

const site = await startTestSite({
  databaseUrl: await freshSqliteUrl(),
  env: {
    ...{ HCD_PAGES_REST_API_ENABLED: '1', HCD_PAGES_PUBLIC_API_ENABLED: '1', HCD_BANNERS_API_ENABLED: '1' },
    ...{ HCD_GATEWAY_CORS_ENABLED: '1', HCD_GATEWAY_CORS_ALLOWED_ORIGINS: 'https://site.example' },
    HCD_BANNERS_API_KEY: 'a-key-of-the-banner-api',
  },
});
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

interface Asked {
  readonly accept?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(path: string, { accept, method = 'GET', headers = {} }: Asked = {}) {
  const given = { 'X-Request-ID': 'request-1', ...headers, ...(accept === undefined ? {} : { Accept: accept }) };
  const answer = await fetch(`${site.url}${path}`, { method, headers: given });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Headers but those of the connection and the moment. */
function ofAnswer(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name));
}

/** Addresses that no route has, with the JSON that says so. */
const addresses: [name: string, path: string, headers?: Record<string, string>][] = [
  ['outside the interfaces', '/nothing'],
  ['below a file of the root', '/favicon.ico/x'],
  ['in the gateway', '/api/v1/nothing'],
  ['an unknown object', '/api/v1/objects/nothing'],
  ['by the fallback entry', '/api.php?route=/v1/nothing'],
  ['in the page delivery API', '/pages/api/v1.php/nothing'],
  ['in the banner API, with the key', '/banners/api.php/nothing', { 'X-API-Key': 'a-key-of-the-banner-api' }],
  ['a click on a banner that is gone', '/ads/click/4711'],
];

test.each(addresses)('gives browsers a page: %s', async (_name, path, headers = {}) => {
  const page = await ask(path, { accept: browser, headers });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<h1>There is nothing at this address</h1>');
  expect(page.text).toContain('<a class="go" href="/">');
  expect(page.text).not.toMatch(/<script|(?:href|src)="(?!\/(?:favicon\.ico)?")/);
  // One policy: of two a browser obeys both, and the style would be refused.
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('vary')).toMatch(/^Accept(?:, Origin)?$/);
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  const head = await ask(path, { accept: browser, headers, method: 'HEAD' });
  expect([head.status, head.text, ofAnswer(head.headers)]).toEqual([404, '', ofAnswer(page.headers)]);
});

test.each(addresses)('gives every other client the same JSON as before: %s', async (_name, path, headers = {}) => {
  const plain = await ask(path, { headers });
  expect([plain.status, JSON.parse(plain.text)]).toEqual([404, expect.any(Object)]);
  expect(plain.headers.get('content-type')).toMatch(/^application\/(?:problem\+)?json; charset=utf-8$/);
  expect(plain.headers.get('vary')).toMatch(/^Accept(?:, Origin)?$/);
  for (const accept of [
    ...['*/*', 'application/json', 'application/json, text/html;q=0.9', 'text/html, application/json'],
    ...['image/avif,image/webp,*/*', 'text/html;q=0', 'nonsense'],
  ]) {
    const answer = await ask(path, { accept, headers });
    expect([accept, answer.status, answer.text]).toEqual([accept, 404, plain.text]);
    expect([accept, answer.headers.get('content-type')]).toEqual([accept, plain.headers.get('content-type')]);
  }
});

test.each([
  ['another method', '/api/v1/nothing', { method: 'POST' }, 404],
  ['a method that the route does not have', '/api/v1/health', { method: 'PUT' }, 405],
  ['a record that is not there', '/api/v1/resources/4711', {}, 404],
  ['a page that is not there', '/api/v1/pages/nothing', {}, 404],
  ['the banner API without its key', '/banners/api.php/nothing', {}, 401],
  ['an unknown action of the free page API', '/pages/api.php?action=nothing', {}, 400],
  ['an address that cannot be read', '/nothing%ff', {}, 400],
])('is about unknown addresses only: %s', async (_name, path, asked, status) => {
  const answer = await ask(path, { accept: browser, ...asked });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, expect.stringMatching(/json/)]);
  expect(answer.headers.get('vary') ?? '').not.toContain('Accept,');
});

test('prefers the problem documents of the gateway where Accept does', async () => {
  const accept = 'application/problem+json, text/html;q=0.5';
  expect((await ask('/api/v1/nothing', { accept })).headers.get('content-type')).toContain('problem+json');
});

test('names the route without the slash at its end on the page too', async () => {
  const page = await ask('/api/v1/resources/?q=<b>', { accept: browser });
  expect(page.text).toContain(
    '<p class="lead">There is no route /api/v1/resources/; the route is /api/v1/resources, without the slash at the end.</p>',
  );
});

test('shows nothing of the request but its id', async () => {
  const page = await ask('/%3Cscript%3E?x=<i>secret', { accept: browser, headers: { Referer: '/<u>' } });
  expect(page.text).not.toMatch(/secret|script|<i>|<u>/);
  expect(page.text).toContain('<code>request-1</code>');
});

test('lets pages of other origins read that an address is unknown', async () => {
  const { headers } = await ask('/api/v1/nothing', { accept: browser, headers: { Origin: 'https://site.example' } });
  expect(headers.get('access-control-allow-origin')).toBe('https://site.example');
  expect(headers.get('vary')).toBe('Accept, Origin');
});

test('counts browsers at unknown addresses like every other client', async () => {
  const facts = site.log.filter((fact) => fact.kind === 'request_finished' && fact.status === 404);
  const before = facts.length;
  await ask('/nothing', { accept: browser });
  const [fact] = site.log.filter((one) => one.kind === 'request_finished' && one.status === 404).slice(before);
  expect(fact).toMatchObject({ api: 'none', route: null, refusal: { check: 'route' } });
});
