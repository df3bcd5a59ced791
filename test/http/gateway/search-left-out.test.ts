/** Searches whose words no record has together: which are left out, for whom, on which page, and until when. */
import { beforeAll, describe, expect, it } from 'vitest';
import { describeEachDatabase, type TestDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { page, searchSite, sweep } from './searching.js';
import { key } from './writing-site.js';

const tables = {
  site_content: [
    page(1, 'Tent pegs', { content: '<p>for every storm</p>' }),
    page(2, 'A tent in the storm', { parent: 9 }),
    page(3, 'Stormproof tents', { content: 'tent' }),
    page(4, 'Maps of the north', { parent: 9 }),
    page(5, 'Draft: a quiet tent', { published: 0 }),
    page(6, 'Quiet tent at home', { searchable: 0 }),
    page(7, 'Elsewhere a quiet tent', { context_key: 'docs' }),
    page(8, 'Tent poles'),
    page(9, 'Summit'),
  ],
  context: [{ key: 'docs', name: 'Docs' }],
  system_settings: [{ key: 'gateway_allowed_contexts', value: 'web,docs' }],
};

function describeLeftOut(name: string, database: TestDatabase, apart: boolean): void {
  describe(name, () => {
    let site: TestSite;
    const find = (text: string, more?: string, as?: string) => searchSite(site, text, { more, as });
    /** Ids, and what was left out. */
    const found = async (...asked: Parameters<typeof find>) => {
      const { ids, meta } = await find(...asked);
      return { ids, out: meta['left_out'] };
    };

    beforeAll(async () => {
      site = await startTestSite({
        databaseUrl: await database.url(),
        ...(apart ? { ownDatabaseUrl: await database.url() } : {}),
        identities: { all: key('*') },
        env: { HCD_GATEWAY_CACHE_ENABLED: '1' },
      });
      await site.fill(tables);
      await sweep(site);
    });

    it('leaves out the words without which something is found, as they were written', async () => {
      expect(await found('Quiet tent storm')).toEqual({ ids: [2, 1, 3], out: ['Quiet'] });
      expect(await found('tent QUIÉT storm')).toEqual({ ids: [2, 1, 3], out: ['QUIÉT'] });
    });

    it('leaves out nothing where all words are found, or no word is', async () => {
      for (const text of ['tent sto', 'absent', 'absent missing gone']) {
        expect((await find(text)).meta).not.toHaveProperty('left_out');
      }
      expect((await find('absent missing gone')).meta).toMatchObject({ total: 0, count: 0, has_more: false });
    });

    it('leaves out one word before two, the last one first, and keeps the one before it whole', async () => {
      expect(await found('maps poles')).toEqual({ ids: [4], out: ['poles'] });
      expect(await found('poles maps')).toEqual({ ids: [8], out: ['maps'] });
      expect(await found('map pol')).toEqual({ ids: [8], out: ['map'] });
      expect(await found('maps tent storm')).toEqual({ ids: [2, 1, 3], out: ['maps'] });
      expect(await found('maps summit poles')).toEqual({ ids: [4], out: ['summit', 'poles'] });
      expect(await found('storm absent')).toEqual({ ids: [2, 1], out: ['absent'] });
    });

    it('counts only what the caller may read', async () => {
      expect(await found('quiet tent')).toEqual({ ids: [1, 8, 2, 3], out: ['quiet'] });
      expect(await found('quiet tent', '&preview=1', 'all')).toEqual({ ids: [5], out: undefined });
      expect(await found('quiet tent', '&context=docs')).toEqual({ ids: [7], out: undefined });
      expect(await found('elsewhere home')).toEqual({ ids: [], out: undefined });
    });

    it('finds under the same filters', async () => {
      expect(await found('tent storm', '&filter[parent]=9')).toEqual({ ids: [2], out: undefined });
      expect(await found('tent storm', '&filter[id][in]=4,8')).toEqual({ ids: [8], out: ['storm'] });
      expect(await found('tent storm', '&q=poles')).toEqual({ ids: [8], out: ['storm'] });
      const named = await find('absent storm', '&ids=4,3,2');
      expect(named).toMatchObject({ ids: [3, 2], meta: { left_out: ['absent'], missing: [4] } });
    });

    it('has the pages, totals and excerpts of a search for the words that are left', async () => {
      const path = '/resources?fields=id&limit=2&offset=2&search_excerpt=1&search=';
      const { data: expected, meta } = (await site.get(`${path}tent%20sto`)).body as { data: unknown; meta: object };
      const got = (await site.get(`${path}quiet%20tent%20sto`)).body;
      expect(got).toMatchObject({ data: expected, meta: { ...meta, left_out: ['quiet'], total: 3 } });
      expect(expected).toEqual([{ id: 3, excerpt: '<mark>tent</mark>' }]);
      expect(await find('quiet tent', '&offset=50')).toMatchObject({
        ids: [],
        meta: { total: 4, left_out: ['quiet'] },
      });
    });

    it('leaves out the same words on a page by cursor, whatever is found since, and drops kept answers', async () => {
      const first = await find('quiet tent', '&sort=-id&limit=3');
      expect(first).toMatchObject({ ids: [8, 3, 2], meta: { total: 4, left_out: ['quiet'] } });
      const cursor = `&sort=-id&limit=3&cursor=${first.meta['next_cursor']}`;
      expect(await find('quiet tent', cursor)).toMatchObject({ ids: [1], meta: { total: 4, left_out: ['quiet'] } });
      expect((await site.get(`/resources?fields=id&search=tent%20absent${cursor}`)).status).toBe(422);

      const write = { as: 'all', method: 'PATCH' };
      await site.get('/resources/9', { ...write, body: { introtext: 'A tent on a quiet summit' } });
      expect(await find('quiet tent', cursor)).toMatchObject({ ids: [1], meta: { total: 5, left_out: ['quiet'] } });
      expect(await found('quiet tent', '&sort=-id&limit=3')).toEqual({ ids: [9], out: undefined });
      expect(await found('quiet tent')).toEqual({ ids: [9], out: undefined });
      await site.get('/resources/9', { ...write, body: { introtext: '' } });
      expect(await found('quiet tent')).toEqual({ ids: [1, 8, 2, 3], out: ['quiet'] });
    });
  });
}

describeEachDatabase('a search whose words no record has together', (database) => {
  describeLeftOut('with everything in one database', database, false);
  describeLeftOut("with the program's own tables in another database", database, true);
});
