/** Reading resources through the gateway, on every kind of database: visibility, filters, sort, paging, shape. */
import { beforeAll, describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { accessRule } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const zebraTimes = { menuindex: 10, publishedon: 1_700_000_100 };
const resources = [
  { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', menuindex: 0, template: 1 },
  { id: 2, pagetitle: 'About us', alias: 'about', uri: 'about/', isfolder: 1, menuindex: 1, template: 1 },
  { id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team.html', parent: 2, menuindex: 2, template: 2 },
  { id: 4, pagetitle: 'Draft', alias: 'draft', uri: 'about/draft.html', parent: 2, menuindex: 1, published: 0 },
  { id: 5, pagetitle: 'Gone', alias: 'gone', uri: 'about/gone.html', parent: 2, deleted: 1, deletedon: 1_700_000_500 },
  { id: 6, pagetitle: 'Members', alias: 'members', uri: 'members/', isfolder: 1, menuindex: 2 },
  { id: 7, pagetitle: 'Secret', alias: 'secret', uri: 'members/secret.html', parent: 6 },
  { id: 8, pagetitle: 'Other context', alias: 'index', uri: 'index.html', context_key: 'docs' },
  { id: 9, pagetitle: 'émile', alias: 'Mixed', uri: 'Mixed.html', menuindex: 9, longtitle: '100% real_name!' },
  { id: 10, pagetitle: 'Émile', alias: 'mixed ', uri: 'mixed', menuindex: 9, editedon: 1_700_000_900 },
  { ...{ id: 11, pagetitle: 'Zebra', alias: 'zebra', uri: 'straße/ünï cödé.html' }, ...zebraTimes },
  { id: 12, pagetitle: 'Linked', alias: 'linked', uri: 'linked.html', context_key: 'docs' },
];

const tables = {
  site_content: resources,
  site_templates: [
    { id: 1, templatename: 'Base' },
    { id: 2, templatename: 'Person' },
  ],
  site_tmplvars: [
    { id: 1, name: 'colour', type: 'text', default_text: 'blue', rank: 2 },
    { id: 2, name: 'hero', type: 'image', default_text: '@INHERIT none.jpg', rank: 1 },
    { id: 3, name: '__proto__', type: 'text', default_text: 'harmless', rank: 3 },
  ],
  site_tmplvar_templates: [
    { tmplvarid: 1, templateid: 1, rank: 1 },
    { tmplvarid: 2, templateid: 1, rank: 0 },
    { tmplvarid: 1, templateid: 2, rank: 0 },
    { tmplvarid: 2, templateid: 2, rank: 1 },
    { tmplvarid: 3, templateid: 2, rank: 2 },
  ],
  site_tmplvar_contentvalues: [
    { tmplvarid: 2, contentid: 2, value: 'team.jpg' },
    { tmplvarid: 1, contentid: 3, value: '' },
    { tmplvarid: 3, contentid: 1, value: 'left from an earlier template' },
  ],
  context: [{ key: 'docs', name: 'Docs' }],
  context_resource: [{ context_key: 'web', resource: 12 }],
  documentgroup_names: [{ id: 1, name: 'Members only' }],
  document_groups: [
    { document_group: 1, document: 6 },
    { document_group: 1, document: 7 },
  ],
  access_resource_groups: [accessRule('1')],
  system_settings: [{ key: 'gateway_allowed_contexts', value: 'web,docs,mgr' }],
};

const identities = {
  all: key('*'),
  reader: key('resources.read'),
  preview: key('resources.read', 'preview'),
  writer: key('resources.read', 'resources.update'),
  other: key('chunks.read'),
};

describeEachDatabase('resources', (database) => {
  let site: TestSite;
  const ids = async (query: string, as?: string): Promise<unknown> => {
    const got = await site.get(`/resources?fields=id&${query}`, as ? { as } : {});
    return got.status === 200 ? (got.body['data'] as { id: number }[]).map((row) => row.id) : got.body;
  };
  const errors = async (path: string): Promise<unknown> => {
    const { status, body } = await site.get(path);
    return { status, detail: body['detail'], errors: body['errors'] };
  };

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), identities });
    await site.fill(tables);
  });

  it('shows a published resource with every field that anonymous may read, and nothing else', async () => {
    const got = await site.get('/resources/3');
    expect(got.status).toBe(200);
    expect(got.body).toEqual({
      data: {
        ...{ id: 3, type: 'document', pagetitle: 'Team', longtitle: '', description: '', alias: 'team' },
        ...{ link_attributes: '', published: true, pub_date: null, unpub_date: null, parent: 2, isfolder: false },
        ...{ introtext: '', content: '', richtext: true, template: 2, menuindex: 2, searchable: true, cacheable: true },
        ...{ createdon: '2023-11-14T22:13:20Z', editedon: null, deleted: false, deletedon: null, publishedon: null },
        ...{ menutitle: '', content_dispo: 0, hidemenu: false, class_key: 'MODX\\Revolution\\modDocument' },
        ...{ context_key: 'web', content_type: 1, uri: 'about/team.html', uri_override: false },
        ...{ hide_children_in_tree: false, show_in_tree: true },
      },
      meta: {},
    });
  });

  it('gives a list with totals and links', async () => {
    const query = 'fields=id,pagetitle&filter[parent]=0&sort=-menuindex&limit=2&offset=2&utm_x=1';
    const link = '/api/v1/resources?fields=id%2Cpagetitle&filter%5Bparent%5D=0&sort=-menuindex&limit=2&offset=';
    expect((await site.get(`/resources?${query}`)).body).toMatchObject({
      data: [
        { id: 9, pagetitle: 'émile' },
        { id: 2, pagetitle: 'About us' },
      ],
      meta: { total: 5, count: 2, limit: 2, offset: 2, has_more: true },
      links: { self: `${link}2`, next: `${link}4`, prev: `${link}0` },
    });
  });

  describe('visibility', () => {
    it('hides unpublished, deleted, protected and foreign rows from anonymous', async () => {
      expect(await ids('')).toEqual([1, 2, 3, 9, 10, 11]);
      for (const id of [4, 5, 6, 7, 8]) expect((await site.get(`/resources/${id}`)).status).toBe(404);
    });

    it('does not widen by filters', async () => {
      expect(await ids('filter[published]=0')).toEqual([]);
      expect(await ids('filter[deleted]=1')).toEqual([]);
      expect(await ids('filter[context_key]=docs')).toEqual([]);
      expect(await ids('filter[id][in]=4,5,6,7,8')).toEqual([]);
    });

    it('shows another allowed context to those with its right only', async () => {
      expect((await site.get('/resources?context=mgr')).status).toBe(403);
      expect((await site.get('/resources', { headers: { 'x-context': 'mgr' } })).status).toBe(403);
      // No access rule names the context: it is open to every caller.
      expect(await ids('context=docs')).toEqual([8, 12]);
      expect((await site.get('/resources?context=mgr', { as: 'all' })).status).toBe(200);
    });

    it('refuses contexts that are not allowed or do not exist', async () => {
      const problems = { context: ['must be one of: web, docs'] };
      const refused = { status: 422, detail: 'Invalid context', errors: problems };
      expect(await errors('/resources?context=nowhere')).toEqual(refused);
    });

    it('shows unpublished and deleted rows only to scopes that allow it', async () => {
      expect(await ids('preview=1', 'preview')).toEqual([1, 2, 3, 4, 9, 10, 11]);
      expect(await ids('include_deleted=1', 'writer')).toEqual([1, 2, 3, 5, 9, 10, 11]);
      for (const query of ['preview=true', 'include_deleted=1', 'includeDeleted=yes']) {
        expect((await site.get(`/resources?${query}`)).status).toBe(403);
        expect((await site.get(`/resources?${query}`, { as: 'reader' })).status).toBe(403);
        expect((await site.get(`/resources/4?${query}`)).status).toBe(403);
      }
    });

    it('asks a key for the scope even on public reads, and refuses wrong credentials everywhere', async () => {
      const codes = [await site.get('/resources', { as: 'other' }), await site.get('/resources', { as: 'unknown' })];
      expect(codes.map(({ body }) => body['code'])).toEqual(['scope_denied', 'invalid_token']);
      expect((await site.get('/health', { as: 'unknown' })).status).toBe(401);
    });

    it('shows protected fields to callers with their scope only', async () => {
      const whole = await site.get('/resources/3', { as: 'all' });
      expect(whole.body['data']).toMatchObject({ createdby: 0, publishedby: 0 });
      expect((await site.get('/resources/3', { as: 'reader' })).body['data']).not.toHaveProperty('createdby');
      expect((await site.get('/resources/3?fields=createdby', { as: 'reader' })).status).toBe(422);
      expect((await site.get('/resources/3?fields=properties', { as: 'all' })).status).toBe(422);
    });
  });

  describe('filters', () => {
    const cases: readonly (readonly [string, string, number[]])[] = [
      ['eq', 'filter[parent]=2', [3]],
      ['neq', 'filter[menuindex][neq]=9', [1, 2, 3, 11]],
      ['gt and lte together', 'filter[menuindex][gt]=1&filter[menuindex][lte]=9', [3, 9, 10]],
      ['in', 'filter[id][in]=1,3,99', [1, 3]],
      ['an empty in', 'filter[id][in]=', []],
      ['not_in', 'filter[id][not_in]=1,2,3', [9, 10, 11]],
      ['a flag by word', 'filter[isfolder]=yes', [2]],
      ['text exactly, with case', 'filter[alias]=Mixed', [9]],
      ['text exactly, with trailing space', 'filter[alias]=mixed%20', [10]],
      ['text that differs by case or space', 'filter[alias]=mixed', []],
      ['text in a list, exactly', 'filter[alias][in]=Mixed,zebra,TEAM', [9, 11]],
      ['text not in a list', 'filter[alias][not_in]=Mixed,zebra', [1, 2, 3, 10]],
      ['text neq, exactly', 'filter[alias][neq]=Mixed', [1, 2, 3, 10, 11]],
      ['text by code point', 'filter[alias][lt]=a', [9]],
      ['like in any case', 'filter[alias][like]=%25IX%25', [9, 10]],
      ['like with a single sign', 'filter[alias][like]=tea_', [3]],
      ['null', 'filter[alias][null]=1', []],
      ['not null', 'filter[alias][not_null]=', [1, 2, 3, 9, 10, 11]],
      ['conditions are joined by and', 'filter[parent]=0&filter[template]=1', [1, 2]],
    ];
    it.each(cases)('%s', async (_name, query, expected) => {
      expect(await ids(query)).toEqual(expected);
    });

    const filterable =
      'id, parent, published, deleted, context_key, template, alias, class_key, hidemenu, isfolder, menuindex';
    const sortable = 'id, menuindex, pagetitle, createdon, editedon, publishedon';
    const relations = 'parent, children, ancestors, translations, tvs';
    const flags = 'must be one of: 1, 0, true, false, yes, no, on, off';
    /** Query, title of the refusal, field and what is said of it. */
    const refusals: readonly (readonly [query: string, detail: string, field: string, problem: string])[] = [
      ['filter[content]=x', 'Filter not allowed', 'content', `cannot be filtered; filterable: ${filterable}`],
      ['filter[parent]=1x', 'Invalid filter value', 'parent', 'must be an integer'],
      ['filter[parent]=99999999999999999999', 'Invalid filter value', 'parent', 'must be an integer'],
      ['filter[published]=maybe', 'Invalid filter value', 'published', flags],
      ['filter[parent][like]=1%25', 'Invalid filter operator', 'parent', 'like needs a text field'],
      ['filter[id][not_in]=', 'Invalid filter value', 'id', 'not_in needs at least one value'],
      ['sort=content', 'Sort not allowed', 'sort', `content cannot be sorted; sortable: ${sortable}`],
      ['include=template', 'Include not allowed', 'include', `template is not a relation; relations: ${relations}`],
    ];
    it.each(refusals)('refuses %s', async (query, detail, field, problem) => {
      expect(await errors(`/resources?${query}`)).toEqual({ status: 422, detail, errors: { [field]: [problem] } });
    });

    it('never takes SQL for data', async () => {
      const values = ["x' OR '1'='1", '%', '!', '\\', '`', '"; DROP TABLE modx_site_content; --', '😀', '\u{feff}'];
      for (const value of values) {
        expect(await ids(`filter[alias]=${encodeURIComponent(value)}`)).toEqual([]);
      }
    });
  });

  describe('search', () => {
    it('finds literal text in any case, accents apart', async () => {
      expect(await ids('q=TEAM')).toEqual([3]);
      expect(await ids(`q=${encodeURIComponent('ÉMILE')}`)).toEqual([9, 10]);
      expect(await ids('q=emile')).toEqual([]);
    });
    it('takes wildcards literally', async () => {
      expect(await ids('q=100%25')).toEqual([9]);
      expect(await ids('q=real_name!')).toEqual([9]);
      expect(await ids('q=%25')).toEqual([9]);
      expect(await ids('q=realxname')).toEqual([]);
    });
  });

  describe('sort and paging', () => {
    it('orders text by code point and ends every order with the key', async () => {
      expect(await ids('sort=pagetitle')).toEqual([2, 1, 3, 11, 10, 9]);
      expect(await ids('sort=-menuindex')).toEqual([11, 10, 9, 3, 2, 1]);
      expect(await ids('sort=menuindex,-id')).toEqual([1, 2, 3, 10, 9, 11]);
    });
    it('puts unset times first ascending', async () => {
      expect(await ids('sort=editedon')).toEqual([1, 2, 3, 9, 11, 10]);
      expect(await ids('sort=publishedon:desc')).toEqual([11, 10, 9, 3, 2, 1]);
    });

    it.each(['', 'sort=menuindex', 'sort=-pagetitle', 'sort=editedon,-menuindex', 'filter[parent]=0&sort=-id'])(
      'cursors walk every row once: %s',
      async (query) => {
        const whole = await ids(`${query}&limit=100`);
        const walked: number[] = [];
        let cursor: string | undefined;
        do {
          const got = await site.get(`/resources?fields=id&limit=2&${query}${cursor ? `&cursor=${cursor}` : ''}`);
          expect(got.status).toBe(200);
          walked.push(...(got.body['data'] as { id: number }[]).map((row) => row.id));
          const meta = got.body['meta'] as { next_cursor?: string; total: number; offset: number | null };
          expect(meta.total).toBe((whole as number[]).length);
          expect(meta.offset).toBe(cursor ? null : 0);
          cursor = meta.next_cursor;
        } while (cursor);
        expect(walked).toEqual(whole);
      },
    );

    it('refuses a cursor of another query, a changed one and an invented one', async () => {
      const got = await site.get('/resources?limit=1&sort=menuindex');
      const cursor = (got.body['meta'] as { next_cursor: string }).next_cursor;
      const other = `limit=1&sort=menuindex&filter[parent]=0&cursor=${cursor}`;
      for (const query of [other, `limit=1&sort=menuindex&cursor=${cursor.slice(1)}`, 'cursor=e30.x']) {
        expect(await errors(`/resources?${query}`)).toMatchObject({ status: 422, detail: 'Invalid cursor' });
      }
      expect((await site.get(`/resources?limit=3&sort=menuindex&cursor=${cursor}`)).status).toBe(200);
    });
  });

  describe('relations and template variables', () => {
    it('replaces the parent by its record where it is visible', async () => {
      const got = await site.get('/resources?fields=id,parent&filter[id][in]=1,3&include=parent');
      expect(got.body['data']).toEqual([
        { id: 1, parent: 0 },
        { id: 3, parent: { id: 2, pagetitle: 'About us', alias: 'about', uri: 'about/', parent: 0 } },
      ]);
    });
    it('lists visible children only', async () => {
      const got = await site.get('/resources/2?fields=id&include=children');
      expect(got.body['data']).toEqual({
        id: 2,
        children: [
          {
            ...{ id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team.html' },
            ...{ parent: 2, menuindex: 2, hidemenu: false, published: true },
          },
        ],
      });
      const more = await site.get('/resources/2?fields=id&include=children&preview=1', { as: 'preview' });
      expect((more.body['data'] as { children: { id: number }[] }).children.map((row) => row.id)).toEqual([4, 3]);
    });
    it('follows relations two levels deep', async () => {
      const got = await site.get('/resources/3?fields=id&include=parent.children,parent.tvs');
      expect(got.body['data']).toMatchObject({
        id: 3,
        parent: { id: 2, tvs: { hero: 'team.jpg', colour: 'blue' }, children: [{ id: 3 }] },
      });
    });
    it('gives stored values, defaults and inherited values, and nothing of other templates', async () => {
      const got = await site.get('/resources?fields=id&include=tvs&filter[id][in]=1,2,3,9');
      expect(JSON.stringify(got.body['data'])).toBe(
        `[{"id":1,"tvs":{"hero":"none.jpg","colour":"blue"}},{"id":2,"tvs":{"hero":"team.jpg","colour":"blue"}},` +
          `{"id":3,"tvs":{"colour":"","hero":"team.jpg","__proto__":"harmless"}},{"id":9,"tvs":{}}]`,
      );
    });
    it('gives named variables and skips unknown names', async () => {
      const got = await site.get('/resources/2?fields=id&tv_fields=colour,nothing');
      expect(got.body['data']).toEqual({ id: 2, tvs: { colour: 'blue' } });
    });
  });

  describe('pages by URI', () => {
    const cases: readonly (readonly [string, string, number, string])[] = [
      ['the path itself', 'about/team.html', 3, 'about/team.html'],
      ['without .html', 'about/team', 3, 'about/team.html'],
      ['a folder without its slash', 'about', 2, 'about/'],
      ['.html that is stored without', 'mixed.html', 10, 'mixed'],
      ['index', 'index', 1, 'index.html'],
      ['exactly, with case', 'Mixed.html', 9, 'Mixed.html'],
      ['segments encoded one by one', 'stra%C3%9Fe/%C3%BCn%C3%AF%20c%C3%B6d%C3%A9.html', 11, 'straße/ünï cödé.html'],
      ['a slash that is encoded', 'about%2Fteam.html', 3, 'about/team.html'],
      ['a resource linked from another context', 'linked', 12, 'linked.html'],
    ];
    it.each(cases)('%s', async (_name, path, id, resolved) => {
      const got = await site.get(`/pages/${path}?fields=id`);
      expect(got.body).toEqual({
        data: { id },
        meta: { uri: decodeURIComponent(path).replace(/\/$/, ''), resolved_uri: resolved, context: 'web' },
      });
    });
    it('serves the home page at the bare route', async () => {
      for (const path of ['/pages', '/pages/', '/pages/index']) {
        expect((await site.get(`${path}?fields=id`)).body).toMatchObject({ data: { id: 1 }, meta: { uri: 'index' } });
      }
    });
    it('serves the home page of another context', async () => {
      const { body } = await site.get('/pages/index?fields=id&context=docs');
      expect(body).toMatchObject({ data: { id: 8 }, meta: { context: 'docs' } });
    });
    it.each(['nowhere', 'ABOUT', 'about/draft.html', 'about/gone.html', 'members/secret.html', '..%2fabout'])(
      'finds nothing at %s',
      async (path) => {
        expect((await site.get(`/pages/${path}`)).status).toBe(404);
      },
    );
  });

  it.each(['0', '01', '+1', '1.0', '1abc', '-1', '99999999999999999999', '1%20', '%00'])(
    'id %s names no resource',
    async (id) => {
      expect([400, 404]).toContain((await site.get(`/resources/${id}`)).status);
    },
  );

  describe('with gateway_extended_columns', () => {
    beforeAll(async () => {
      await site.fill({ system_settings: [{ key: 'gateway_extended_columns', value: '1' }] });
    });

    it.each<[string, string, number[]]>([
      ['an address exactly', 'filter[uri]=mixed', [10]],
      ['addresses of a section', 'filter[uri][like]=about/%25', [2, 3]],
      ['a title', 'filter[pagetitle]=Team', [3]],
      ['a time, which unset times never meet', 'filter[publishedon][lt]=2030-01-01T00:00:00Z', [11]],
      ['a time in Unix seconds', 'filter[editedon][gte]=1700000900', [10]],
      ['no planned time', 'filter[pub_date][null]=1&filter[unpub_date][not_null]=1', []],
    ])('filters by %s', async (_name, query, expected) => {
      expect(await ids(query)).toEqual(expected);
    });
    it('orders by addresses, aliases and references', async () => {
      expect(await ids('sort=uri')).toEqual([9, 2, 3, 1, 10, 11]);
      expect(await ids('sort=-alias')).toEqual([11, 3, 10, 1, 2, 9]);
      expect(await ids('sort=-parent,template')).toEqual([3, 9, 10, 11, 1, 2]);
    });
    it('walks every row once by cursors', async () => {
      const first = await site.get('/resources?fields=id&limit=3&sort=-uri');
      const { next_cursor } = first.body['meta'] as { next_cursor: string };
      const whole = (await ids('sort=-uri')) as number[];
      expect(await ids(`sort=-uri&cursor=${next_cursor}`)).toEqual(whole.slice(3));
    });
  });
});
