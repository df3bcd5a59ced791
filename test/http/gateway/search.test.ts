/** Search by words on every database: what is found, in which order, by whom, and that no input fails. */
import { beforeAll, describe, expect, it } from 'vitest';
import { buildIndexes, indexNow } from '../../../src/content/indexing/keep-indexes.js';
import { describeEachDatabase, type TestDatabase } from '../../support/databases.js';
import { accessRule, seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { page, searchSite, sweep } from './searching.js';
import { key } from './writing-site.js';

const resources = [
  page(1, 'Home', { content: '<p>Quiet nights: a tent for every storm.</p>' }),
  page(2, 'Storm tent, quiet', { menuindex: 1 }),
  page(3, 'Quiet tent storm'),
  page(4, 'Quiet tent storms of the north'),
  page(5, 'Gear', { introtext: 'tent', content: '<p>storm&nbsp;proof</p><p>quiet</p>' }),
  page(6, 'Draft quiet tent storm', { published: 0 }),
  page(7, 'Protected quiet tent storm'),
  page(8, 'Left out quiet tent storm', { searchable: 0 }),
  page(9, 'Elsewhere quiet tent storm', { context_key: 'docs' }),
  page(10, 'Crème brûlée', { content: 'Ætna Straße Łódź İstanbul Ёлка <script>hidden()</script>' }),
  page(11, '東京の夏', { content: '𐐷 it is a to be' }),
  page(12, 'Deleted quiet tent storm', { deleted: 1 }),
];

const tables = {
  site_content: resources,
  context: [{ key: 'docs', name: 'Docs' }],
  documentgroup_names: [{ id: 1, name: 'Members only' }],
  document_groups: [{ document_group: 1, document: 7 }],
  access_resource_groups: [accessRule('1')],
  system_settings: [{ key: 'gateway_allowed_contexts', value: 'web,docs' }],
};

function describeSearch(name: string, database: TestDatabase, apart: boolean): void {
  describe(name, () => {
    let site: TestSite;
    const find = async (text: string, more = '', as?: string) => {
      const { ids, meta } = await searchSite(site, text, { more, as });
      if (more === '') expect(meta['total']).toBe(ids.length);
      return ids;
    };
    const write = (path: string, method: string, body: unknown) => site.get(path, { as: 'all', method, body });

    beforeAll(async () => {
      site = await startTestSite({
        databaseUrl: await database.url(),
        ...(apart ? { ownDatabaseUrl: await database.url() } : {}),
        identities: { all: key('*') },
      });
      await site.fill(tables);
      await sweep(site);
    });

    it('gives the same title first, then titles that begin so, titles with all words, then texts', async () => {
      expect(await find('quiet tent storm')).toEqual([3, 4, 2, 1, 5]);
      expect(await find('Storm, TENT - quiet!')).toEqual([2, 3, 1, 5]);
    });

    it('takes the last word as a beginning, the others whole', async () => {
      expect(await find('quiet sto')).toEqual([2, 3, 4, 1, 5]);
      expect(await find('qui')).toEqual([3, 4, 2, 1, 5]);
      const { meta } = (await site.get('/resources?search=qui%20storm')).body;
      expect(meta).toMatchObject({ left_out: ['qui'] });
      expect(await find('nor')).toEqual([4]);
    });

    it('finds letters without accents, and words that are short or that databases leave out', async () => {
      expect(await find('creme BRULEE')).toEqual([10]);
      expect(await find('aetna strasse lodz istanbul')).toEqual([10]);
      expect(await find('ËЛКА')).toEqual([]);
      expect(await find('елка')).toEqual([10]);
      expect(await find('to be it is a')).toEqual([11]);
      expect(await find('京夏')).toEqual([11]);
      expect(await find('𐐷')).toEqual([11]);
    });

    it('looks at texts, not at markup and scripts', async () => {
      expect(await find('storm proof')).toEqual([5]);
      for (const text of ['hidden', 'nbsp', 'script', 'p']) expect(await find(`${text} `)).not.toContain(10);
    });

    it('shows each caller what its lists show, in totals too', async () => {
      expect(await find('quiet tent storm', '&context=docs')).toEqual([9]);
      expect(await find('quiet tent storm', '&preview=1', 'all')).toEqual([3, 4, 2, 6, 1, 5]);
      const got = await site.get('/resources?search=quiet&limit=2&offset=2&fields=id');
      expect(got.body).toMatchObject({ data: [{ id: 2 }, { id: 1 }], meta: { total: 5, has_more: true, count: 2 } });
      expect(got.body['meta']).not.toHaveProperty('next_cursor');
    });

    it('joins filters, q and orders, and pages by cursor in an order', async () => {
      expect(await find('quiet', '&filter[id][gt]=2')).toEqual([3, 4, 5]);
      expect(await find('quiet', '&q=Gear')).toEqual([5]);
      expect(await find('quiet', '&ids=5,3,10')).toEqual([5, 3]);
      const first = await site.get('/resources?search=quiet&sort=-id&limit=3&fields=id');
      expect(first.body['data']).toEqual([{ id: 5 }, { id: 4 }, { id: 3 }]);
      const { next_cursor: cursor } = first.body['meta'] as { next_cursor: string };
      const next = await site.get(`/resources?search=quiet&sort=-id&limit=3&fields=id&cursor=${cursor}`);
      expect(next.body['data']).toEqual([{ id: 2 }, { id: 1 }]);
    });

    it('shows the text around the words on request, escaped and with marks', async () => {
      const got = await site.get('/resources?search=quiet%20sto&search_excerpt=1&fields=id&filter[id][in]=1,3');
      expect(got.body['data']).toEqual([
        { id: 3, excerpt: '<mark>Quiet</mark> tent <mark>storm</mark>' },
        { id: 1, excerpt: '<mark>Quiet</mark> nights: a tent for every <mark>storm</mark>.' },
      ]);
    });

    it('refuses what it cannot do, by name', async () => {
      const refused = async (path: string) => {
        const { status, body } = await site.get(path, { as: 'all' });
        return { status, errors: body['errors'] };
      };
      const long = 'a '.repeat(101);
      const errors = { search: ['must have at most 200 characters'] };
      expect(await refused(`/resources?search=${'a'.repeat(201)}`)).toEqual({ status: 422, errors });
      expect(await refused(`/resources?search=${encodeURIComponent(`${long}b`)}`)).toMatchObject({ status: 422 });
      expect(await refused('/resources?search=a&search=b')).toMatchObject({ status: 422 });
      const alone = { search_excerpt: ['needs search'] };
      expect(await refused('/resources?search_excerpt=1')).toEqual({ status: 422, errors: alone });
      expect(await refused('/resources?search=a&cursor=b')).toMatchObject({ status: 422 });
    });

    it.each([
      ...['"', "'", '"quiet', '+-*<>()~@"', 'quiet*', 'NEAR(quiet tent)', 'quiet OR tent', 'words:quiet', '-quiet'],
      ...['😀', '%', '_', '\\', '!!! ???', 'a'.repeat(200), 'ab '.repeat(66), "'; DROP TABLE hcd_search; --", '\u200d'],
      ...['^quiet', '{quiet}', 'quiet AND', 'NOT quiet', '@4', '>quiet <tent', '1,000', 'ﬁ', '한국어 검색'],
    ])('never fails: %s', async (text) => {
      await find(text, '&search_excerpt=1');
      await find(text, '&sort=-id');
    });

    it('knows at once what was written here', async () => {
      const { body } = await write('/resources', 'POST', { pagetitle: 'Zeppelin', published: true });
      const { id } = body['data'] as { id: number };
      expect(await find('zeppelin')).toEqual([id]);
      await write(`/resources/${id}`, 'PATCH', { pagetitle: 'Airship', content: '<b>hangar</b>' });
      expect(await find('zeppelin')).toEqual([]);
      expect(await find('hangar')).toEqual([id]);
      await write(`/resources/${id}?force=1`, 'DELETE', undefined);
      expect(await find('hangar')).toEqual([]);
    });

    it('makes the whole index once, and again where it is gone', async () => {
      const forever = new AbortController().signal;
      await seed(site.store, { site_content: [page(60, 'Velodrome')] });
      await buildIndexes(site.store, forever);
      // The server may make it again at any moment, so only the removal is looked at.
      const removed = await site.store.own.write((tx) => tx.run({ sql: 'DELETE FROM hcd_search', params: [] }));
      expect(removed.changes).toBeGreaterThan(0);
      await buildIndexes(site.store, forever);
      expect(await find('velodrome')).toEqual([60]);
      expect(await find('quiet sto')).toEqual([2, 3, 4, 1, 5]);
      await write('/resources/60?force=1', 'DELETE', undefined);
    });

    it('learns of foreign changes by ids and by the sweep, however often', async () => {
      await seed(site.store, { site_content: [page(50, 'Gondola')] });
      await indexNow(site.store, { ids: [50, 50, 999] });
      await indexNow(site.store, { ids: [50] });
      expect(await find('gondola')).toEqual([50]);
      await site.change(["UPDATE modx_site_content SET pagetitle = 'Funicular' WHERE id = 50"]);
      await sweep(site);
      expect(await find('funicular')).toEqual([50]);
      expect(await find('gondola')).toEqual([]);
      await site.change(['DELETE FROM modx_site_content WHERE id = 50']);
      await sweep(site);
      await sweep(site);
      expect(await find('funicular')).toEqual([]);
    });
  });
}

describeEachDatabase('search', (database) => {
  describeSearch('with everything in one database', database, false);
  describeSearch("with the program's own tables in another database", database, true);
});
