/**
 * What this process changes shows in its next answer: everything that is kept in memory, on a clock that stands still, so
 * that nothing is looked at again because time has passed.
 */
import { beforeAll, expect, it } from 'vitest';
import { linkBanner, unlinkBanner } from '../../src/banners/management/position-links.js';
import { addPosition } from '../../src/banners/management/positions.js';
import { changeSetting } from '../../src/operations/settings/change-setting.js';
import { publishPage, saveDraft, withdrawPage } from '../../src/pages/authoring/change-page.js';
import { removeSectionType } from '../../src/pages/authoring/section-types.js';
import { issue, start } from '../identity/page-tokens/token-store.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { startTestSite, type TestSite } from '../support/site.js';
import { authoring, hero } from './pages/published-site.js';

const key = '0123456789abcdef0123456789abcdef';
const all = { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null } as const;

describeEachDatabase('what this process changes', (database) => {
  let site: TestSite;
  let token: string;
  let top: number;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await database.url(),
      clock: fakeClock(start),
      identities: { all },
      env: {
        ...{ HCD_PAGES_REST_THROTTLE_PER_MINUTE: '0', HCD_GATEWAY_CACHE_ENABLED: '1', HCD_BANNERS_API_KEY: key },
        ...{ HCD_BANNERS_API_WRITE_ENABLED: '1', HCD_BANNERS_API_RATE_LIMIT: '0' },
      },
    });
    await set('banners_api_enabled', '1');
    await set('pages_rest_api_enabled', '1');
    await set('friendly_urls', '1');
    token = (await issue(site.store)).token;
    top = (await addPosition(site.store, { name: 'top', context_key: '', username: 'cli' })).id;
  });

  const set = (name: string, text: string) =>
    changeSetting(site.store, { key: name, context: null, env: {}, text, force: true, rootSecret: null });
  const banners = async (method: string, route: string, body?: unknown) => {
    const response = await fetch(`${site.url}/banners/api.php?route=${route}`, {
      method,
      redirect: 'manual',
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { data: never } };
  };
  const make = async (fields: object): Promise<number> => {
    const { body } = await banners('POST', '/ads', fields);
    return (body.data as { id: number }).id;
  };
  const slot = async (position: number | string = top) => {
    const { body } = await banners('GET', `/slots/${position}&limit=50`);
    return body.data as { id: number; adposition: number; name: string; click_url: string }[];
  };
  const visit = async (address: string) => {
    const { pathname, search } = new URL(address, site.url);
    const response = await fetch(`${site.url}${pathname}${search}`, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' },
    });
    return [response.status, response.headers.get('location')];
  };
  const askPages = (route: string) =>
    fetch(`${site.url}/pages/api/v1.php?path=${route}`, { headers: { authorization: `Bearer ${token}` } });
  const getPages = async (route: string) =>
    ((await (await askPages(route)).json()) as { object: Record<string, unknown> }).object;
  const write = (method: string, path: string, body: object) => site.get(path, { as: 'all', method, body });
  const create = async (fields: object): Promise<number> => {
    const { body } = await write('POST', '/resources', fields);
    return (body['data'] as { id: number }).id;
  };

  it('shows in slots: a new banner, other fields of it, a new position and a link', async () => {
    expect(await slot()).toEqual([]);
    const id = await make({ name: 'first', type: 'html', html: 'x', url: 'https://example.com/a', positions: [top] });
    expect((await slot()).map(({ name }) => name)).toEqual(['first']);
    await banners('PATCH', `/ads/${id}`, { name: 'second' });
    expect((await slot()).map(({ name }) => name)).toEqual(['second']);
    await banners('PATCH', `/ads/${id}`, { active: 0 });
    expect(await slot()).toEqual([]);
    await banners('PATCH', `/ads/${id}`, { active: 1 });
    const side = (await addPosition(site.store, { name: 'side', context_key: '', username: 'cli' })).id;
    expect(await slot(side)).toEqual([]);
    await linkBanner(site.store, { position: side, ad: id, weight: 1, idx: null, username: 'cli' });
    expect((await slot(side)).map((one) => one.id)).toEqual([id]);
    await unlinkBanner(site.store, { position: side, ad: id, username: 'cli' });
    expect(await slot(side)).toEqual([]);
  });

  it('shows in where a click leads: the address of the banner, and the one of the resource it names', async () => {
    // The first resource is where the site starts.
    await create({ pagetitle: 'Start', alias: 'start', published: true });
    const target = await create({ pagetitle: 'Target', alias: 'before', published: true });
    const id = await make({ name: 'led', type: 'html', html: 'x', url: `[[~${target}]]`, positions: [top] });
    const click = (await slot()).find((one) => one.id === id)?.click_url ?? '';
    expect((await visit(click))[1]).toMatch(/\/before(\.html)?$/);
    await write('PATCH', `/resources/${target}`, { alias: 'after' });
    expect((await visit(click))[1]).toMatch(/\/after(\.html)?$/);
    await banners('PATCH', `/ads/${id}`, { url: 'https://example.com/elsewhere' });
    expect(await visit(click)).toEqual([302, 'https://example.com/elsewhere']);
  });

  it('shows in figures: a click that was answered', async () => {
    const id = await make({ name: 'counted', type: 'html', html: 'x', url: 'https://example.com/c', positions: [top] });
    const click = (await slot()).find((one) => one.id === id)?.click_url ?? '';
    await visit(click);
    expect((await banners('GET', `/ads/${id}`)).body.data).toMatchObject({ clicks: 1 });
    expect((await banners('GET', '/stats/top-ads')).body.data).toContainEqual(
      expect.objectContaining({ id, clicks: 1 }),
    );
  });

  it('shows in switches and settings of every interface', async () => {
    await set('banners_api_enabled', '0');
    expect((await banners('GET', '/ads')).status).toBe(503);
    await set('banners_api_enabled', '1');
    expect((await banners('GET', '/ads')).status).toBe(200);
    await set('gateway_max_limit', '7');
    expect((await site.get('/resources?limit=8')).body['meta']).toMatchObject({ limit: 7 });
    await set('gateway_max_limit', '100');
    expect((await site.get('/resources?limit=8')).body['meta']).toMatchObject({ limit: 8 });
    await set('pages_rest_api_enabled', '0');
    expect((await askPages('/pages')).status).toBe(503);
    await set('pages_rest_api_enabled', '1');
    expect((await askPages('/pages')).status).toBe(200);
  });

  it('shows in kept answers and totals of the gateway', async () => {
    const total = async () => (await site.get('/resources?limit=1&fields=id')).body['meta'] as { total: number };
    const before = (await total()).total;
    const id = await create({ pagetitle: 'One more', alias: 'one-more', published: true });
    expect((await total()).total).toBe(before + 1);
    expect((await site.get(`/resources/${id}`)).body['data']).toMatchObject({ pagetitle: 'One more' });
    await write('PATCH', `/resources/${id}`, { pagetitle: 'Another' });
    expect((await site.get(`/resources/${id}`)).body['data']).toMatchObject({ pagetitle: 'Another' });
    await write('PATCH', `/resources/${id}`, { published: false });
    expect((await site.get(`/resources/${id}`)).status).toBe(404);
    expect((await total()).total).toBe(before);
  });

  it('shows in pages, their list and feed, and in the catalogue', async () => {
    const { store } = site;
    const id = await create({ pagetitle: 'Page', alias: 'page', published: true });
    expect((await getPages('/pages'))['total']).toBe(0);
    const document = { schemaVersion: 1, sections: [hero('Hello')] };
    await saveDraft(authoring(store), { resource: id, document, expected: null, publish: false });
    await publishPage(authoring(store), { resource: id, expected: null });
    expect(await getPages('/pages')).toMatchObject({ total: 1, items: [{ resourceId: id }] });
    expect(await getPages(`/pages/${id}`)).toMatchObject({ publishedRevision: 1 });
    await write('PATCH', `/resources/${id}`, { published: false });
    expect((await getPages('/pages'))['total']).toBe(0);
    await write('PATCH', `/resources/${id}`, { published: true });
    await withdrawPage(authoring(store), id);
    expect((await getPages('/pages&changed_since=0'))['items']).toMatchObject([{ resourceId: id, withdrawn: true }]);
    const types = (await getPages('/catalog/sections'))['total'] as number;
    await removeSectionType(store, { key: 'faq', force: true, by: 'test' });
    expect((await getPages('/catalog/sections'))['total']).toBe(types - 1);
  });
});
