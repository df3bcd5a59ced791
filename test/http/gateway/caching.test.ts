/**
 * What caches learn from the gateway's answers: freshness, validators, and tags that name every row
 * (docs/gateway.md#caching).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { bumpContentGeneration } from '../../../src/store/state/state.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const children = Array.from({ length: 120 }, (_, index) => ({
  id: 100 + index,
  pagetitle: `Child ${index}`,
  alias: `child-${index}`,
  uri: `about/a-rather-long-path-to-child-${index}.html`,
  parent: 2,
  menuindex: index,
}));

const sets = 'gateway:resources,gateway:context:web';

describeEachDatabase('caching of gateway answers', (database) => {
  const clock = fakeClock();
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await database.url(),
      clock,
      identities: { all: { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null } },
      env: { HCD_GATEWAY_CACHE_ENABLED: '1', HCD_GATEWAY_CACHE_TTL: '60' },
    });
    await site.fill({
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
        { id: 2, pagetitle: 'About', alias: 'about', uri: 'straße/ünï (1).html', parent: 1 },
        ...children,
      ],
    });
  });

  const tagsOf = async (path: string): Promise<string | null> => (await site.get(path)).headers.get('cache-tag');

  it('names the row and its URI, whether the URI is shown or not', async () => {
    expect(await tagsOf('/resources/1')).toBe('gateway:resources:1,gateway:uri:index.html');
    expect(await tagsOf('/resources/1?fields=pagetitle')).toBe('gateway:resources:1,gateway:uri:index.html');
    expect(await tagsOf('/pages/index?fields=id')).toBe('gateway:resources:1,gateway:uri:index.html');
  });

  it('encodes what does not belong into a tag', async () => {
    expect(await tagsOf('/resources/2?fields=id')).toBe(
      'gateway:resources:2,gateway:uri:stra%C3%9Fe/%C3%BCn%C3%AF%20%281%29.html',
    );
  });

  it('names the set as well where the answer depends on it', async () => {
    expect(await tagsOf('/resources?fields=id&limit=2&filter[id][in]=1')).toBe(
      `${sets},gateway:resources:1,gateway:uri:index.html`,
    );
    expect(await tagsOf('/resources/2?fields=id&include=parent')).toBe(
      'gateway:resources:2,gateway:uri:stra%C3%9Fe/%C3%BCn%C3%AF%20%281%29.html,gateway:resources:1,gateway:uri:index.html',
    );
    expect(await tagsOf('/resources/1?fields=id&include=children')).toBe(
      `${sets},gateway:resources:1,gateway:uri:index.html,gateway:resources:2,gateway:uri:stra%C3%9Fe/%C3%BCn%C3%AF%20%281%29.html`,
    );
  });

  it('names each set of the schema once', async () => {
    expect(await tagsOf('/schema')).toBe('gateway:tvs,gateway:context:web,gateway:templates');
  });

  it('names only the sets where every row would not fit into a header', async () => {
    expect(await tagsOf('/resources?fields=id&limit=100')).toBe(sets);
    expect(await tagsOf('/resources/2?fields=id&include=children')).toBe(sets);
  });

  it('announces children that were cut', async () => {
    const got = await site.get('/resources/2?fields=id&include=children');
    expect((got.body['data'] as { children: unknown[] }).children).toHaveLength(100);
    expect(got.body['meta']).toEqual({ truncated: { children: [2] } });
  });

  describe('freshness', () => {
    it('answers 304 to its own tag, and a fresh answer after a change', async () => {
      const path = '/resources/1?fields=pagetitle';
      const first = await site.get(path);
      const etag = first.headers.get('etag') ?? '';
      const again = await site.get(path, { headers: { 'if-none-match': `"other", W/${etag}` } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      await site.change(["UPDATE modx_site_content SET pagetitle = 'Start' WHERE id = 1"]);
      await site.store.own.write(bumpContentGeneration);
      await site.live.refresh();
      const changed = await site.get(path, { headers: { 'if-none-match': etag } });
      expect([changed.status, changed.body['data']]).toEqual([200, { pagetitle: 'Start' }]);
    });

    it('is lost by a list of pages when the home page in it changes', async () => {
      const path = '/pages?uris=/&fields=pagetitle';
      await site.get(path);
      await site.get('/resources/1', { as: 'all', method: 'PATCH', body: { pagetitle: 'Welcome' } });
      expect((await site.get(path)).body['data']).toEqual([{ pagetitle: 'Welcome' }]);
    });
  });
});
