/** Page tokens over HTTP: what they open, every refusal, and when an issue, an end and a revocation hold. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createCredential } from '../../../src/crypto/credential-text.js';
import { listTokens, revokeToken } from '../../../src/identity/page-tokens/manage-tokens.js';
import { openHandle } from '../../identity/keys/key-store.js';
import { issue, start, storedText } from '../../identity/page-tokens/token-store.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { type Asked, type PagesSite, startPagesSite } from './token-site.js';

const failure = (message: string) => ({ success: false, message, object: {} });
const refusal = [401, 'Bearer', failure('Invalid or revoked credentials')];
const refusalOf = ({ status, headers, json }: Asked) => [status, headers.get('www-authenticate'), json()];

describeEachDatabase('a page token', (database) => {
  it('opens the health route, whose answer is not kept', async () => {
    const { site, ask } = await startPagesSite({ databaseUrl: await database.url(), clock: fakeClock(start + 500) });
    const { token } = await issue(site.store);
    const answer = await ask('/health', token);
    const object = { ok: true, version: expect.any(String), publicApiEnabled: false, time: '2026-11-21T09:30:00Z' };
    expect([answer.status, answer.json()]).toEqual([200, { success: true, message: '', object }]);
    const names = ['cache-control', 'vary', 'x-content-type-options', 'referrer-policy', 'content-security-policy'];
    expect(names.map((name) => answer.headers.get(name))).toEqual([
      'private, no-store, no-transform',
      'Authorization',
      'nosniff',
      'no-referrer',
      "default-src 'none'; frame-ancestors 'none'",
    ]);
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    const again = await ask('/health', token, { 'If-None-Match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('opens only what its scopes say', async () => {
    const { site, ask } = await startPagesSite({ databaseUrl: await database.url() });
    const pages = (await issue(site.store, { scopes: ['pages.read'] })).token;
    const catalog = (await issue(site.store, { scopes: ['catalog.read'] })).token;
    const words = 'Insufficient permissions: this request needs the scope';
    const denied = (scope: string) => [403, null, failure(`${words} ${scope}`)];
    for (const route of ['/health', '/catalog/sections']) {
      expect(refusalOf(await ask(route, pages))).toEqual(denied('catalog.read'));
    }
    for (const route of ['/pages', '/pages/1', '/pages/about']) {
      expect(refusalOf(await ask(route, catalog))).toEqual(denied('pages.read'));
    }
    expect((await ask('/health', catalog)).status).toBe(200);
  });

  it('works from the next request on, and is refused from the next one after its revocation, in every process', async () => {
    const databaseUrl = await database.url();
    // Their clocks do not move: nothing is read again in the background.
    const clock = fakeClock(start);
    const servers = [await startPagesSite({ databaseUrl, clock }), await startPagesSite({ databaseUrl, clock })];
    const elsewhere = await openHandle(databaseUrl);
    const { token, prefix } = await issue(elsewhere);
    const statuses = async () => Promise.all(servers.map(async ({ ask }) => (await ask('/health', token)).status));
    expect(await statuses()).toEqual([200, 200]);
    await revokeToken(elsewhere, { selector: { prefix }, env: {}, now: start });
    expect(await statuses()).toEqual([401, 401]);
    const other = await issue((servers[0] as PagesSite).site.store);
    await revokeToken((servers[0] as PagesSite).site.store, { selector: { id: other.id }, env: {}, now: start });
    for (const { ask } of servers) expect(refusalOf(await ask('/health', other.token))).toEqual(refusal);
  });

  it('has its last use written outside the request, without a change of the live settings', async () => {
    const clock = fakeClock(start);
    const { site, ask } = await startPagesSite({ databaseUrl: await database.url(), clock });
    const { token } = await issue(site.store);
    await site.live.refresh();
    const view = site.live.current();
    await ask('/health', token);
    const lastUsed = async () =>
      (await listTokens(site.store, { env: {}, now: start })).tokens.map((one) => one.lastUsed);
    expect(await lastUsed()).toEqual([null]);
    // Written when the second is over.
    await clock.advance(1000);
    await expect.poll(lastUsed).toEqual([start / 1000]);
    await site.live.refresh();
    expect(site.live.current()).toBe(view);
  });

  it('is worth nothing while the stored list cannot be understood, which the log says', async () => {
    const { site, ask } = await startPagesSite({ databaseUrl: await database.url() });
    const { token } = await issue(site.store);
    const list = (await storedText(site.store, 'pages_rest_tokens')) ?? '';
    const set = (value: string) =>
      site.change([`UPDATE modx_system_settings SET value = '${value}' WHERE \`key\` = 'pages_rest_tokens'`]);
    await set('broken');
    expect(refusalOf(await ask('/health', token))).toEqual(refusal);
    const problem = 'pages_rest_tokens must be the list of page tokens as hcd token writes it';
    expect(site.log.filter(({ kind }) => kind === 'setting_refused')).toEqual([
      { kind: 'setting_refused', key: 'pages_rest_tokens', problem },
    ]);
    await set(list);
    expect((await ask('/health', token)).status).toBe(200);
  });
});

describe('a page token', () => {
  const open = async () => startPagesSite({ databaseUrl: await freshSqliteUrl(), clock: fakeClock(start) });
  let shared: PagesSite;
  let token: string;

  beforeAll(async () => {
    shared = await open();
    token = (await issue(shared.site.store)).token;
  });

  test.each<[name: string, authorization: (token: string) => string]>([
    ['of an unknown prefix', () => `Bearer ${createCredential('pt').text}`],
    ['with another secret', (token) => `Bearer ${createCredential('pt', token.slice(3, 11)).text}`],
    ['that was cut', (token) => `Bearer ${token.slice(0, -1)}`],
    ['with a letter too much', (token) => `Bearer ${token}x`],
    ['in another scheme', (token) => `Token ${token}`],
    ['without a scheme', (token) => token],
    ['next to a second one', (token) => `Bearer ${token}, Bearer ${token}`],
    ['that is absent', () => 'Bearer'],
    ['that is very long', (token) => `Bearer ${token.repeat(100)}`],
    ['of the gateway', () => `Bearer ${createCredential('gk').text}`],
  ])('%s is refused', async (_name, authorization) => {
    const { ask } = shared;
    const header = { Authorization: authorization(token) };
    for (const route of ['/health', '/openapi.json']) {
      expect(refusalOf(await ask(route, undefined, header))).toEqual(refusal);
    }
    expect((await ask('/health', token)).status).toBe(200);
  });

  it('is no password of HTTP Basic, which is for a server in front', async () => {
    const { ask } = shared;
    const header = { Authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` };
    expect((await ask('/health', undefined, header)).json()).toMatchObject({ message: 'Authentication required' });
    expect((await ask('/openapi.json', undefined, header)).status).toBe(200);
  });

  it('counts in the Authorization header alone, whatever the case of its scheme', async () => {
    const { ask } = shared;
    const missing = [401, 'Bearer', failure('Authentication required')];
    expect(refusalOf(await ask('/health'))).toEqual(missing);
    expect(refusalOf(await ask('/health', undefined, { 'X-API-Key': token }))).toEqual(missing);
    expect(refusalOf(await ask(`/health&api_key=${token}`))).toEqual(missing);
    expect((await ask('/health', undefined, { Authorization: `bearer  ${token}` })).status).toBe(200);
  });

  it('ends at its time', async () => {
    const clock = fakeClock(start);
    const { site, ask } = await startPagesSite({ databaseUrl: await freshSqliteUrl(), clock });
    const { token } = await issue(site.store, { expiresOn: start + 60_000 });
    await clock.advance(59_999);
    expect((await ask('/health', token)).status).toBe(200);
    await clock.advance(1);
    expect(refusalOf(await ask('/health', token))).toEqual(refusal);
  });

  it('has its own description of the API, and a wrong one has none', async () => {
    const { site, ask } = await open();
    const pagesOnly = (await issue(site.store, { scopes: ['pages.read'] })).token;
    const catalogOnly = (await issue(site.store, { scopes: ['catalog.read'] })).token;
    const both = (await issue(site.store)).token;
    const paths = async (token?: string) => {
      const document = (await ask('/openapi.json', token)).json() as { paths: object };
      expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
      return Object.keys(document.paths);
    };
    const all = ['/health', '/catalog/sections', '/pages', '/pages/{idOrAlias}', '/openapi.json', '/'];
    expect(await paths()).toEqual(all);
    expect(await paths(both)).toEqual(all);
    expect(await paths(pagesOnly)).toEqual(['/pages', '/pages/{idOrAlias}', '/openapi.json', '/']);
    expect(await paths(catalogOnly)).toEqual(['/health', '/catalog/sections', '/openapi.json', '/']);
    const [free, kept] = [await ask('/openapi.json'), await ask('/openapi.json', pagesOnly)];
    const caching = [free, kept].map(({ headers }) => headers.get('cache-control'));
    expect(caching).toEqual(['no-cache', 'private, no-store, no-transform']);
  });

  it('is not looked at while the API is off or the route is unknown', async () => {
    const { site, ask } = await startPagesSite({
      databaseUrl: await freshSqliteUrl(),
      env: { HCD_PAGES_REST_API_ENABLED: '0' },
    });
    const { token } = await issue(site.store);
    for (const given of [token, 'wrong', undefined]) {
      const answers = [await ask('/health', given), await ask('/openapi.json', given), await ask('/nothing', given)];
      expect(answers.map((answer) => [answer.status, answer.json()])).toEqual([
        [503, failure('Service disabled')],
        [503, failure('Service disabled')],
        [404, failure('Not found')],
      ]);
    }
  });

  it('is in no line of the log', async () => {
    const { site, ask } = await open();
    const { token, prefix } = await issue(site.store);
    await ask('/health', token);
    await ask('/health', `${token}x`);
    const requests = site.log.filter((fact) => fact.kind === 'request_finished');
    expect(requests).toMatchObject([{ status: 200 }, { status: 401 }]);
    expect(JSON.stringify(site.log)).not.toContain(token);
    expect(JSON.stringify(requests[0])).toContain(prefix);
  });
});
