/** Links, settings, tags and addresses in texts: over HTTP on both databases, and on a real site. */
import { beforeAll, describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { describeWithFixture, loadFixture, readFixtureJson } from '../../support/fixture.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { dataOf, key } from './writing-site.js';

const content =
  '<a href="[[~3]]">A</a> <a href="[[~4]]">B</a> [[~1]] [[~6? &scheme=`full` &a=`1`]] [[++site_name]] [[++secret]] [[Menu? &of=`[[*id]]`]] <img src="pictures/a.jpg">';

const variables = [
  { id: 1, name: 'hero', type: 'image' },
  { id: 2, name: 'plain', type: 'file' },
  { id: 3, name: 'rows', type: 'migx' },
  { id: 4, name: 'text', type: 'text' },
  { id: 5, name: 'rich', type: 'richtext' },
  { id: 16, name: 'cards', type: 'migx' },
];

const values = [
  'a/b.jpg',
  'c.pdf',
  '[{"to":"[[~3]]","list":[["x"]]}]',
  'see [[~3]] [[x]]',
  '<a href="d">',
  '[{"a":1.0,"b":"<img src=\\"e\\">"}]',
];
describeEachDatabase('texts with links', (database) => {
  let site: TestSite;
  const text = '/resources/2?fields=pagetitle,content';

  beforeAll(async () => {
    const env = { HCD_GATEWAY_CACHE_ENABLED: '1' };
    site = await startTestSite({ databaseUrl: await database.url(), identities: { all: key('*') }, env });
    await site.fill({
      context: [{ key: 'shop' }],
      site_templates: [{ id: 1, templatename: 'All' }],
      site_tmplvars: variables,
      site_tmplvar_templates: variables.map(({ id }) => ({ tmplvarid: id, templateid: 1, rank: id })),
      site_tmplvar_contentvalues: values.map((value, at) => ({
        contentid: 2,
        tmplvarid: variables[at]?.id ?? 0,
        value,
      })),
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'home', uri: 'home.html' },
        { id: 2, pagetitle: 'Text [[~3]]', alias: 'text', uri: 'text', template: 1, content },
        { id: 3, pagetitle: 'Target', alias: 'target', uri: 'target "1"/' },
        { id: 4, pagetitle: 'Hidden', alias: 'hidden', uri: 'hidden', published: 0 },
        { id: 6, pagetitle: 'Elsewhere', alias: 'elsewhere', uri: 'elsewhere', context_key: 'shop' },
      ],
      media_sources: [
        {
          id: 7,
          name: 'Pictures',
          class_key: 'MODX\\Revolution\\Sources\\modFileMediaSource',
          properties: 'a:1:{s:7:"baseUrl";a:1:{s:5:"value";s:7:"assets/";}}',
        },
      ],
      media_sources_elements: [
        { source: 7, object: 1, object_class: 'MODX\\Revolution\\modTemplateVar', context_key: 'web' },
      ],
      context_setting: [
        { context_key: 'web', key: 'site_url', value: 'https://example.org/sub/' },
        { context_key: 'web', key: 'site_start', value: '1' },
        { context_key: 'web', key: 'site_name', value: 'The site' },
        { context_key: 'web', key: 'secret', value: 'never shown' },
        { context_key: 'web', key: 'friendly_urls', value: '1' },
        { context_key: 'shop', key: 'site_url', value: 'https://shop.example.org/' },
      ],
    });
  });

  it('stay as they are stored without the parameters', async () => {
    const got = await site.get(`${text}&include=tvs`);
    const tvs = Object.fromEntries(variables.map(({ name }, at) => [name, values[at]]));
    expect(got.body).toEqual({ data: { pagetitle: 'Text [[~3]]', content, tvs }, meta: {} });
  });

  it('have addresses of what the caller may see', async () => {
    const got = await site.get(`${text}&links=resolve`);
    expect(dataOf(got)['pagetitle']).toBe('Text /sub/target%20%221%22/');
    expect(dataOf(got)['content']).toBe(
      '<a href="/sub/target%20%221%22/">A</a> <a href="">B</a> /sub/  The site [[++secret]] [[Menu? &of=`[[*id]]`]] <img src="pictures/a.jpg">',
    );
    expect(got.body['meta']).toEqual({ unresolved: [4, 6] });
    expect(got.headers.get('cache-tag')?.split(/[ ,]+/)).toEqual(
      expect.arrayContaining(['gateway:resources:3', 'gateway:resources:4']),
    );
  });

  it('have more addresses for a caller with more rights', async () => {
    const got = await site.get(`${text}&links=resolve&preview=1`, { as: 'all' });
    expect(dataOf(got)['content']).toContain('<a href="/sub/hidden">B</a>');
    expect(got.body['meta']).toEqual({ unresolved: [6] });
    const withoutDrafts = await site.get(`${text}&links=resolve`, { as: 'all' });
    expect(withoutDrafts.body['meta']).toEqual({ unresolved: [4, 6] });
  });

  it('change with the resources and settings that they name', async () => {
    const before = await site.get(`${text}&links=resolve`);
    await site.get('/resources/4', { as: 'all', method: 'PATCH', body: { published: true } });
    const after = await site.get(`${text}&links=resolve`);
    expect(dataOf(after)['content']).toContain('<a href="/sub/hidden">B</a>');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    await site.get('/resources/4', { as: 'all', method: 'PATCH', body: { published: false } });
    expect((await site.get(`${text}&links=resolve`)).text).toBe(before.text);
    await site.change(["UPDATE modx_context_setting SET value = 'Another' WHERE `key` = 'site_name'"]);
    expect(dataOf(await site.get(`${text}&links=resolve`))['content']).toContain(' Another ');
    await site.change(["UPDATE modx_context_setting SET value = 'The site' WHERE `key` = 'site_name'"]);
  });

  it('lose their other tags', async () => {
    const got = await site.get(`${text}&links=resolve&tags=strip&tv_fields=text,rows`);
    expect(dataOf(got)['content']).toBe(
      '<a href="/sub/target%20%221%22/">A</a> <a href="">B</a> /sub/  The site   <img src="pictures/a.jpg">',
    );
    expect(dataOf(got)['tvs']).toEqual({
      rows: '[{"to":"/sub/target%20%221%22/","list":[["x"]]}]',
      text: 'see /sub/target%20%221%22/ ',
    });
    expect(dataOf(await site.get(`${text}&tags=strip`))['pagetitle']).toBe('Text ');
  });

  it.each([
    ['site', '/sub/'],
    ['absolute', 'https://example.org/sub/'],
  ])('have addresses of files and links with urls=%s', async (urls, root) => {
    const form = `include=tvs&tv_format=typed&urls=${urls}&links=resolve`;
    const got = await site.get(`/resources?filter[id]=2&fields=content&${form}`);
    const [data] = got.body['data'] as { content: string; tvs: Record<string, unknown> }[];
    expect(data?.content).toContain(`<a href="${root}target%20%221%22/">A</a> <a href="">B</a>`);
    expect(data?.content).toContain(`<img src="${root}pictures/a.jpg">`);
    expect(data?.tvs).toEqual({
      hero: `${root}assets/a/b.jpg`,
      plain: `${root}c.pdf`,
      rows: [{ to: `${root}target%20%221%22/`, list: [['x']] }],
      text: `see ${root}target%20%221%22/ [[x]]`,
      rich: `<a href="${root}d">`,
      cards: [{ a: 1, b: `<img src="${root}e">` }],
    });
  });

  it('have the addresses of our own settings, first those of the context', async () => {
    const tags = '[[++site_url]] [[++base_url]] [[++assets_url]] [[~3]] [[~6]]';
    await seed(site.store, {
      site_content: [{ id: 10, pagetitle: tags, alias: 'own', uri: 'own', context_key: 'shop' }],
      system_settings: [
        { key: 'gateway_site_url', value: 'https://everywhere.example' },
        { key: 'gateway_assets_url', value: 'https://cdn.example/a/' },
        { key: 'assets_url', value: '/old/' },
        { key: 'gateway_allowed_contexts', value: 'web,shop' },
      ],
    });
    const shown = async () => {
      await site.live.refresh();
      return dataOf(await site.get('/resources/10?context=shop&links=resolve&urls=absolute', { as: 'all' }))[
        'pagetitle'
      ];
    };
    const elsewhere = 'https://example.org/sub/target%20%221%22/';
    expect(await shown()).toBe(
      `https://shop.example.org/ / https://cdn.example/a/ ${elsewhere} https://shop.example.org/elsewhere`,
    );
    await seed(site.store, {
      context_setting: [{ context_key: 'shop', key: 'gateway_site_url', value: 'https://new.example/s/' }],
    });
    expect(await shown()).toBe(
      `https://new.example/s/ /s/ https://cdn.example/a/ ${elsewhere} https://new.example/s/elsewhere`,
    );
    await site.change(["DELETE FROM modx_context_setting WHERE `key` = 'gateway_site_url' OR context_key = 'shop'"]);
    expect(await shown()).toContain('https://everywhere.example/ / ');
    await site.change([
      "INSERT INTO modx_context_setting (context_key, `key`, value) VALUES ('shop', 'site_url', 'https://shop.example.org/')",
      "DELETE FROM modx_system_settings WHERE `key` IN ('gateway_site_url', 'gateway_assets_url', 'assets_url', 'gateway_allowed_contexts')",
    ]);
  });

  it('have addresses with parameters of any letters', async () => {
    // JSON may hold half a letter; a quote would end an attribute.
    const rows = ['["[[~3? &x=`', String.raw`\ud800'`, '`]]"]'].join('');
    await seed(site.store, { site_content: [{ id: 7, pagetitle: 'Half', alias: 'half', uri: 'half', template: 1 }] });
    await seed(site.store, { site_tmplvar_contentvalues: [{ contentid: 7, tmplvarid: 3, value: rows }] });
    const got = await site.get('/resources/7?fields=id&tv_fields=rows&links=resolve&tv_format=typed');
    expect(dataOf(got)).toEqual({ id: 7, tvs: { rows: ['/sub/target%20%221%22/?x=%EF%BF%BD%27'] } });
  });

  it('are found in JSON that loses its blanks with a setting', async () => {
    const rows = '[ "",        "",        "",        "[[~3]] [[++site_name]] [[~3]] [[x]]" ]';
    await seed(site.store, { site_content: [{ id: 8, pagetitle: 'Wide', alias: 'wide', uri: 'wide', template: 1 }] });
    await seed(site.store, { site_tmplvar_contentvalues: [{ contentid: 8, tmplvarid: 3, value: rows }] });
    const got = await site.get('/resources/8?fields=id&tv_fields=rows&links=resolve&tags=strip&tv_format=typed');
    const target = '/sub/target%20%221%22/';
    expect(dataOf(got)).toEqual({ id: 8, tvs: { rows: ['', '', '', `${target} The site ${target} `] } });
  });

  it('are found in JSON that writes the signs of tags as codes', async () => {
    const rows = String.raw`["[\u005b++site_name]]", "[[\u007e4]] [[*x]]"]`;
    await seed(site.store, {
      site_content: [{ id: 9, pagetitle: 'Codes', alias: 'codes', uri: 'codes', template: 1 }],
    });
    await seed(site.store, { site_tmplvar_contentvalues: [{ contentid: 9, tmplvarid: 3, value: rows }] });
    const got = await site.get('/resources/9?fields=id&tv_fields=rows&links=resolve&tv_format=typed');
    expect(got.body).toEqual({ data: { id: 9, tvs: { rows: ['The site', ' [[*x]]'] } }, meta: { unresolved: [4] } });
  });

  describe('leave the rest of JSON as it is', () => {
    const names = String.raw`{ "[[~3]]" : "[[~3]]", "price":1.10, "n":12345678901234567890 , "a":"\/ü\u00fc","a":[[1e2],"\"[[*x]]\\"] }`;
    const cases = [
      ['changes only values', names, names.replace(' "[[~3]]",', ' "/sub/target%20%221%22/",').replace('[[*x]]', '')],
      ['takes lists in lists for no tags', '[ [[1.0, 2]], "\\u00e4" ]', '[ [[1.0, 2]], "\\u00e4" ]'],
      ['changes a text that is the whole', ' "[[~3]]"', ' "/sub/target%20%221%22/"'],
      ['keeps what is not JSON', '["[[~3]]"', '["[[~3]]"'],
      ['keeps what does not end', '["x", "[[~3]]', '["x", "[[~3]]'],
      ['keeps JSON of 65 levels', `${'['.repeat(65)}"[[~3]]"${']'.repeat(65)}`, null],
      ['keeps a number that is too large', '[1e999,"[[~1]]"]', '[1e999,"/sub/"]'],
    ] as const;

    beforeAll(async () => {
      await seed(site.store, {
        site_content: cases.map(([name], at) => ({
          ...{ id: 20 + at, pagetitle: name, alias: `json-${at}`, uri: `json-${at}`, template: 1 },
        })),
        site_tmplvar_contentvalues: cases.map(([, value], at) => ({ contentid: 20 + at, tmplvarid: 3, value })),
      });
    });

    it.each(cases.map((one, at) => [...one, at] as const))('%s', async (_name, stored, changed, at) => {
      const path = `/resources/${20 + at}?fields=id&tv_fields=rows`;
      const got = await site.get(`${path}&links=resolve&tags=strip`);
      expect(dataOf(got)['tvs']).toEqual({ rows: changed ?? stored });
    });

    it.each(cases.map((one, at) => [...one, at] as const))('%s, typed', async (_name, stored, changed, at) => {
      const path = `/resources/${20 + at}?fields=id&tv_fields=rows&tv_format=typed`;
      const plain = await site.get(path);
      const got = await site.get(`${path}&links=resolve&tags=strip`);
      expect(got.body['meta']).toEqual(plain.body['meta']);
      const isUsable = (dataOf(plain)['tvs'] as { rows: unknown }).rows !== null;
      expect(dataOf(got)['tvs']).toEqual({ rows: isUsable ? JSON.parse(changed ?? stored) : null });
    });
  });

  it('make a number of a setting', async () => {
    const values = ['[[++site_start]]', '[[*x]]12', '[[++site_name]]'];
    await seed(site.store, {
      site_tmplvars: [{ id: 6, name: 'number', type: 'number' }],
      site_tmplvar_templates: [{ tmplvarid: 6, templateid: 1, rank: 6 }],
      site_content: values.map((value, at) => ({
        ...{ id: 30 + at, pagetitle: value, alias: `typed-${at}`, uri: `typed-${at}`, template: 1 },
      })),
      site_tmplvar_contentvalues: values.map((value, at) => ({ contentid: 30 + at, tmplvarid: 6, value })),
    });
    const path = '/resources?ids=30,31,32&fields=id&tv_fields=number&tv_format=typed';
    const numbersOf = async (query: string) =>
      ((await site.get(path + query)).body['data'] as { tvs: unknown }[]).map(({ tvs }) => tvs);
    expect(await numbersOf('')).toEqual([{ number: null }, { number: null }, { number: null }]);
    expect(await numbersOf('&links=resolve&tags=strip')).toEqual([{ number: 1 }, { number: 12 }, { number: null }]);
  });

  it.each(['urls=full', 'links=1', 'tags=all', 'urls=site&urls=site'])('are refused for %s', async (query) => {
    const got = await site.get(`/resources?${query}`);
    expect([got.status, Object.keys(got.body['errors'] as object)]).toEqual([422, [query.split('=')[0]]]);
  });

  it('follow changes of what they name in answers to questions that were never asked', async () => {
    let asked = 0;
    const contentFor = async (as?: 'all') => {
      asked += 1;
      return dataOf(await site.get(`${text}&links=resolve&asked=${asked}`, as === undefined ? {} : { as }))['content'];
    };
    expect(await contentFor()).toContain('href="/sub/target%20%221%22/"');
    await site.get('/resources/3', { as: 'all', method: 'PATCH', body: { uri: 'moved', uri_override: true } });
    expect(await contentFor()).toContain('href="/sub/moved"');
    await site.get('/resources/3', { as: 'all', method: 'DELETE' });
    expect(await contentFor()).toContain('<a href="">A</a>');
    await site.get('/resources/3', { as: 'all', method: 'PATCH', body: { deleted: false } });
    expect(await contentFor()).toContain('href="/sub/moved"');
    // Another program: callers with a key see each commit with their next request.
    expect(await contentFor('all')).toContain('href="/sub/moved"');
    await site.change(['UPDATE modx_site_content SET uri = \'target "1"/\', uri_override = 0 WHERE id = 3']);
    expect(await contentFor('all')).toContain('href="/sub/target%20%221%22/"');
  });
});

describeWithFixture('addresses of a real site', () => {
  it('are those that the CMS gives', async () => {
    const site = await startTestSite({ databaseUrl: await loadFixture(), identities: { all: key('*') } });
    const { values: expected } = (await readFixtureJson('expected-tv.json')) as {
      values: { resource: number; tv: string; type: string; rendered: string }[];
    };
    const files = expected.filter(({ type, rendered }) => type === 'file' && rendered !== '');
    expect(files.length).toBeGreaterThan(0);
    for (const { resource, tv, rendered } of files) {
      const got = await site.get(`/resources/${resource}?fields=id&tv_fields=${tv}&urls=site`, { as: 'all' });
      expect(dataOf(got)['tvs']).toEqual({ [tv]: `/${rendered}` });
    }
  });
});
