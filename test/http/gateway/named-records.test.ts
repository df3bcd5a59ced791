/** Records named by ids and URIs, their ancestors, and the parameters that an answer says it ignored. */
import { beforeAll, describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const resources = [
  { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
  { id: 2, pagetitle: 'About', alias: 'about', uri: 'about/', isfolder: 1 },
  { id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team.html', parent: 2 },
  { id: 4, pagetitle: 'Draft', alias: 'draft', uri: 'about/team/draft', parent: 3, published: 0 },
  { id: 5, pagetitle: 'Office', alias: 'office', uri: 'about/team/office', parent: 4 },
  { id: 6, pagetitle: 'Comma', alias: 'comma', uri: 'one,two' },
  { id: 7, pagetitle: 'Linked', alias: 'linked', uri: 'linked', context_key: 'docs' },
];

const identities = {
  reader: { kind: 'api_key', id: 'reader', scopes: new Set(['resources.read']), userId: null },
} as const;

interface Resource {
  readonly id: number;
  readonly ancestors?: readonly { readonly id: number; readonly template?: unknown }[];
}

describeEachDatabase('named records', (database) => {
  let site: TestSite;
  const list = async (path: string): Promise<{ ids: number[]; meta: Record<string, unknown> }> => {
    const { status, body, text } = await site.get(path);
    expect(status, text).toBe(200);
    return { ids: (body['data'] as Resource[]).map(({ id }) => id), meta: body['meta'] as Record<string, unknown> };
  };
  const refusal = async (path: string) => {
    const { status, body } = await site.get(path);
    return { status, errors: body['errors'] };
  };

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await database.url(),
      identities,
      env: { HCD_GATEWAY_MAX_URI_BYTES: '8192' },
    });
    await site.fill({
      site_content: resources,
      context: [{ key: 'docs', name: 'Docs' }],
      context_resource: [{ context_key: 'web', resource: 7 }],
    });
  });

  describe('by ids', () => {
    it('come in the order asked, once each, and missing names the rest', async () => {
      expect(await list('/resources?ids=6,4,1,6,999,3')).toEqual({
        ids: [6, 1, 3],
        meta: { total: 3, count: 3, limit: 5, offset: 0, has_more: false, missing: [4, 999] },
      });
    });

    it('link to themselves alone, can be filtered, and are none for an empty list', async () => {
      const { body } = await site.get('/resources?ids=3,1&fields=id');
      expect(body['links']).toEqual({ self: '/api/v1/resources?ids=3%2C1&fields=id' });
      const filtered = await list('/resources?ids=3,2,1&filter[isfolder]=1');
      expect(filtered).toMatchObject({ ids: [2], meta: { missing: [3, 1] } });
      expect(await list('/resources?ids=')).toMatchObject({ ids: [], meta: { total: 0, missing: [] } });
    });

    it.each([
      ['a text', 'ids=1,a', { ids: ['must be a comma list of positive integers'] }],
      ['0', 'ids=0', { ids: ['must be a comma list of positive integers'] }],
      [
        '101 ids',
        `ids=${Array.from({ length: 101 }, (_none, at) => at + 1).join(',')}`,
        { ids: ['must name at most 100 records'] },
      ],
      [
        'paging and sort',
        'ids=1&limit=5&cursor=x&sort=id',
        Object.fromEntries(['limit', 'cursor', 'sort'].map((name) => [name, ['cannot be combined with ids']])),
      ],
    ])('rejects %s', async (_name, query, errors) => {
      expect(await refusal(`/resources?${query}`)).toEqual({ status: 422, errors });
    });

    it('shows a record as soon as it is published', async () => {
      expect((await list('/resources?ids=4,1')).ids).toEqual([1]);
      await site.change(['UPDATE modx_site_content SET published = 1 WHERE id = 4']);
      expect((await list('/resources?ids=4,1')).ids).toEqual([4, 1]);
      await site.change(['UPDATE modx_site_content SET published = 0 WHERE id = 4']);
    });
  });

  describe('by URIs', () => {
    it('come in the order asked, as each would be found by itself, and missing names the rest', async () => {
      expect(
        await list(
          '/pages?uris=about/team&uris=one,two&uris=nowhere&uris=&uris=about&uris=linked&uris=about/team/draft',
        ),
      ).toEqual({ ids: [3, 6, 1, 2, 7], meta: { count: 5, context: 'web', missing: ['nowhere', 'about/team/draft'] } });
      // A page that has two of the addresses comes twice.
      expect((await list('/pages?uris=about&uris=about/&include=children')).ids).toEqual([2, 2]);
    });

    it('need one read for any number of pages', async () => {
      const uris = Array.from({ length: 100 }, (_none, at) => `uris=page-${at}`).join('&');
      expect(await list(`/pages?${uris}`)).toMatchObject({ ids: [], meta: { count: 0 } });
      const errors = { uris: ['must name at most 100 pages'] };
      expect(await refusal(`/pages?${uris}&uris=more`)).toEqual({ status: 422, errors });
      const paged = { offset: ['cannot be combined with uris'] };
      expect(await refusal('/pages?uris=about&offset=1')).toEqual({ status: 422, errors: paged });
    });

    it('refuse a path of more than 2,048 bytes', async () => {
      const longest = 'é'.repeat(1024);
      expect(await list(`/pages?uris=${longest}`)).toMatchObject({ ids: [], meta: { missing: [longest] } });
      const problem = ['must be at most 2048 bytes long'];
      expect(await refusal(`/pages?uris=about&uris=${longest}x`)).toEqual({ status: 422, errors: { uris: problem } });
      expect(await refusal(`/pages/${longest}x`)).toEqual({ status: 422, errors: { uri: problem } });
    });
  });

  describe('ancestors', () => {
    const ancestorsOf = async (path: string) => {
      const { body } = await site.get(path);
      return (body['data'] as Resource).ancestors?.map(({ id }) => id);
    };

    it('come from the root down, without those that the caller may not see', async () => {
      expect(await ancestorsOf('/resources/3?include=ancestors')).toEqual([2]);
      expect(await ancestorsOf('/resources/5?include=ancestors')).toEqual([2, 3]);
      expect(await ancestorsOf('/resources/1?include=ancestors')).toEqual([]);
      expect(await ancestorsOf('/pages/about/team/office?include=ancestors')).toEqual([2, 3]);
    });

    it('have the fields that are asked for, and relations', async () => {
      const { body } = await site.get(
        '/resources/5?fields=id&include=ancestors.children&fields[ancestors]=id,menutitle',
      );
      expect(body['data']).toEqual({
        id: 5,
        ancestors: [
          { id: 2, menutitle: '', children: [expect.objectContaining({ id: 3 })] },
          { id: 3, menutitle: '', children: [] },
        ],
      });
    });

    it('follow a hidden ancestor that moves', async () => {
      expect(await ancestorsOf('/resources/5?include=ancestors')).toEqual([2, 3]);
      await site.change(['UPDATE modx_site_content SET parent = 1 WHERE id = 4']);
      expect(await ancestorsOf('/resources/5?include=ancestors')).toEqual([1]);
      await site.change(['UPDATE modx_site_content SET parent = 3 WHERE id = 4']);
    });
  });

  describe('unknown parameters', () => {
    it('are named in no answer to another request', async () => {
      const metaOf = async (query: string) => (await site.get(`/resources/2${query}`, { as: 'reader' })).body['meta'];
      expect(await metaOf('?a=1')).toEqual({ ignored: ['a'] });
      expect(await metaOf('')).toEqual({});
      expect(await metaOf('?b=1')).toEqual({ ignored: ['b'] });
      expect(await metaOf('?a=1')).toEqual({ ignored: ['a'] });
    });

    it('are named to callers with a credential only', async () => {
      const query = 'fields=id&sorting=id&Limit=5&sorting=a&utm[x]=1';
      const { body } = await site.get(`/resources/1?${query}`, { as: 'reader' });
      expect(body).toEqual({ data: { id: 1 }, meta: { ignored: ['Limit', 'sorting', 'utm[x]'] } });
      expect((await site.get(`/resources/1?${query}`)).body).toEqual({ data: { id: 1 }, meta: {} });
      expect((await site.get('/resources?limit=1', { as: 'reader' })).body['meta']).not.toHaveProperty('ignored');
    });
  });
});
