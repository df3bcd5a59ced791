/** Totals of lists with more records than are counted. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const resources = Array.from({ length: 9 }, (_, at) => ({
  id: at + 1,
  pagetitle: `Page ${at + 1}`,
  uri: `page-${at + 1}`,
  template: at < 3 ? 1 : 2,
}));

describeEachDatabase('totals beyond gateway_max_total', (database) => {
  let site: TestSite;
  const metaOf = async (query: string): Promise<Record<string, unknown>> => {
    const { status, body, text } = await site.get(`/resources?fields=id&${query}`);
    expect(status, text).toBe(200);
    return body['meta'] as Record<string, unknown>;
  };

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), env: { HCD_GATEWAY_MAX_TOTAL: '4' } });
    await site.fill({ site_content: resources });
  });

  const least = { total: 4, total_at_least: true };

  it('are the bound and say so, whether the table is known to be large or not', async () => {
    expect(await metaOf('limit=2')).toMatchObject({ ...least, count: 2, has_more: true });
    expect(await metaOf('limit=2&filter[template]=2')).toMatchObject({ ...least, count: 2, has_more: true });
    expect(await metaOf('limit=2&q=page')).toMatchObject({ ...least, count: 2, has_more: true });
  });

  it('are exact and say nothing where no more records match', async () => {
    const meta = await metaOf('limit=2&filter[template]=1');
    expect(meta).toMatchObject({ total: 3, count: 2 });
    expect(meta).not.toHaveProperty('total_at_least');
  });

  it('never contradict the records that are shown', async () => {
    expect(await metaOf('limit=2&offset=5')).toMatchObject({ total: 8, total_at_least: true, has_more: true });
    const last = await metaOf('limit=2&offset=7');
    expect(last).toMatchObject({ total: 9, has_more: false });
    expect(last).not.toHaveProperty('total_at_least');
    expect(await metaOf('limit=2&offset=20')).toMatchObject({ ...least, count: 0 });
  });

  it('are bounded on pages by cursor, which lead on to the last record', async () => {
    let { next_cursor } = await metaOf('limit=3');
    let seen = 3;
    while (next_cursor !== undefined) {
      const meta = await metaOf(`limit=3&cursor=${encodeURIComponent(String(next_cursor))}`);
      expect(meta).toMatchObject(least);
      seen += Number(meta['count']);
      next_cursor = meta['next_cursor'];
    }
    expect(seen).toBe(9);
  });
});
