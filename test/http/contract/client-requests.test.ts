/** What real clients and the servers in front of them send: merge patches, slashes at the end, credentials for others. */
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { prepareCliDatabase } from '../../support/cli-database.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { startTestSite } from '../../support/site.js';
import { key, type ManagementSite, startManagementSite } from '../banners/management-site.js';

const identities = { all: { kind: 'api_key', id: 'k', scopes: new Set(['*']), userId: null } } as const;
/** Serves all three interfaces. */
const startAll = async (databaseUrl: string): Promise<ManagementSite> => {
  const site = await startManagementSite(databaseUrl, { identities, env: { HCD_PAGES_REST_API_ENABLED: '1' } });
  await seed(site.store, { site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' }] });
  return site;
};
const mergePatch = { 'content-type': 'application/merge-patch+json; charset=utf-8' };

describeEachDatabase('a merge patch', (database) => {
  it('changes a resource like any PATCH, where null empties a field, and is no body of other methods', async () => {
    const site = await startTestSite({ databaseUrl: await database.url(), identities });
    const home = { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' };
    await seed(site.store, { site_content: [{ ...home, publishedon: 1_700_000_000, pub_date: 1_900_000_000 }] });
    const write = (method: string, path: string) =>
      site.get(path, { as: 'all', method, headers: mergePatch, body: '{"pagetitle":"New","pub_date":null}' });
    const changed = await write('PATCH', '/resources/1');
    expect([changed.status, changed.body['data']]).toMatchObject([200, { pagetitle: 'New', pub_date: null }]);
    expect((await write('PUT', '/resources/1')).status).toBe(415);
    expect((await write('POST', '/resources')).status).toBe(415);
    const plain = { as: 'all', method: 'PATCH', headers: { 'content-type': 'text/plain' }, body: '{}' };
    const { status, body } = await site.get('/resources/1', plain);
    const detail = 'Send the body as application/json or application/merge-patch+json';
    expect([status, body['detail']]).toEqual([415, detail]);
  });

  it('changes a banner', async () => {
    const site = await startManagementSite(await database.url());
    const id = await site.make({ name: 'Old', description: 'Text' });
    const { status, body } = await site.api('PATCH', `/ads/${id}`, '{"name":"New"}', mergePatch);
    expect([status, body['data']]).toMatchObject([200, { name: 'New', description: 'Text' }]);
  });
});

describe('a slash at the end of a route', () => {
  let site: ManagementSite;
  beforeAll(async () => {
    site = await startAll(await freshSqliteUrl());
  });

  it.each([
    ['/resources/', '/api/v1/resources'],
    ['/resources/1/', '/api/v1/resources/1'],
    ['/contexts/web/settings/', '/api/v1/contexts/web/settings'],
    ['/health/', '/api/v1/health'],
    ['/objects/tvs/?limit=1', '/api/v1/objects/tvs'],
  ])('is 404 of the gateway that names the route without it: %s', async (path, named) => {
    const { status, body } = await site.get(path);
    const detail = `There is no route ${named}/; the route is ${named}, without the slash at the end`;
    expect([status, body['detail']]).toEqual([404, detail]);
  });

  it('is plain 404 where there is no such route without it, and part of the address of a page', async () => {
    for (const path of ['/nowhere/', '/resources//', '/objects/nothing/']) {
      const { status, body } = await site.get(path);
      expect([path, status, body['detail']]).toEqual([path, 404, expect.not.stringContaining('the route is')]);
    }
    expect((await site.get('/pages/about/')).body['detail']).not.toContain('slash');
    expect((await site.get('/')).status).toBe(200);
  });

  it('is 404 of the page delivery API and of the banner API', async () => {
    const answer = await fetch(`${site.url}/pages/api/v1.php?path=/pages/`);
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { message: expect.stringMatching(/; the route is \/pages\/api\/v1\.php\/pages, without the slash at the end$/) },
    ]);
    expect(await site.api('GET', '/ads/')).toMatchObject({ status: 404, body: { message: 'not found' } });
  });
});

const schemes = [
  ...['Basic dXNlcjpwYXNz', 'basic', 'Digest username="u", realm="r"', 'Negotiate YII=', 'NTLM TlRM', 'HOBA x', ''],
];

describe('Authorization for a server in front', () => {
  let site: ManagementSite;
  beforeAll(async () => {
    site = await startAll(await freshSqliteUrl());
  });

  it.each(schemes)('spoils no right credential, and is none: %s', async (authorization) => {
    const statusOf = async (url: string, headers: Readonly<Record<string, string>> = {}) =>
      (await fetch(url, { headers: { authorization, ...headers } })).status;
    const entry = '/banners/api.php/ads';
    for (const [path, headers, status] of [
      ['/api/v1/resources/1', {}, 200],
      ['/api/v1/chunks', {}, 401],
      ['/api/v1/chunks', { 'x-api-key': 'all' }, 200],
      ['/api/v1/resources/1', { 'x-api-key': 'wrong' }, 401],
      ['/pages/api/v1.php/openapi.json', {}, 200],
      ['/pages/api/v1.php/pages', {}, 401],
      [entry, {}, 401],
      [entry, { 'x-api-key': key }, 200],
      [`${entry}?api_key=${key}`, {}, 200],
      [`${entry}?api_key=${key}`, { 'x-api-key': 'wrong' }, 401],
    ] as const) {
      expect([path, headers, await statusOf(`${site.url}${path}`, headers)]).toEqual([path, headers, status]);
    }
  });

  it('spoils no right preview token', async () => {
    const db = await prepareCliDatabase(await freshSqliteUrl(), (store) =>
      seed(store, { site_content: [{ id: 1, pagetitle: 'Draft', published: 0 }] }),
    );
    const made = (await db.json('resource preview 1', { clock: systemClock })) as { data: { token: string } };
    const { token } = made.data;
    const shown = await startTestSite({ databaseUrl: db.url });
    for (const authorization of schemes) {
      const headers = { authorization, 'x-preview-token': token };
      expect((await shown.get('/resources/1', { headers })).status).toBe(200);
      const wrong = { ...headers, 'x-preview-token': 'wrong' };
      expect((await shown.get('/resources/1', { headers: wrong })).status).toBe(401);
    }
  });

  it.each(['Bearer wrong', 'Bearer', 'Token good', key, 'Basicdream x'])(
    'is what no other text is: %s is a wrong credential on every interface',
    async (authorization) => {
      const statusOf = async (url: string) =>
        (await fetch(url, { headers: { authorization, 'x-api-key': key } })).status;
      expect(await statusOf(`${site.url}/api/v1/resources/1`)).toBe(401);
      expect(await statusOf(`${site.url}/pages/api/v1.php/openapi.json`)).toBe(401);
      expect(await statusOf(`${site.url}/banners/api.php/ads`)).toBe(401);
    },
  );
});
