/** Old addresses of moved pages: GET /redirects, GET /pages and `hcd redirect` (docs/gateway.md#moved-pages). */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildIndexes } from '../../../src/content/indexing/keep-indexes.js';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const pages = [
  { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
  { id: 2, pagetitle: 'News', alias: 'news', uri: 'news/', isfolder: 1 },
  { id: 3, pagetitle: 'Old', alias: 'old', uri: 'news/old.html', parent: 2 },
  { id: 4, pagetitle: 'Draft', alias: 'draft', uri: 'news/draft.html', parent: 2, published: 0 },
  { id: 5, pagetitle: 'Über', alias: 'ueber', uri: 'über/uns.html' },
  { id: 6, pagetitle: 'Neues', alias: 'neues', uri: 'neues/', context_key: 'de' },
];

describeEachDatabase('redirects', (database) => {
  /** What no database has a part in. */
  const pure = test.runIf(database.name === 'sqlite');
  let db: CliDatabase;
  let site: TestSite;

  beforeEach(async () => {
    const url = await database.url();
    db = await prepareCliDatabase(url, async (store) => {
      const settings = { gateway_redirects: 1, gateway_allowed_contexts: 'web,de' };
      await seed(store, {
        context: [{ key: 'de', name: 'Deutsch' }],
        system_settings: Object.entries(settings).map(([key, value]) => ({ key, value })),
        site_content: pages,
      });
    });
    site = await startTestSite({ databaseUrl: url, identities: { all: key('*') } });
  });

  const change = (id: number, body: object) => site.get(`/resources/${id}`, { method: 'PATCH', as: 'all', body });
  const list = async (query = '') => (await site.get(`/redirects${query}`)).body;
  const ask = (path: string) => fetch(`${site.url}/api/v1/pages/${path}`, { redirect: 'manual' });
  const leads = async (path: string) => {
    const { status, headers } = await ask(path);
    return [status, headers.get('location'), headers.get('x-resolved-uri')];
  };
  const moved = (uri: string, status = 301) => [status, `/api/v1/pages/${uri}`, uri];
  const missing = [404, null, null];
  const data = async (line: string) => ((await db.json(line)) as { data: unknown }).data;

  test('a page that moves leaves its address, and so do the published pages below it', async () => {
    expect((await change(2, { alias: 'blog' })).status).toBe(200);
    const both = [
      { from: 'news/', to: 'blog/', status: 301 },
      { from: 'news/old.html', to: 'blog/old.html', status: 301 },
    ];
    expect(await list()).toEqual({ data: both, meta: { count: 2, limit: 20, has_more: false } });
    expect(await leads('news/old.html')).toEqual(moved('blog/old.html'));
    expect(await leads('news')).toEqual(moved('blog/'));
    expect(await leads('news/draft.html')).toEqual(missing);
    const answer = await ask('news/old.html?fields=id,uri');
    expect(await answer.json()).toEqual({
      data: { from: 'news/old.html', to: 'blog/old.html', status: 301 },
      meta: { uri: 'news/old.html' },
    });
    expect(answer.headers.get('location')).toBe('/api/v1/pages/blog/old.html?fields=id%2Curi');
  });

  test('a second move leads to the last address, and a move back ends the redirect', async () => {
    await change(3, { alias: 'second' });
    await change(3, { alias: 'third' });
    expect(await leads('news/old.html')).toEqual(moved('news/third.html'));
    await change(3, { alias: 'old' });
    const both = ['second', 'third'].map((name) => ({ from: `news/${name}.html`, to: 'news/old.html' }));
    expect(await list()).toMatchObject({ data: both });
    expect((await leads('news/old.html'))[0]).toBe(200);
  });

  test('a page that takes the old address is served, and no target is shown that the caller may not see', async () => {
    await change(3, { alias: 'new' });
    await site.get('/resources', { method: 'POST', as: 'all', body: { pagetitle: 'Old', parent: 2, published: true } });
    expect([(await leads('news/old.html'))[0], await list()]).toMatchObject([200, { data: [] }]);
    await change(5, { alias: 'wir' });
    expect(await leads('über/uns.html')).toEqual(moved('wir.html'));
    await change(5, { published: false });
    expect([await leads('über/uns.html'), await list()]).toMatchObject([missing, { data: [] }]);
    await change(5, { published: true });
    expect(await list()).toMatchObject({ data: [{ from: 'über/uns.html', to: 'wir.html' }] });
    await site.get('/resources/5?force=1', { method: 'DELETE', as: 'all' });
    expect([await leads('über/uns.html'), await list()]).toMatchObject([missing, { data: [] }]);
    expect(await data('redirect list')).toMatchObject([{ from: 'news/old.html', resource: 3 }]);
  });

  pure('another context has its own old addresses', async () => {
    await change(6, { alias: 'aktuelles' });
    expect(await list()).toMatchObject({ data: [] });
    expect(await list('?context=de')).toMatchObject({ data: [{ from: 'neues/', to: 'aktuelles.html', status: 301 }] });
    expect((await site.get('/redirects?context=nowhere')).status).toBe(422);
  });

  pure('commands keep old addresses too', async () => {
    await db.run('resource update 3 --alias fresh');
    expect(await list()).toMatchObject({ data: [{ from: 'news/old.html', to: 'news/fresh.html' }] });
  });

  test('edits that another program makes in the database count too', async () => {
    await buildIndexes(site.store, new AbortController().signal);
    await db.change(async ({ content }) => {
      const sql = "UPDATE modx_site_content SET uri = 'news/moved.html' WHERE id = 3";
      await content.write((tx) => tx.run({ sql, params: [] }));
    });
    await eventually(async () => {
      expect(await list()).toMatchObject({ data: [{ from: 'news/old.html', to: 'news/moved.html' }] });
    });
  });

  pure('a page in another context has no redirect until it is back', async () => {
    await change(5, { context_key: 'de' });
    expect(await leads('über/uns.html')).toEqual(missing);
    expect([await list(), await list('?context=de')]).toMatchObject([{ data: [] }, { data: [] }]);
    await change(5, { context_key: 'web', alias: 'wir' });
    expect(await leads('über/uns.html')).toEqual(moved('wir.html'));
  });

  pure('the list goes on by cursor', async () => {
    await change(2, { alias: 'blog' });
    const first = await list('?limit=1');
    expect(first).toMatchObject({ data: [{ from: 'news/' }], meta: { count: 1, limit: 1, has_more: true } });
    const cursor = (first['meta'] as Record<string, unknown>)['next_cursor'];
    const rest = await list(`?limit=1&cursor=${cursor}`);
    expect(rest).toMatchObject({ data: [{ from: 'news/old.html' }], meta: { has_more: false } });
    for (const query of ['?limit=0', '?limit=x', '?cursor=x', '?cursor=-1']) {
      expect((await site.get(`/redirects${query}`)).status).toBe(422);
    }
  });

  pure('an old address is 404 while gateway_redirects is off', async () => {
    await change(3, { alias: 'new' });
    await db.run('setting set gateway_redirects 0');
    await site.live.refresh();
    expect(await leads('news/old.html')).toEqual(missing);
    expect(await list()).toMatchObject({ data: [{ from: 'news/old.html', to: 'news/new.html' }] });
  });

  test('commands add, replace, list and remove redirects', async () => {
    expect(await data('redirect add /a.html news/old.html')).toEqual({ redirects: 1 });
    const whole = 'redirect add http://old.example/b%20c.html /a.html --status 302';
    expect(await data(whole)).toMatchObject({ redirects: 1 });
    expect(await data('redirect add a.html news/')).toMatchObject({ redirects: 1 });
    expect(await data('redirect add shop https://shop.example.com/de')).toMatchObject({ redirects: 1 });
    expect(await data('redirect list')).toMatchObject([
      { from: 'a.html', to: 'news/', status: 301, resource: 2 },
      { from: 'b c.html', to: 'news/old.html', status: 302, resource: 3 },
      { from: 'shop', to: 'https://shop.example.com/de', status: 301, resource: null },
    ]);
    expect(await leads('b%20c.html')).toEqual(moved('news/old.html', 302));
    expect(await leads('shop')).toEqual([301, 'https://shop.example.com/de', null]);
    expect((await db.run('redirect remove shop --yes')).code).toBe(0);
    expect(await leads('shop')).toEqual(missing);
    expect((await db.run('redirect remove shop --yes')).stderr).toContain('There is no redirect from shop');
  });

  test('imports CSV and JSON as a whole, following the addresses of the list', async () => {
    const csv = 'status;to;from\n;b.html;a.html\n301;news/old;b.html\n307;/;start.html\n';
    expect(await db.json('redirect import - --dry-run', { stdin: csv })).toMatchObject({ data: { redirects: 3 } });
    expect(await list()).toMatchObject({ data: [] });
    expect(await db.json('redirect import -', { stdin: csv })).toMatchObject({ data: { redirects: 3 } });
    expect(await db.json('redirect import -', { stdin: csv })).toMatchObject({ data: { redirects: 3 } });
    expect(await list()).toMatchObject({
      data: [
        { from: 'a.html', to: 'news/old.html', status: 301 },
        { from: 'b.html', to: 'news/old.html', status: 301 },
        { from: 'start.html', to: 'index.html', status: 307 },
      ],
    });
    const json = JSON.stringify([{ from: 'neu', to: 'neues/' }]);
    expect(await db.json('redirect import - --context de', { stdin: json })).toMatchObject({ data: { redirects: 1 } });
  });
});

describe('a list of redirects', () => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl(), (store) => seed(store, { site_content: pages }));
  });

  test.each([
    ['from,to\na,news/old.html\nb,missing.html', 'line 3: to', 'is not the address of a page of web: missing.html'],
    ['from,to\na,b\nb,a', 'line 2: to', 'leads in a circle'],
    ['from,to\na?id=3,news/old.html', 'line 2: from', 'has ? or #'],
    ['from,to\n/,news/old.html', 'line 2: from', 'must be a path below that of the home page'],
    ['from,to,status\na,news/old.html,200', 'line 2: status', 'must be one of: 301, 302, 307, 308'],
    ['[{"from": "a"}]', 'entry 1: to', 'is empty'],
    ['{"from": "a"}', '', 'is neither a JSON array'],
    ['from,to\n"a,b', '', 'is not valid CSV'],
    ['', '', 'nor CSV with these columns'],
    ['/a.html,news/old.html', '', 'nor CSV with these columns'],
  ])('refuses the list %j', async (stdin, field, problem) => {
    const { code, stderr } = await db.run('redirect import -', { stdin });
    expect([code, stderr]).toEqual([1, expect.stringContaining(problem)]);
    expect(stderr).toContain(field);
    expect(await db.json('redirect list')).toMatchObject({ data: [] });
  });
});

test('redirects of content in another database than the hcd_ tables', async () => {
  const databaseUrl = await freshSqliteUrl();
  await prepareCliDatabase(databaseUrl, async (store) => {
    await seed(store, { site_content: [{ id: 3, alias: 'old', uri: 'old' }] });
  });
  const ownDatabaseUrl = await freshSqliteUrl();
  const site = await startTestSite({ databaseUrl, ownDatabaseUrl, identities: { all: key('*') } });
  await site.get('/resources/3', { method: 'PATCH', as: 'all', body: { uri: 'new', uri_override: true } });
  expect((await site.get('/redirects')).body).toMatchObject({ data: [{ from: 'old', to: 'new' }] });
});
