/** Lists whose records are long: an answer has at most 8 MiB, and says how to go on. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { type Got, startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const most = 8 * 1024 * 1024;
/** Two bytes each, and a quarter of them escaped: four such records are larger than an answer may be. */
const content = 'ééé"'.repeat(250_000);
const ids = Array.from({ length: 9 }, (_unused, at) => at + 1);
const held = Math.floor(most / Buffer.byteLength(JSON.stringify(content)));

describeEachDatabase('a list of long records', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), identities: { all: key('*') } });
    for (const id of ids) {
      await seed(site.store, {
        site_content: [{ id, pagetitle: `Page ${id}`, alias: `page-${id}`, uri: `page-${id}.html`, content }],
        site_htmlsnippets: [{ id, name: `chunk-${id}`, snippet: content }],
      });
    }
    await site.live.refresh();
  });

  const shown = ({ body }: Got): number[] => (body['data'] as { id: number }[]).map(({ id }) => id);
  const metaOf = ({ body }: Got) => body['meta'] as Readonly<Record<string, unknown>>;

  it.each([
    ['resources', '/resources?fields=id,content&sort=id'],
    ['chunks', '/chunks?fields=id,snippet&sort=id'],
    ['records', '/objects/chunks?sort=id'],
  ])('ends early and goes on by cursor and by link: %s', async (_name, first) => {
    const met: number[] = [];
    let byLink = true;
    for (let path: string = first; ; byLink = !byLink) {
      const got = await site.get(path, { as: 'all' });
      expect([got.status, Buffer.byteLength(got.text) <= most]).toEqual([200, true]);
      met.push(...shown(got));
      const { has_more: hasMore, next_cursor: cursor, truncated, count, total } = metaOf(got);
      expect([count, total]).toEqual([shown(got).length, ids.length]);
      if (!hasMore) break;
      expect([count, truncated]).toEqual([held, { bytes: true }]);
      const { next } = got.body['links'] as { next: string };
      path = byLink ? next.replace('/api/v1', '') : `${first}&cursor=${String(cursor)}`;
    }
    expect(met).toEqual(ids);
  });

  it('ends early where records are named, and calls none of the others missing', async () => {
    const byId = await site.get(`/resources?ids=${ids.join(',')},99&fields=id,content`);
    const uris = ids.map((id) => `uris=page-${id}.html`).join('&');
    for (const got of [byId, await site.get(`/pages?${uris}&uris=none.html&fields=id,content`)]) {
      expect([got.status, shown(got)]).toEqual([200, ids.slice(0, held)]);
      expect(metaOf(got)).toMatchObject({ count: held, has_more: true, truncated: { bytes: true } });
    }
    expect(metaOf(byId)['missing']).toEqual([99]);
  });

  it('has a record that is alone too long', async () => {
    const longer = content.repeat(5);
    await site.change([`UPDATE modx_site_content SET content = '' WHERE id > 2`]);
    await site.fill({ site_content: [{ id: 20, pagetitle: 'Long', uri: 'long.html', content: longer }] });
    const got = await site.get('/resources?fields=id,content&sort=-id');
    expect([got.status, shown(got), metaOf(got)['has_more']]).toEqual([200, [20], true]);
    const next = await site.get(`/resources?fields=id,content&sort=-id&cursor=${String(metaOf(got)['next_cursor'])}`);
    expect([next.status, shown(next)[0], metaOf(next)['has_more']]).toEqual([200, 9, false]);
  });
});
