/** Template variables as what they are: over HTTP on both databases, and on a real site. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { describeWithFixture, loadFixture, readFixtureJson } from '../../support/fixture.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { dataOf, key } from './writing-site.js';

const variables = [
  { id: 1, name: 'price', type: 'number', default_text: '10' },
  { id: 2, name: 'seasons', type: 'listbox-multiple' },
  { id: 3, name: 'opens', type: 'date' },
  { id: 4, name: 'gallery', type: 'migx' },
  { id: 5, name: 'related', type: 'resourcelist' },
  { id: 6, name: 'open', type: 'option', elements: 'Yes==1||No==0' },
  { id: 7, name: 'note', type: 'text', default_text: '@INHERIT none' },
  { id: 8, name: 'tags', type: 'autotag' },
];

const values = [
  [2, 1, '408.5'],
  [2, 2, 'spring||autumn'],
  [2, 3, '2026-07-01 09:30:00'],
  [2, 4, '[{"MIGX_id":"1","title":"A"}]'],
  [2, 5, '3'],
  [2, 6, '1'],
  [2, 7, 'high'],
  [2, 8, 'a, b'],
  [3, 1, 'cheap'],
  [3, 3, '0000-00-00 00:00:00'],
  [3, 4, '[{"MIGX_id":'],
  [3, 5, '4'],
] as const;

describeEachDatabase('typed template variables', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    const env = { HCD_GATEWAY_CACHE_ENABLED: '1' };
    site = await startTestSite({ databaseUrl: await database.url(), identities: { all: key('*') }, env });
    await site.fill({
      site_templates: [{ id: 1, templatename: 'All' }],
      site_tmplvars: [...variables, { id: 9, name: 'unused', type: 'number' }],
      site_tmplvar_templates: variables.map(({ id }) => ({ tmplvarid: id, templateid: 1, rank: id })),
      site_tmplvar_contentvalues: values.map(([contentid, tmplvarid, value]) => ({ contentid, tmplvarid, value })),
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'home', uri: 'home', template: 0 },
        { id: 2, pagetitle: 'Good', alias: 'good', uri: 'good', template: 1, isfolder: 1 },
        { id: 3, pagetitle: 'Bad', alias: 'bad', uri: 'bad', template: 1, parent: 2 },
        { id: 4, pagetitle: 'Hidden', alias: 'hidden', uri: 'hidden', published: 0 },
      ],
      media_sources: [{ id: 7, name: 'Pictures' }],
      media_sources_elements: [
        { source: 7, object: 4, object_class: 'MODX\\Revolution\\modTemplateVar', context_key: 'web' },
        { source: 7, object: 5, object_class: 'MODX\\Revolution\\modChunk', context_key: 'web' },
      ],
      context_setting: [{ context_key: 'web', key: 'date_timezone', value: 'Europe/Berlin' }],
    });
  });

  it('are numbers, lists, times, JSON, references and flags', async () => {
    const got = await site.get('/resources/2?fields=id&include=tvs&tv_format=typed');
    const tvs = {
      ...{ price: 408.5, seasons: ['spring', 'autumn'], opens: '2026-07-01T07:30:00Z', related: 3, open: true },
      ...{ gallery: [{ MIGX_id: '1', title: 'A' }], note: 'high', tags: ['a', 'b'] },
    };
    expect(got.body).toEqual({ data: { id: 2, tvs }, meta: {} });
  });

  it('are null where they have no meaning, and are named', async () => {
    const got = await site.get('/resources?fields=id&filter[id][in]=2,3&include=tvs&tv_format=typed');
    expect((got.body['data'] as { tvs: unknown }[])[1]?.tvs).toEqual({
      ...{ price: null, seasons: [], opens: null, gallery: null, related: 4, open: null, note: 'high', tags: [] },
    });
    expect(got.body['meta']).toMatchObject({ untyped: ['gallery', 'opens', 'price'] });
  });

  it('stay texts without the parameter', async () => {
    const got = await site.get('/resources/3?fields=id&tv_fields=price,gallery,seasons');
    expect(dataOf(got)).toEqual({ id: 3, tvs: { price: 'cheap', gallery: '[{"MIGX_id":', seasons: '' } });
  });

  it('come below relations and on pages too', async () => {
    const below = await site.get(
      '/resources/2?fields=id&include=children.tvs&fields[children]=id&tv_fields=tags&tv_format=typed',
    );
    expect(dataOf(below)['children']).toEqual([{ id: 3, tvs: { tags: [] } }]);
    const page = await site.get('/pages/good?fields=id&tv_fields=price&tv_format=typed');
    expect(dataOf(page)).toEqual({ id: 2, tvs: { price: 408.5 } });
    const pages = await site.get('/pages?uris=bad&fields=id&tv_fields=price&tv_format=typed');
    expect(pages.body['meta']).toMatchObject({ untyped: ['price'] });
  });

  it('put a record in the place of its id, where the caller may see it', async () => {
    const path =
      '/resources?fields=id&filter[id][in]=2,3&include=tvs.related&fields[tvs.related]=id,pagetitle&tv_format=typed';
    const [good, bad] = (await site.get(path)).body['data'] as { tvs: unknown }[];
    expect(good?.tvs).toEqual({ related: { id: 3, pagetitle: 'Bad' } });
    expect(bad?.tvs).toEqual({ related: 4 });
    const [, seen] = (await site.get(`${path}&preview=1`, { as: 'all' })).body['data'] as { tvs: unknown }[];
    expect(seen?.tvs).toEqual({ related: { id: 4, pagetitle: 'Hidden' } });
  });

  it('depend on the records that they show', async () => {
    const path = '/resources/2?fields=id&include=tvs.related&tv_format=typed';
    const before = await site.get(path);
    expect(before.headers.get('cache-tag')?.split(/[ ,]+/)).toContain('gateway:resources:3');
    await site.get('/resources/3', { as: 'all', method: 'PATCH', body: { pagetitle: 'Renamed' } });
    const after = await site.get(path);
    expect((dataOf(after)['tvs'] as { related: unknown }).related).toMatchObject({ pagetitle: 'Renamed' });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    await site.get('/resources/3', { as: 'all', method: 'PATCH', body: { pagetitle: 'Bad' } });
  });

  it.each([
    ['nope', 'is not a template variable of this site; GET /schema lists them'],
    ['unused', 'is not a template variable of this site; GET /schema lists them'],
    ['constructor', 'is not a template variable of this site; GET /schema lists them'],
    ['Related', 'is not a template variable of this site; GET /schema lists them'],
    ['price', 'names no records: it is of the type number'],
    ['gallery', 'names no records: it is of the type migx'],
  ])('are refused for %s, which names no records', async (name, problem) => {
    const query = `fields=id&include=tvs.${name},tvs.related&tv_format=typed`;
    for (const path of ['/resources', '/resources/2', '/pages/good']) {
      const got = await site.get(`${path}?${query}`);
      expect(got.body).toMatchObject({
        ...{ status: 422, code: 'validation_failed', detail: 'Include not allowed' },
        errors: { include: [`tvs.${name} ${problem}`] },
      });
    }
    const body = { pagetitle: 'Never written' };
    expect((await site.get(`/resources/2?${query}`, { as: 'all', method: 'PATCH', body })).status).toBe(422);
    expect(dataOf(await site.get('/resources/2?fields=pagetitle'))).toEqual({ pagetitle: 'Good' });
  });

  it.each([
    ['/resources?tv_format=raw', 'tv_format'],
    ['/resources/2?tv_format=TYPED', 'tv_format'],
    ['/resources/2?include=tvs.related', 'include'],
    ['/resources/2?include=tvs.related&fields[tvs.related]=content&tv_format=typed', 'fields'],
  ])('refuse %s', async (path, name) => {
    const got = await site.get(path);
    expect([got.status, Object.keys(got.body['errors'] as object)]).toEqual([422, [name]]);
  });

  it('are described in /schema', async () => {
    const { tvs } = dataOf(await site.get('/schema')) as { tvs: Record<string, unknown> };
    expect(Object.keys(tvs).sort()).toEqual(variables.map(({ name }) => name).sort());
    const filter = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'null', 'not_null'];
    const asked = { accepts: { required: false }, templates: [1], filter, sortable: true };
    const accepts = { required: false, enum: ['1', '0'] };
    expect(tvs['price']).toEqual({ type: 'number', value: { type: ['number', 'null'] }, ...asked });
    expect(tvs['open']).toEqual({ type: 'option', value: { type: ['boolean', 'null'] }, ...asked, accepts });
    expect(tvs['gallery']).toMatchObject({ filter: ['null', 'not_null'], sortable: false });
  });

  it('name their media source', async () => {
    const got = await site.get('/tvs?fields=name,source&filter[name][in]=gallery,related', { as: 'all' });
    expect(got.body['data']).toEqual([
      { name: 'gallery', source: { id: 7, name: 'Pictures' } },
      { name: 'related', source: null },
    ]);
  });
});

describeWithFixture('typed template variables of a real site', () => {
  it('are the JSON and the texts that the CMS gives', async () => {
    const site = await startTestSite({ databaseUrl: await loadFixture(), identities: { all: key('*') } });
    const { values: expected } = (await readFixtureJson('expected-tv.json')) as {
      values: { resource: number; tv: string; type: string; raw: string }[];
    };
    expect(expected.length).toBeGreaterThan(20);
    for (const { resource, tv, type, raw } of expected) {
      const got = await site.get(`/resources/${resource}?fields=id&tv_fields=${tv}&tv_format=typed`, { as: 'all' });
      const value = raw === '' ? null : type === 'migx' ? JSON.parse(raw) : raw;
      expect([resource, dataOf(got)['tvs'], got.body['meta']]).toEqual([resource, { [tv]: value }, {}]);
    }
    const sources = await site.get('/tvs?fields=name,source&filter[name]=gostFile', { as: 'all' });
    expect(sources.body['data']).toEqual([{ name: 'gostFile', source: { id: 2, name: 'Manager uploaded files' } }]);
  });
});
