/** Tags that need no PHP, in texts, and the targets of weblinks, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { accessRule, seed } from '../../support/seed.js';
import { type Got, startTestSite, type TestSite } from '../../support/site.js';
import { dataOf, key } from './writing-site.js';

const variables = [
  { id: 1, name: 'colour', type: 'text', default_text: 'red' },
  { id: 2, name: 'picture', type: 'image' },
  { id: 3, name: 'secret', type: 'text', default_text: 'hidden' },
  { id: 4, name: 'bound', type: 'text', default_text: '@EVAL return 1;' },
  { id: 5, name: 'shown', type: 'image', display: 'image', default_text: 'x' },
  { id: 6, name: 'tagged', type: 'text', default_text: '[[*colour:upper]] [[++site_name]]' },
  { id: 7, name: 'rows', type: 'migx', default_text: '["[[*id]]","[[~[[*parent]]]]"]' },
  { id: 8, name: 'empty', type: 'text' },
  { id: 9, name: 'above', type: 'text', default_text: '@INHERIT none' },
  { id: 10, name: 'elsewhere', type: 'text', default_text: 'default' },
  { id: 11, name: 'earlier', type: 'text', default_text: 'default' },
];

/** Written as the content of resource 2; what becomes of it with `links=resolve&tags=resolve`. */
const cases: readonly (readonly [content: string, expected: string])[] = [
  ['[[*pagetitle]] [[*id]] [[*parent]] [[!*id]]', 'Page "two" 2 1 2'],
  ['[[*hidemenu]]|[[*published]]|[[*pub_date]]|[[*publishedon]]', '|1|0|2024-02-29 10:30:00'],
  ['[[*publishedon:date=`%d.%m.%Y %H:%M`]] [[*longtitle:default=`[[*pagetitle]]`]]', '29.02.2024 10:30 Page "two"'],
  ['[[*publishedon:date=`%A %B`]]', 'Donnerstag Februar'],
  ['[[*colour:ucfirst]] [[*picture]] [[*above]]', 'Red assets/a.jpg from above'],
  ['[[*secret]] [[*bound]] [[*shown]] [[*nosuch]]', '[[*secret]] [[*bound]] [[*shown]] [[*nosuch]]'],
  ['[[*createdby]] [[*properties]] [[*content]]', '[[*createdby]] [[*properties]] [[*content]]'],
  ['[[*tagged]]', 'RED The site'],
  ['[[++site_name:upper]] [[++cultureKey:default=`de`]] [[++secret]]', 'THE SITE de [[++secret]]'],
  ['[[~[[*id]]]] [[~[[*parent]]? &a=`1`]] [[~[[++site_start]]]]', '/two /?a=1 /'],
  ['[[~2\n? &scheme=`full`\n]] [[~2? &scheme=`[[++link_tag_scheme]]`]]', 'http://a.example/two /two'],
  ['[[~2?a=1&b=2]] [[~2? &a=`x y` &amp;b=`ü`]]', '/two?a=1&amp;b=2 /two?a=x%20y&amp;b=%C3%BC'],
  [
    '[[~2? &scheme=`abs`]] [[~2? &scheme=`https`]] [[~2? &scheme=`1`]] [[~2? &scheme=`0`]] [[~2? &scheme=`-1`]]',
    '/two https://a.example/two https://a.example/two /two /two',
  ],
  [
    '[[~3]] [[~3? &scheme=`abs`]] [[~3? &scheme=`http`]]',
    'https://b.example/three https://b.example/three https://b.example/three',
  ],
  ['[[~2:upper]] [[~4:default=`none`]] [[~02]]', '/TWO  /two'],
  ['[[~0]][[~abc]][[~]][[~[[*empty]]]][[~4]]', ''],
  ['[[*id:is=`2`:then=`[[~1]]`:else=`no`]] [[*id:gt=`5`:then=`a`:else=`b`]]', '/ b'],
  ['[[$card? &title=`[[*pagetitle]]`]]', '<b>Page "two"</b> /two 7 d [[$other]]'],
  [
    '[[$outer]] [[$loop]] [[$filed]] [[$other]]',
    '(<b>[[+title]]</b> /two 7 d [[$other]]) l[[$loop]] [[$filed]] [[$other]]',
  ],
  [
    '[[Menu? &of=`[[*id]]`]] [[+free]] [[- gone [[*id]]]][[*id:mySnippet]]',
    '[[Menu? &of=`2`]] [[+free]] [[*id:mySnippet]]',
  ],
  ['[[*id', '[[*id'],
  ['[[~2? &a=`1&b=2`]] [[~5]] [[~6]]', '/two?a=1&amp;b=2  /weblink'],
  [
    '[[~6? &use_weblink_target=`1` &scheme=`full` &a=`1`]] [[~7? &use_weblink_target=`1`]] [[~6? &use_weblink_target=`0`]]',
    '/two?a=1 https://else.example/x?y=1&amp;z=2 /weblink',
  ],
  ['[[~8? &use_weblink_target=`1`]] [[++assets_url]]', '[[~8? &use_weblink_target=`1`]] /assets/'],
  ['[[*elsewhere]] [[*earlier]]', 'default kept'],
];

describeEachDatabase('tags that need no PHP', (database) => {
  let site: TestSite;
  const content = cases.map(([written]) => written).join('<hr>');
  const partsOf = (got: Got) => String(dataOf(got)['content']).split('<hr>');

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), identities: { all: key('*') } });
    const assets = 'a:1:{s:7:"baseUrl";a:1:{s:5:"value";s:7:"assets/";}}';
    const page = { template: 1, context_key: 'web' };
    const weblink = { ...page, class_key: 'MODX\\Revolution\\modWebLink' };
    const [away, itself] = ['https://else.example/x?y=1&z=2', '[[~8? &use_weblink_target=`1`]]'];
    const two = { parent: 1, pagetitle: 'Page "two"', publishedon: 1_709_199_000 };
    await site.fill({
      context: [{ key: 'shop' }],
      site_templates: [{ id: 1, templatename: 'All' }],
      site_tmplvars: variables,
      site_tmplvar_templates: variables.slice(0, 9).map(({ id }) => ({ tmplvarid: id, templateid: 1, rank: id })),
      site_tmplvar_contentvalues: [
        { contentid: 2, tmplvarid: 2, value: 'a.jpg' },
        { contentid: 2, tmplvarid: 11, value: 'kept' },
        { contentid: 1, tmplvarid: 9, value: 'from above' },
      ],
      site_tmplvar_access: [{ tmplvarid: 3, documentgroup: 9 }],
      access_resource_groups: [accessRule('9', { principal_class: 'modUserGroup', principal: 8, context_key: 'web' })],
      site_content: [
        { ...page, id: 1, pagetitle: 'One', alias: 'one', uri: 'one' },
        { ...page, ...two, id: 2, alias: 'two', uri: 'two', content },
        { ...page, id: 3, pagetitle: 'Three', alias: 'three', uri: 'three', context_key: 'shop' },
        { ...page, id: 4, pagetitle: 'Draft', alias: 'four', uri: 'four', published: 0 },
        { ...page, id: 5, pagetitle: 'Nowhere', alias: 'five', uri: '' },
        { ...weblink, id: 6, pagetitle: 'To two', alias: 'six', uri: 'weblink', content: ' 2 ' },
        { ...weblink, id: 7, pagetitle: 'Away', alias: 'seven', uri: 'seven', content: away },
        { ...weblink, id: 8, pagetitle: 'To itself', alias: 'eight', uri: 'eight', content: itself },
      ],
      site_htmlsnippets: [
        {
          name: 'card',
          snippet: '<b>[[+title]]</b> [[~[[*id]]]] [[+size]] [[+more:default=`d`]] [[$other]]',
          properties: 'a:1:{s:4:"size";a:2:{s:4:"name";s:4:"size";s:5:"value";s:1:"7";}}',
        },
        { name: 'outer', snippet: '([[$card]])' },
        { name: 'loop', snippet: 'l[[$loop]]' },
        { name: 'filed', snippet: 'old', static: 1, static_file: 'a.html' },
        { name: 'other', snippet: 'never shown' },
      ],
      media_sources: [{ id: 7, name: 'Pictures', class_key: 'modFileMediaSource', properties: assets }],
      media_sources_elements: [{ source: 7, object: 2, object_class: 'modTemplateVar', context_key: 'web' }],
      system_settings: [
        { key: 'gateway_allowed_contexts', value: 'web,shop' },
        { key: 'gateway_resolve_chunks', value: 'card,outer,loop,filed' },
        { key: 'gateway_link_settings', value: 'site_name,site_start,cultureKey,assets_url' },
      ],
      context_setting: [
        { context_key: 'shop', key: 'gateway_site_url', value: 'https://b.example/' },
        ...Object.entries({
          ...{ gateway_site_url: 'http://a.example/', site_name: 'The site', cultureKey: '', site_start: '1' },
          ...{ link_tag_scheme: '-1', secret: 'never shown', date_timezone: 'Europe/Berlin', locale: 'de_DE.utf8' },
        }).map(([key, value]) => ({ context_key: 'web', key, value })),
      ],
    });
  });

  it('become what the CMS makes of them', async () => {
    const got = await site.get('/resources/2?fields=content&links=resolve&tags=resolve');
    const shown = partsOf(got);
    expect(cases.map(([written], at) => [written, shown[at]])).toEqual(cases);
    expect(got.body['meta']).toEqual({ unresolved: [0, 4, 5] });
  });

  it('stay without a parameter, and as far as one parameter goes', async () => {
    expect(partsOf(await site.get('/resources/2?fields=content'))).toEqual(cases.map(([written]) => written));
    const byLinks = partsOf(await site.get('/resources/2?fields=content&links=resolve'));
    expect([0, 9, 11].map((at) => byLinks[at])).toEqual([0, 9, 11].map((at) => cases[at]?.[at === 0 ? 0 : 1]));
    const byTags = partsOf(await site.get('/resources/2?fields=content&tags=resolve'));
    expect(byTags[9]).toBe('[[~2]] [[~1? &a=`1`]] [[~1]]');
  });

  it('go with strip what is left of them', async () => {
    for (const tags of ['resolve,strip', 'strip,resolve', 'resolve&tags=strip']) {
      const shown = partsOf(await site.get(`/resources/2?fields=content&links=resolve&tags=${tags}`));
      expect([shown[0], shown[5], shown[17]]).toEqual([cases[0]?.[1], '   ', '<b>Page "two"</b> /two 7 d ']);
    }
    const refused = await site.get('/resources/2?tags=resolve,all');
    expect([refused.status, refused.body['errors']]).toEqual([422, { tags: ['must be one of: resolve, strip'] }]);
  });

  it('show protected fields and variables of groups to those who may read them', async () => {
    const shown = partsOf(await site.get('/resources/2?fields=content&tags=resolve', { as: 'all' }));
    expect(shown[6]).toBe('0 [[*properties]] [[*content]]');
    expect(shown[5]).toContain('[[*secret]]');
  });

  it('are resolved in variables, in JSON and in lists, each for its own resource', async () => {
    const query = 'filter[id][in]=1,2&fields=id&tv_fields=rows,tagged&links=resolve&tags=resolve';
    const got = await site.get(`/resources?${query}`);
    expect(got.body['data']).toEqual([
      { id: 1, tvs: { rows: '["1",""]', tagged: 'RED The site' } },
      { id: 2, tvs: { rows: '["2","/"]', tagged: 'RED The site' } },
    ]);
    expect(got.body['meta']).toMatchObject({ unresolved: [0] });
  });

  it('follow the chunks and variables that they name', async () => {
    const path = '/resources/2?fields=content&tags=resolve';
    await site.get(path);
    await site.change(["UPDATE modx_site_htmlsnippets SET snippet = '[[+title]]!' WHERE name = 'card'"]);
    expect(partsOf(await site.get(path, { as: 'all' }))[17]).toBe('Page "two"!');
  });

  it('stay beyond the bounds of an answer', async () => {
    const chunk = (level: number) => (level === 9 ? 'x'.repeat(1000) : `[[$b${level + 1}]]`.repeat(10));
    const nested = `${'[[*empty:default=`'.repeat(1000)}x${'`]]'.repeat(1000)}`;
    const bombs = ['[[$b0]]', nested, '[['.repeat(100_000), '[[~[[*id]]? &a=`'.repeat(50_000)];
    await seed(site.store, {
      site_htmlsnippets: Array.from({ length: 10 }, (_one, level) => ({ name: `b${level}`, snippet: chunk(level) })),
      site_content: bombs.map((bomb, at) => ({
        ...{ id: 50 + at, pagetitle: 'Bomb', alias: `bomb${at}`, uri: `bomb${at}`, template: 1, content: bomb },
      })),
    });
    await site.change([
      "UPDATE modx_system_settings SET value = 'card,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9' WHERE `key` = 'gateway_resolve_chunks'",
    ]);
    const shown: string[] = [];
    for (const at of bombs.keys()) {
      const got = await site.get(`/resources/${50 + at}?fields=content&links=resolve&tags=resolve`);
      expect(got.status).toBe(200);
      shown.push(String(dataOf(got)['content']));
    }
    expect(shown[0]?.length).toBeGreaterThan(1000);
    expect(shown[0]?.length).toBeLessThanOrEqual(8_388_608);
    expect(shown[1]).toContain('[[*empty:default=`');
    expect(shown[2]).toBe(bombs[2]);
    expect(shown[3]).toBe(bombs[3]?.replaceAll('[[*id]]', '53'));
  });

  it('lead from weblinks and symlinks to their targets, as far as the caller sees them', async () => {
    const rows = [
      ['modWebLink', '1', '/', '/'],
      ['MODX\\Revolution\\modWebLink', ' 3 ', 'https://b.example/three', 'https://b.example/three'],
      ['MODX\\Revolution\\modSymLink', '[[~2? &a=`1`]]', '/two?a=1', '/two?a=1'],
      ['modWebLink', 'https://else.example/x', 'https://else.example/x', 'https://else.example/x'],
      ['modWebLink', 'pictures/a.pdf', 'pictures/a.pdf', '/pictures/a.pdf'],
      ['modWebLink', '4', '', null],
      ['modSymLink', '', '', null],
      ['modWebLink', '[[snippet]]', '[[snippet]]', null],
    ] as const;
    await seed(site.store, {
      site_content: rows.map(([class_key, content], at) => ({
        ...{ id: 70 + at, parent: 1, menuindex: at, pagetitle: 'Link', alias: `link${at}`, uri: `link${at}` },
        ...{ class_key, content },
      })),
    });
    const got = await site.get('/resources?filter[id][gte]=70&fields=content&links=resolve');
    expect(got.body['data']).toEqual(rows.map(([, , content, link]) => ({ content, link })));
    expect(got.body['meta']).toMatchObject({ unresolved: [4] });
    const withoutContent = await site.get('/resources/71?fields=id&links=resolve&urls=absolute');
    expect(dataOf(withoutContent)).toEqual({ id: 71, link: 'https://b.example/three' });
    expect(dataOf(await site.get('/pages/link0?fields=id&links=resolve&urls=absolute'))).toEqual({
      ...{ id: 70, link: 'http://a.example/' },
    });
    expect(dataOf(await site.get('/resources/71?fields=id'))).toEqual({ id: 71 });
    const tree = await site.get('/tree?root=1&fields=id&links=resolve');
    expect(tree.body['data']).toEqual(
      expect.arrayContaining([
        { id: 2, children: [] },
        { id: 71, link: 'https://b.example/three', children: [] },
        { id: 75, link: null, children: [] },
      ]),
    );
    expect(tree.body['meta']).toMatchObject({ unresolved: [4] });
    const changing = { as: 'all', method: 'PATCH', body: { content: '2' } };
    const written = await site.get('/resources/70?links=resolve', changing);
    expect(dataOf(written)).toMatchObject({ content: '/two', link: '/two' });
    const drafts = await site.get('/resources/75?fields=id&links=resolve&preview=1', { as: 'all' });
    expect(dataOf(drafts)).toEqual({ id: 75, link: '/four' });
  });
});
