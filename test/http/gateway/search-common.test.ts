/** A search whose words every resource has: the best hits are on the first page, and the answer says that not all were looked at. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { sweep } from './searching.js';

const titles = new Map([
  [5, 'A blue harbour'],
  [1190, 'Harbour lights of the north'],
  [1180, 'Lights of a harbour'],
  [1195, 'Harbour lights'],
]);
const resources = Array.from({ length: 1200 }, (_, at) => ({
  id: at + 1,
  pagetitle: titles.get(at + 1) ?? `Page ${at + 1}`,
  uri: `page-${at + 1}`,
  template: at >= 1100 ? 2 : 1,
  content: '<p>The lights in the harbour</p>',
}));

describeEachDatabase('a search for words that 1,200 resources have', (database) => {
  let site: TestSite;
  const search = async (query: string) => {
    const { status, body, text } = await site.get(`/resources?fields=id&${query}`);
    expect(status, text).toBe(200);
    return {
      ids: (body['data'] as { id: number }[]).map(({ id }) => id),
      meta: body['meta'] as Record<string, unknown>,
    };
  };

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url() });
    await site.fill({ site_content: resources });
    await sweep(site);
  });

  it('begins with the best titles wherever they are, and says that there are more hits', async () => {
    const { ids, meta } = await search('search=harbour%20lights&limit=7');
    expect(ids).toEqual([1195, 1190, 1180, 5, 1, 2, 3]);
    expect(meta).toMatchObject({ total_at_least: true, has_more: true, count: 7 });
  });

  it('has pages that follow each other, up to the last hit that was looked at', async () => {
    const { meta } = await search('search=harbour%20lights&limit=100');
    const total = Number(meta['total']);
    const seen: number[] = [];
    let more = true;
    while (more) {
      const page = await search(`search=harbour%20lights&limit=100&offset=${seen.length}`);
      seen.push(...page.ids);
      more = page.meta['has_more'] === true;
    }
    expect(seen).toHaveLength(total);
    expect(new Set(seen).size).toBe(total);
    expect(seen.slice(4)).toEqual([...seen.slice(4)].sort((a, b) => a - b));
    expect(await search(`search=harbour%20lights&offset=${total}`)).toMatchObject({
      ids: [],
      meta: { count: 0, total },
    });
  });

  it('looks at all of them where a filter or an order asks for others', async () => {
    const filtered = await search('search=harbour%20lights&filter[template]=2&limit=5');
    expect(filtered.ids).toEqual([1195, 1190, 1180, 1101, 1102]);
    expect(filtered.meta['total']).toBe(100);
    expect(filtered.meta).not.toHaveProperty('total_at_least');
    const ofOne = await search('search=harbour%20lights&filter[id][in]=7,1199,5');
    expect(ofOne).toMatchObject({ ids: [5, 7, 1199], meta: { total: 3 } });
    const ordered = await search('search=harbour%20lights&sort=-id&limit=2');
    expect(ordered).toMatchObject({ ids: [1200, 1199], meta: { total: 1200 } });
  });

  it('knows all hits of words that fewer have', async () => {
    const { ids, meta } = await search('search=harbour%20lig&filter[id][gt]=1178&limit=3');
    expect(ids).toEqual([1190, 1195, 1180]);
    expect(meta).toMatchObject({ total: 22 });
    expect((await search('search=harbour%20blue')).meta).toMatchObject({ total: 1 });
  });

  it('finds rare words beside common ones in any order, and the beginning of common ones', async () => {
    for (const query of ['blue%20harbour', 'harbour%20blue', 'the%20blue%20harb']) {
      expect(await search(`search=${query}`)).toMatchObject({ ids: [5], meta: { total: 1 } });
    }
    expect((await search('search=the%20harb&limit=5')).ids).toEqual([1190, 5, 1, 2, 3]);
    expect((await search('search=north%20the%20lights')).ids).toEqual([1190]);
    expect((await search('search=the%20north&sort=-id')).ids).toEqual([1190]);
  });

  it('finds common words beside one that no resource has, which is left out', async () => {
    const left = { ...(await search('search=harbour&limit=5')).meta, left_out: ['absent'] };
    const { ids, meta } = await search('search=absent%20harbour&limit=5');
    expect(ids).toEqual([1190, 1195, 5, 1180, 1]);
    expect(meta).toEqual(left);
    expect(await search('search=absent%20harbour&filter[id]=7')).toMatchObject({ ids: [7], meta: { total: 1 } });
    expect(await search('search=absent%20harbour&filter[id]=7000')).toMatchObject({ ids: [], meta: { total: 0 } });
  });
});
