/** Parameters that are lists: with commas, given more than once, or with `[]`, they mean the same. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { row, startTestServer } from '../../support/server.js';
import { startTestSite } from '../../support/site.js';
import { entry, key, startTrackingSite } from '../banners/tracking-site.js';
import { hero, richtext, startPublishedSite } from '../pages/published-site.js';

describeEachDatabase('lists of the gateway', (database) => {
  it('are the same in every form', async () => {
    const site = await startTestSite({ databaseUrl: await database.url() });
    await site.fill({
      site_templates: [{ id: 1, templatename: 'Page' }],
      site_tmplvars: [
        { id: 1, name: 'mood', type: 'text', default_text: 'calm' },
        { id: 2, name: 'tone', type: 'text', default_text: 'warm' },
      ],
      site_tmplvar_templates: [
        { tmplvarid: 1, templateid: 1 },
        { tmplvarid: 2, templateid: 1 },
      ],
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', template: 1 },
        { id: 2, pagetitle: 'About', alias: 'about', uri: 'about/', isfolder: 1, template: 1, menuindex: 1 },
        { id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team.html', parent: 2, template: 1 },
      ],
    });
    const equal = [
      'fields=id,pagetitle fields=id&fields=pagetitle fields[]=id&fields[]=pagetitle fields=id&fields[]=pagetitle',
      'fields[0]=id&fields[1]=pagetitle fields[7]=pagetitle&fields[2]=id fields[]=pagetitle&fields[0]=id',
      'sort=-menuindex,id sort=-menuindex&sort=id sort[]=-menuindex&sort[]=id sort%5B%5D=-menuindex&sort=id',
      'sort=-menuindex,id sort[1]=id&sort[0]=-menuindex sort%5B10%5D=id&sort%5B9%5D=-menuindex',
      'include=parent,children include=parent&include=children include[]=parent&include[]=children',
      'include=parent,children include[0]=parent&include[1]=children',
      'tv_fields=mood,tone tv_fields=mood&tv_fields=tone tv_fields[]=mood&tv_fields[]=tone',
      'tv_fields=mood,tone tv_fields[0]=mood&tv_fields[1]=tone',
      `include=parent,children&fields[children]=id,uri
        include[]=parent&include[]=children&fields[children]=id&fields[children]=uri
        fields[children][]=id&include=parent,children&fields[children][]=uri
        fields[children][1]=uri&include[0]=parent&include[1]=children&fields[children][0]=id`,
      'ids=3,1 ids=3&ids=1 ids[]=3&ids[]=1 ids[0]=3&ids[1]=1 ids[5]=1&ids[4]=3',
      'filter[id][in]=1,3 filter[id][in]=1&filter[id][in]=3 filter[id][in][]=1&filter[id][in][]=3',
      'filter[id][in]=1,3 filter[id][in][0]=1&filter[id][in][1]=3 filter[id][in]=1&filter[id][in][4]=3',
      'filter[id][in]=1,3 filter[id][]=1&filter[id][]=3 filter[id][0]=1&filter[id][1]=3',
      'filter[id][in]=1,3 filters[id][1]=3&filter[id][0]=1',
      'filter[alias][in]=index filter[alias][]=index filter[alias]=index',
      'filter[id][not_in]=2 filter[id][not_in][0]=2',
    ].map((forms) => forms.split(/\s+/));
    for (const forms of equal) {
      const answers = await Promise.all(
        forms.map((form) => site.get(`/resources?${form.startsWith('ids') ? '' : 'limit=3&'}${form}`)),
      );
      const bodies = answers.map(({ status, body }) => [status, body['data']]);
      expect([forms, bodies]).toEqual([forms, forms.map(() => bodies[0])]);
      expect(bodies[0]?.[0]).toBe(200);
    }
    const several = 'uris=about/&uris=index.html uris[]=about/&uris[]=index.html uris[1]=index.html&uris[0]=about/';
    for (const form of several.split(' ')) {
      const { body } = await site.get(`/pages?fields=id&${form}`);
      expect([form, body['data']]).toEqual([form, [{ id: 2 }, { id: 1 }]]);
    }
    const one = await site.get('/resources/2?fields[]=uri&fields[]=id&include[]=children&fields[children][]=id');
    expect(one.body['data']).toEqual({ uri: 'about/', id: 2, children: [{ id: 3 }] });
  });

  it('are refused by name where a member is wrong, and single values stay single', async () => {
    const site = await startTestSite({ databaseUrl: await database.url() });
    await seed(site.store, { site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' }] });
    const problems = async (query: string) => {
      const { status, body } = await site.get(`/resources?${query}`);
      return [status, body['errors']];
    };
    const twice = ['the same filter is given twice'];
    for (const [query, errors] of [
      ['fields[]=id&fields[]=secret', { fields: [expect.stringMatching(/^secret is not available; fields: id, /)] }],
      [
        'include=children&fields[children]=id,content',
        { fields: [expect.stringMatching(/^content is not available in children; fields: id, /)] },
      ],
      ['include=parent&fields[children]=id', { fields: ['children is not an included relation; included: parent'] }],
      [
        'fields[children][id]=x',
        { fields: ['fields[children][id] is not understood; use fields=a,b or fields[relation]=a,b'] },
      ],
      ['limit=1&limit=2', { limit: ['must be given once'] }],
      ['q=a&q=b', { q: ['must be given once'] }],
      ['fields=__proto__&fields[]=constructor', expect.any(Object)],
      ['filter[id]=1&filter[id]=2', { id: twice }],
      ['filter[id][gt][]=1&filter[id][gt][]=2', { id: twice }],
    ] as const) {
      expect([query, ...(await problems(query))]).toEqual([query, 422, errors]);
    }
  });

  it('take no other brackets: each such name is refused with the forms that are taken', async () => {
    const site = await startTestSite({ databaseUrl: await database.url() });
    const listed = 'is not understood; use sort=a,b, sort[]=a or sort[0]=a';
    for (const [query, errors] of [
      ['sort[a]=id', { sort: [`sort[a] ${listed}`] }],
      ['sort[0][1]=id', { sort: [`sort[0][1] ${listed}`] }],
      ['sort[00]=id', { sort: [`sort[00] ${listed}`] }],
      ['sort[-1]=id', { sort: [`sort[-1] ${listed}`] }],
      ['sort[10000]=id', { sort: [`sort[10000] ${listed}`] }],
      ['sort[0=id', { sort: [`sort[0 ${listed}`] }],
      ['sort[1]=id&sort[1]=menuindex', { sort: ['sort[1] is given twice'] }],
      ['limit[]=1', { limit: ['limit[] is not understood; use limit=value'] }],
      ['q[0]=a', { q: ['q[0] is not understood; use q=value'] }],
      ['context[key]=web', { context: ['context[key] is not understood; use context=value'] }],
      ['filter[0]=1', { 0: [expect.stringMatching(/^cannot be filtered; filterable: id, /)] }],
      ['filter[id][in][x]=1', { id: [expect.stringMatching(/^must have the form filter\[field\]=value or /)] }],
      ['filter[id][0][0]=1', { id: [expect.stringMatching(/^operator must be one of: /)] }],
      ['filter[id][in][0][0]=1', { id: [expect.stringMatching(/^must have the form /)] }],
      [
        'fields[children][x]=1',
        { fields: [expect.stringMatching(/^fields\[children\]\[x\] is not understood; use /)] },
      ],
    ] as const) {
      const { status, body } = await site.get(`/resources?${query}`);
      expect([query, status, body['errors']]).toEqual([query, 422, errors]);
    }
    expect((await site.get('/pages?uris[a]=index.html')).body['errors']).toEqual({
      uris: ['uris[a] is not understood; use uris=a, uris[]=a or uris[0]=a'],
    });
    const unknown = await site.get('/resources?unknown[0]=1&unknown[a][b]=2');
    expect(unknown.status).toBe(200);
    const fallback = await fetch(`${site.url}/api.php?route[]=/v1/resources`);
    expect([fallback.status, ((await fallback.json()) as { errors: unknown }).errors]).toEqual([
      422,
      { route: ['route[] is not understood; use route=value'] },
    ]);
  });
});

test('include on an object without relations is refused as elsewhere', async () => {
  const site = await startTestSite({
    databaseUrl: await freshSqliteUrl(),
    identities: { all: { kind: 'api_key', id: 'k', scopes: new Set(['*']), userId: null } },
  });
  for (const path of ['/content_types', '/content_types/1', '/contexts', '/contexts/web']) {
    const { status, body } = await site.get(`${path}?include=children`, { as: 'all' });
    const errors = { include: ['children is not a relation; relations: none'] };
    expect([status, body['errors']], path).toEqual([422, errors]);
    expect((await site.get(`${path}?include=`, { as: 'all' })).status).toBe(200);
  }
});

describe('one question in several forms', () => {
  it('reaches the handler as one text, and has one kept answer', async () => {
    let asked = 0;
    const list = { in: 'query', description: 'A list.', schema: {} } as const;
    const server = await startTestServer({
      endpoints: [
        row({
          name: 'lists',
          path: '/lists',
          parameters: [
            { ...list, name: 'fields', list: true },
            { ...list, name: 'sort', list: true },
            { ...list, name: 'limit' },
          ],
          handler: async ({ query }) => {
            asked += 1;
            return { status: 200, body: { kind: 'json', value: query }, caching: { kind: 'content', tags: [] } };
          },
        }),
      ],
    });
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    const words = fc.array(word, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(words, fc.infiniteStream(fc.nat()), fc.uuid(), async (fields, choices, limit) => {
        const next = () => choices.next().value ?? 0;
        const before = asked;
        const form = () => {
          const pairs: string[] = [];
          for (let at = 0; at < fields.length; ) {
            const size = 1 + (next() % fields.length);
            const name = ['fields', 'fields[]', 'fields%5B%5D'][next() % 3];
            pairs.push(`${name}=${fields.slice(at, at + size).join(',')}`);
            at += size;
          }
          // The same with indexes: of growing size, with gaps, and in any order.
          if (next() % 2 === 0) {
            let index = 0;
            const shuffled = pairs.map((pair) => {
              index += 1 + (next() % 50);
              return { order: next(), pair: `fields[${index}]${pair.slice(pair.indexOf('='))}` };
            });
            shuffled.sort((one, other) => one.order - other.order);
            pairs.splice(0, pairs.length, ...shuffled.map(({ pair }) => pair));
          }
          pairs.splice(next() % (pairs.length + 1), 0, `limit=${limit}`);
          return `/api/v1/lists?${pairs.join('&')}&unknown[]=${next()}`;
        };
        const answers = [await server.ask(form()), await server.ask(form()), await server.ask(form())];
        for (const answer of answers) {
          const values = Object.fromEntries(answer.json() as [string, string][]);
          expect(values).toEqual({ fields: fields.join(','), limit });
        }
        expect(asked).toBe(before + 1);
      }),
      { numRuns: 60 },
    );
  });
});

test('lists of the page delivery API are the same in every form', async () => {
  const site = await startPublishedSite({ databaseUrl: await freshSqliteUrl() });
  await site.resources({ id: 1, pagetitle: 'One', alias: 'one', uri: 'one.html' });
  await site.publish(1, [hero('Hello'), richtext('<p>Text</p>')]);
  const [first, ...others] = await Promise.all(
    [
      'include=values,html&section_types=hero,richtext',
      'include=values&include=html&section_types=hero&section_types=richtext',
      'include[]=values&include[]=html&section_types[]=hero&section_types[]=richtext',
      'include[0]=values&include[1]=html&section_types[3]=hero&section_types[9]=richtext',
    ].map((query) => site.ask(`/pages/1&${query}`)),
  );
  expect(first?.status).toBe(200);
  for (const other of others) expect([other.status, other.json()]).toEqual([200, first?.json()]);
  expect((await site.ask('/pages/1&include[]=values&include[]=secrets')).status).toBe(400);
  expect((await site.ask('/pages/1&include[]=')).status).toBe(400);
  for (const [query, message] of [
    ['include[a]=html', 'include[a] is not understood; use include=a,b, include[]=a or include[0]=a'],
    ['context[0]=web', 'context[0] is not understood; use context=value'],
    ['path[]=/pages', 'path[] is not understood; use path=value'],
  ]) {
    const answer = await site.ask(`/pages/1&${query}`);
    expect([query, answer.status, answer.json()]).toEqual([query, 400, { success: false, message, object: {} }]);
  }
  // The visitor's own parameters have any name.
  expect((await site.ask('/pages/1&utm_source[0]=mail&basket[a]=b')).status).toBe(200);
  expect((await site.ask('/pages/1&context=web&context=web')).status).toBe(400);
});

test('lists of the banner API are the same in every form', async () => {
  const site = await startTrackingSite(await freshSqliteUrl());
  const position = await site.addPosition('side');
  const ad = await site.addBanner({ tags: 'red' }, [{ position }]);
  await site.seen(await site.link(ad, position));
  const get = async (path: string) => {
    const { status, text } = await site.ask(path, { headers: { 'x-api-key': key } });
    return [status, JSON.parse(text)];
  };
  const ads = [
    'fields=id,name fields=id&fields=name fields[]=id&fields[]=name fields[0]=id&fields[1]=name',
    'position=POS,99 position=POS&position[]=99 position[1]=99&position[0]=POS',
  ].map((forms) => forms.split(' ').map((form) => `${entry}/ads?${form.replaceAll('POS', String(position))}`));
  const slots = [
    ...['tags=red,blue&fields=id,weight', 'tags[]=red&tags[]=blue&fields[]=id&fields=weight'],
    'tags[0]=red&tags[1]=blue&fields[1]=weight&fields[0]=id',
  ].map((form) => `/slots/side?${form}`);
  for (const [plain = '', ...forms] of [...ads, slots]) {
    const expected = await get(plain);
    expect(expected[0]).toBe(200);
    for (const form of forms) expect([form, ...(await get(form))]).toEqual([form, ...expected]);
  }
  expect(await get(`${entry}/ads?fields[]=id&fields[]=secret`)).toMatchObject([400, { success: false }]);
  expect(await get(`${entry}/ads?query=a&query=b`)).toMatchObject([400, { success: false }]);
  for (const [path, message] of [
    [`${entry}/ads?limit[0]=1`, 'limit[0] is not understood; use limit=value'],
    [`${entry}/ads?fields[x]=id`, 'fields[x] is not understood; use fields=a,b, fields[]=a or fields[0]=a'],
    [`${entry}?route[0]=/ads`, 'route[0] is not understood; use route=value'],
  ] as const) {
    expect([path, ...(await get(path))]).toEqual([path, 400, { success: false, message }]);
  }
});
