/** Filters and sorts by template variables on every database: what they mean, who may use them, and how they are kept current. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { buildIndexes, indexNow } from '../../../src/content/indexing/keep-indexes.js';
import { describeEachDatabase } from '../../support/databases.js';
import { accessRule } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { sweep } from './searching.js';
import { key } from './writing-site.js';

const names = ['price', 'seasons', 'day', 'note', 'sale', 'link', 'data', 'tax', 'labels'] as const;
type Name = (typeof names)[number];

const variables = [
  { id: 1, name: 'price', type: 'number', default_text: '10' },
  { id: 2, name: 'seasons', type: 'checkbox', default_text: '' },
  { id: 3, name: 'day', type: 'date', default_text: '' },
  { id: 4, name: 'note', type: 'text', default_text: 'plain' },
  { id: 5, name: 'sale', type: 'option', elements: 'Yes==1||No==0', default_text: '0' },
  { id: 6, name: 'link', type: 'resourcelist', default_text: '' },
  { id: 7, name: 'data', type: 'migx', default_text: '' },
  { id: 8, name: 'tax', type: 'number', default_text: '@INHERIT 5' },
  { id: 9, name: 'labels', type: 'tag', default_text: 'new, used' },
  { id: 10, name: 'secret', type: 'number', default_text: '1' },
  { id: 11, name: 'closed', type: 'number', category: 3, default_text: '1' },
  { id: 12, name: 'loose', type: 'number', default_text: '1' },
];

const long = `${'x'.repeat(191)}${'y'.repeat(100)}`;

/** Values of resources by variable. Resource 1 is above 2 to 9. */
const values: Readonly<Record<number, Partial<Record<Name, string>>>> = {
  1: { price: '100', tax: '19', seasons: 'summer||winter', day: '2026-11-24 10:00:00', note: 'a' },
  2: { price: '2.5', seasons: 'winter', day: '2026-11-25', note: 'A', sale: '1' },
  3: { price: '-3', seasons: '', day: '0000-00-00 00:00:00', note: 'é', link: '1' },
  4: { price: '1e2', seasons: 'a||b||a', day: '0001-01-01 00:00:00', note: '\u{1f600}', tax: '7' },
  5: { price: '9,99', seasons: '||||', day: 'tomorrow', note: '', data: '[{"MIGX_id":"1"}]' },
  6: { price: '', seasons: '@EVAL return 1;', note: '@SNIPPET x', link: 'x', sale: '0' },
  7: { price: 'NaN', note: `${long}1`, data: '{', labels: 'new' },
  8: { price: '0100', note: `${long}2`, day: '2026-11-24 10:00:00', labels: ' ,' },
  9: { price: '99999999999999999999', note: 'a ', labels: 'old, new' },
  10: { price: '0', note: '%', sale: 'maybe' },
  11: { note: 'it\'s \\ "quoted" `x`', price: '100.0', link: '3' },
  12: { note: 'line\nbreak\tNUL' },
};

const resources = Array.from({ length: 16 }, (_, at) => at + 1).map((id) => ({
  ...{ id, pagetitle: `Page ${id % 4}`, alias: `page-${id}`, uri: `page-${id}`, menuindex: 20 - id },
  ...{ parent: id > 1 && id < 10 ? 1 : 0, template: id === 13 ? 2 : id === 14 ? 0 : 1 },
  ...(id === 15 ? { published: 0 } : {}),
}));

const tables = {
  site_content: resources,
  site_templates: [
    { id: 1, templatename: 'All' },
    { id: 2, templatename: 'Few' },
  ],
  categories: [{ id: 3, category: 'Closed' }],
  categories_closure: [
    { ancestor: 0, descendant: 3, depth: 1 },
    { ancestor: 3, descendant: 3, depth: 0 },
  ],
  site_tmplvars: variables,
  site_tmplvar_templates: [
    ...variables.filter(({ id }) => id !== 12).map(({ id }) => ({ tmplvarid: id, templateid: 1 })),
    { tmplvarid: 4, templateid: 2 },
  ],
  site_tmplvar_contentvalues: Object.entries(values).flatMap(([id, given]) =>
    Object.entries(given).map(([name, value]) => ({
      tmplvarid: variables.find((one) => one.name === name)?.id ?? 0,
      contentid: Number(id),
      value,
    })),
  ),
  documentgroup_names: [{ id: 1, name: 'Members only' }],
  site_tmplvar_access: [{ tmplvarid: 10, documentgroup: 1 }],
  access_resource_groups: [accessRule('1')],
  access_category: [accessRule('3')],
};

type Row = { readonly id: number; readonly tvs: Readonly<Partial<Record<Name, unknown>>> };

describeEachDatabase('filters and sorts by template variables', (database) => {
  let site: TestSite;
  const list = async (query: string) => {
    const got = await site.get(`/resources?fields=id&limit=50&${query}`);
    expect(got.status, got.text).toBe(200);
    const ids = (got.body['data'] as Row[]).map(({ id }) => id);
    if (!query.includes('offset')) expect((got.body['meta'] as { total: number }).total).toBe(ids.length);
    return ids;
  };
  const refused = async (query: string) => {
    const { status, body } = await site.get(`/resources?${query}`);
    return { status, errors: body['errors'] };
  };
  const write = (path: string, method: string, body?: unknown) => site.get(path, { as: 'all', method, body });

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), identities: { all: key('*') } });
    await site.fill(tables);
    await sweep(site);
  });

  it.each([
    ['numbers are compared as numbers', 'filter[tv.price]=100', [1, 4, 8, 11]],
    ['the default is a value', 'filter[tv.price]=10', [12, 16]],
    ['numbers in a range', 'filter[tv.price][gte]=0&filter[tv.price][lt]=10', [2, 10]],
    ['what is no number has no value', 'filter[tv.price][null]=1', [5, 6, 7, 9, 13, 14]],
    ['a comparison needs a value', 'filter[tv.price][neq]=100', [2, 3, 10, 12, 16]],
    ['several values', 'filter[tv.price][in]=-3,0', [3, 10]],
    ['none of several values', 'filter[tv.price][not_in]=-3,0,100', [2, 12, 16]],
    ['an empty list of values', 'filter[tv.price][in]=', []],
    ['a time with an offset', 'filter[tv.day]=2026-11-24T11:00:00%2B01:00', [1, 8]],
    ['times in a range', 'filter[tv.day][gt]=2026-11-24T10:00:00Z', [2]],
    ['a time as seconds', 'filter[tv.day][lt]=1795514400', [4]],
    ['a time of another century', 'filter[tv.day]=0001-01-01T00:00:00Z', [4]],
    ['a leap day of the year 0', 'filter[tv.day][lt]=0000-02-29T00:00:00Z', []],
    ['a time beyond the range of columns', 'filter[tv.day][lt]=2500-01-01T00:00:00Z', [1, 2, 4, 8]],
    ['a member of a list', 'filter[tv.seasons]=winter', [1, 2]],
    ['a member of a list of tags', 'filter[tv.labels]=new', [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 16]],
    ['no member of a list', 'filter[tv.seasons][neq]=winter', [4]],
    ['any of several members', 'filter[tv.seasons][in]=summer,b', [1, 4]],
    ['none of several members', 'filter[tv.seasons][not_in]=summer,b', [2]],
    ['a member in a range', 'filter[tv.seasons][lt]=b', [4]],
    ['a member like a pattern', 'filter[tv.seasons][like]=SUM%25', [1]],
    ['an empty list has no value', 'filter[tv.seasons][not_null]=1', [1, 2, 4]],
    ['texts are compared exactly', 'filter[tv.note]=a', [1]],
    ['texts keep their spaces', 'filter[tv.note]=a%20', [9]],
    ['texts by code points', 'filter[tv.note][gt]=x', [3, 4, 7, 8]],
    ['long texts are compared as a whole', `filter[tv.note]=${long}2`, [8]],
    ['long texts like a pattern', 'filter[tv.note][like]=%25y1', [7]],
    ['a pattern without case', 'filter[tv.note][like]=É', [3]],
    ['an empty text is no value, and a binding neither', 'filter[tv.note][null]=1', [5, 6, 14]],
    ['flags', 'filter[tv.sale]=yes', [2]],
    ['flags that are no flag have no value', 'filter[tv.sale][null]=1', [10, 13, 14]],
    ['references', 'filter[tv.link]=1', [3]],
    ['JSON that is there', 'filter[tv.data][not_null]=1', [5]],
    ['inherited values', 'filter[tv.tax]=19', [1, 2, 3, 5, 6, 7, 8, 9]],
    ['the text behind @INHERIT', 'filter[tv.tax]=5', [10, 11, 12, 16]],
    ['several variables', 'filter[tv.price]=100&filter[tv.note]=a', [1]],
    ['with fields', 'filter[tv.price]=100&filter[parent]=1', [4, 8]],
    ['sorts numbers', 'sort=tv.price', [3, 10, 2, 12, 16, 1, 4, 8, 11, 5, 6, 7, 9, 13, 14]],
    ['without a value last when descending too', 'sort=-tv.price', [11, 8, 4, 1, 16, 12, 2, 10, 3, 14, 13, 9, 7, 6, 5]],
    ['sorts times', 'sort=tv.day&filter[tv.day][not_null]=1', [4, 1, 8, 2]],
    ['sorts lists by their members', 'sort=-tv.seasons&filter[tv.seasons][not_null]=1', [2, 1, 4]],
    ['sorts by several', 'sort=-tv.sale,tv.price&filter[parent]=1', [2, 3, 4, 8, 5, 6, 7, 9]],
    ['sorts by a field first', 'sort=pagetitle,-tv.price&filter[parent]=1', [8, 4, 9, 5, 2, 6, 3, 7]],
    ['searches with it', 'q=Page%201&sort=tv.price', [1, 5, 9, 13]],
    ['a far offset', 'sort=tv.price&offset=300', []],
    ['an offset behind the values', 'sort=tv.price&offset=10', [6, 7, 9, 13, 14]],
  ])('%s: %s', async (_name, query, expected) => {
    expect(await list(query)).toEqual(expected);
  });

  it.each(['tv.price', '-tv.price', 'tv.note', '-tv.day', 'tv.seasons,-tv.price', 'menuindex,-tv.tax'])(
    'pages by cursor in the order of %s',
    async (sort) => {
      const whole = await list(`sort=${sort}`);
      const found: number[] = [];
      let cursor = '';
      do {
        const got = await site.get(`/resources?fields=id&limit=2&sort=${sort}${cursor}`);
        expect(got.status, got.text).toBe(200);
        found.push(...(got.body['data'] as Row[]).map(({ id }) => id));
        const { next_cursor: next } = got.body['meta'] as { next_cursor?: string };
        cursor = next === undefined || next === null ? '' : `&cursor=${next}`;
      } while (cursor !== '');
      expect(found).toEqual(whole);
    },
  );

  it('answers for what a caller may not load as for what there is not', async () => {
    const about = 'is not a template variable of this site; GET /schema lists them';
    for (const name of ['tv.nothing', 'tv.secret', 'tv.loose', 'tv.', 'tv.closed']) {
      const included = name.replace('tv.', 'tvs.');
      for (const [query, errors] of [
        [`filter[${name}]=1`, { [name]: [about] }],
        [`sort=-${name}`, { sort: [`${name} ${about}`] }],
        [`include=${included}&tv_format=typed`, { include: [`${included} ${about}`] }],
      ] as const) {
        expect(await refused(query)).toEqual({ status: 422, errors });
      }
    }
    expect(await refused('filter[tv.price.x]=1')).toMatchObject({ status: 422 });
    expect((await site.get('/chunks?sort=tv.price', { as: 'all' })).status).toBe(422);
  });

  const operators = 'eq, neq, gt, gte, lt, lte, in, not_in, null, not_null';

  it.each<[query: string, field?: string, problem?: string]>([
    ['filter[tv.price][like]=1', 'tv.price', `like is not for values of the type number; operators: ${operators}`],
    ['filter[tv.data]=1', 'tv.data', 'eq is not for values of the type migx; operators: null, not_null'],
    ['sort=tv.data', 'sort', 'tv.data cannot be sorted: it is of the type migx'],
    ...['price]=x', 'price]=1e999', 'price]=', 'price][not_in]=', 'day]=yesterday', 'day]=0000-00-00'].map(
      (end): [string] => [`filter[tv.${end}`],
    ),
    ...['day]=99999999999999', 'link]=1.5', 'sale]=perhaps'].map((end): [string] => [`filter[tv.${end}`]),
  ])('refuses operators and values that the type does not have, by name: %s', async (query, field, problem) => {
    const errors = field === undefined ? expect.any(Object) : { [field]: [problem] };
    expect(await refused(query)).toEqual({ status: 422, errors });
  });

  it.each([
    ...['||', '😀', "'; DROP TABLE hcd_tv_values; --", '\\%_!', '𐐷'.repeat(300), 'ab '.repeat(400)],
    ...['1e308', '9007199254740993', '\u200d'],
  ])('never fails: %s', async (text) => {
    for (const name of ['price', 'seasons', 'day', 'note', 'link']) {
      for (const operator of ['eq', 'lt', 'in', 'not_in', 'like']) {
        const path = `/resources?filter[tv.${name}][${operator}]=${encodeURIComponent(text)}&sort=-tv.note`;
        expect((await site.get(path)).status).toBeOneOf([200, 422]);
      }
    }
  });

  it('finds the same rows as a look at every value', async () => {
    const got = await site.get('/resources?fields=id&include=tvs&tv_format=typed&limit=100');
    const rows = got.body['data'] as Row[];
    expect(rows).toHaveLength(15);
    await fc.assert(
      fc.asyncProperty(question, async ({ filters, sort }) => {
        const query = queryOf({ filters, sort });
        const kept = rows.filter((row) => filters.every((filter) => meets(row, filter)));
        const expected = sort === null ? kept : kept.toSorted((one, other) => inOrder(one, other, sort));
        expect(await list(query)).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 100 },
    );
  });

  it('knows at once what was written here, below too', async () => {
    const { body } = await write('/resources', 'POST', {
      ...{ pagetitle: 'New', published: true, template: 1, parent: 1 },
      tvs: { price: '4711', seasons: ['spring', 'summer'] },
    });
    const { id } = body['data'] as { id: number };
    expect(await list('filter[tv.price]=4711')).toEqual([id]);
    expect(await list('filter[tv.seasons]=spring')).toEqual([id]);
    expect(await list('filter[tv.tax]=19')).toContain(id);
    await write(`/resources/${id}`, 'PATCH', { tvs: { price: '4712' } });
    expect(await list('filter[tv.price]=4711')).toEqual([]);
    await write('/resources/1', 'PATCH', { tvs: { tax: '21' } });
    expect(await list('filter[tv.tax]=21')).toEqual([1, 2, 3, 5, 6, 7, 8, 9, id]);
    await write(`/resources/${id}`, 'PATCH', { parent: 0 });
    expect(await list(`filter[tv.tax]=5&filter[id]=${id}`)).toEqual([id]);
    await write(`/resources/${id}`, 'PATCH', { template: 2 });
    expect(await list('filter[tv.price]=4712')).toEqual([]);
    await write('/resources/1', 'PATCH', { tvs: { tax: '19' } });
    await write(`/resources/${id}?force=1`, 'DELETE');
    await sweep(site);
    expect(await list('filter[tv.tax]=19')).toEqual([1, 2, 3, 5, 6, 7, 8, 9]);
  });

  it('learns of foreign changes by ids and by the sweep, of values, types, defaults and templates', async () => {
    const stored = "UPDATE modx_site_tmplvar_contentvalues SET value = '77' WHERE contentid = 2 AND tmplvarid = 1";
    await site.change([stored]);
    await indexNow(site.store, { ids: [2, 2, 999] });
    expect(await list('filter[tv.price]=77')).toEqual([2]);
    await site.change(["UPDATE modx_site_tmplvars SET default_text = '12' WHERE id = 1"]);
    await sweep(site);
    expect(await list('filter[tv.price]=12')).toEqual([12, 16]);
    await site.change(["UPDATE modx_site_tmplvars SET type = 'text' WHERE id = 1"]);
    await sweep(site);
    expect(await list('filter[tv.price][like]=1%25')).toEqual([1, 4, 11, 12, 16]);
    await site.change(["UPDATE modx_site_tmplvars SET type = 'number', default_text = '10' WHERE id = 1"]);
    await site.change(['UPDATE modx_site_content SET template = 2 WHERE id = 16', stored.replace('77', '2.5')]);
    await sweep(site);
    expect(await list('filter[tv.price]=10')).toEqual([12]);
    await site.change(['UPDATE modx_site_content SET template = 1 WHERE id = 16']);
    await sweep(site);
    expect(await list('filter[tv.price]=10')).toEqual([12, 16]);
  });

  it('makes the whole index once, and again where it is gone', async () => {
    const forever = new AbortController().signal;
    await buildIndexes(site.store, forever);
    // The server may make it again at any moment, so only the removal is looked at.
    const removed = await site.store.own.write((tx) => tx.run({ sql: 'DELETE FROM hcd_tv_values', params: [] }));
    expect(removed.changes).toBeGreaterThan(0);
    await buildIndexes(site.store, forever);
    expect(await list('filter[tv.price]=100')).toEqual([1, 4, 8, 11]);
  });
});

/** More rows than are looked at one by one; those of some templates only, some without a value. */
const many = Array.from({ length: 800 }, (_, at) => at + 1);
const manyTables = {
  site_content: many.map((id) => ({
    ...{ id, pagetitle: `Page ${id}`, alias: `page-${id}`, uri: `page-${id}`, menuindex: (id * 7) % 800 },
    ...{ template: id % 10 === 0 ? 0 : 1, parent: id > 40 ? id % 40 : 0, published: id % 9 === 0 ? 0 : 1 },
  })),
  site_templates: [{ id: 1, templatename: 'All' }],
  site_tmplvars: variables.slice(0, 9),
  site_tmplvar_templates: variables.slice(0, 9).map(({ id }) => ({ tmplvarid: id, templateid: 1 })),
  site_tmplvar_contentvalues: many.flatMap((id) => [
    ...(id % 3 === 0 ? [{ tmplvarid: 1, contentid: id, value: String(((id * 31) % 400) / 4) }] : []),
    ...(id % 5 === 0 && id % 3 !== 0 ? [{ tmplvarid: 1, contentid: id, value: '' }] : []),
    ...(id % 2 === 0 ? [{ tmplvarid: 2, contentid: id, value: id % 4 === 0 ? 'summer||a' : 'winter||b||a' }] : []),
    ...(id % 7 === 0 ? [{ tmplvarid: 4, contentid: id, value: ['a', 'A', 'é', `${long}1`][id % 4] ?? '' }] : []),
    ...(id % 11 === 0 ? [{ tmplvarid: 3, contentid: id, value: `2026-11-${10 + (id % 15)}` }] : []),
    ...(id % 13 === 0 ? [{ tmplvarid: 5, contentid: id, value: '1' }] : []),
  ]),
};

describeEachDatabase('filters and sorts by template variables of many resources', (database) => {
  let site: TestSite;
  let rows: readonly Row[] = [];

  async function pagesOf(query: string): Promise<Row[]> {
    const found: Row[] = [];
    for (let cursor = ''; ; ) {
      const got = await site.get(`/resources?fields=id,parent&limit=100&${query}${cursor}`);
      expect(got.status, got.text).toBe(200);
      found.push(...(got.body['data'] as Row[]));
      const { next_cursor: next } = got.body['meta'] as { next_cursor?: string };
      if (typeof next !== 'string') return found;
      cursor = `&cursor=${next}`;
    }
  }

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), identities: { all: key('*') } });
    await site.fill(manyTables);
    await sweep(site);
    rows = await pagesOf('include=tvs&tv_format=typed');
    expect(rows).toHaveLength(712);
  });

  const expectSameRows = () =>
    fc.assert(
      fc.asyncProperty(question, fc.nat(750), async ({ filters, sort }, offset) => {
        const query = queryOf({ filters, sort });
        const kept = rows.filter((row) => filters.every((filter) => meets(row, filter)));
        const ids = (sort === null ? kept : kept.toSorted((one, other) => inOrder(one, other, sort))).map(
          ({ id }) => id,
        );
        expect((await pagesOf(query)).map(({ id }) => id)).toEqual(ids);
        const got = await site.get(`/resources?fields=id&limit=7&offset=${offset}&${query}`);
        expect((got.body['data'] as Row[]).map(({ id }) => id)).toEqual(ids.slice(offset, offset + 7));
        expect(got.body['meta']).toMatchObject({ total: ids.length });
      }),
      { numRuns: 25 },
    );

  it('finds the same rows as a look at every value, page by page', expectSameRows);

  it.each([
    ['filter[tv.price][lt]=50&sort=-menuindex', 'another order'],
    ['filter[tv.seasons]=a&filter[tv.note]=plain&sort=tv.price,-menuindex', 'several variables'],
    ['filter[tv.note]=plain&filter[parent]=7&sort=-tv.price', 'a field'],
  ])('finds the same rows with %s', async (query) => {
    const found = await pagesOf(query);
    const all = await pagesOf(query.replace(/filter\[tv[^&]*&?/g, ''));
    const terms = [...query.matchAll(/filter\[tv\.(\w+)\](?:\[(\w+)\])?=(\w+)/g)];
    const tests = terms.map(([, name, operator = 'eq', text = '']): Filter => [name as Name, operator, text]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const kept = all.filter(({ id }) => tests.every((test) => meets(byId.get(id) ?? { id, tvs: {} }, test)));
    expect(kept.length).toBeGreaterThan(10);
    expect(found).toEqual(kept);
  });
});

function queryOf({ filters, sort }: { readonly filters: readonly Filter[]; readonly sort: Sort | null }): string {
  const given = filters.map(([name, operator, text]) => `filter[tv.${name}][${operator}]=${encodeURIComponent(text)}`);
  return [...given, ...(sort === null ? [] : [`sort=${sort.descending ? '-' : ''}tv.${sort.name}`])].join('&');
}

type Filter = readonly [name: Name, operator: string, text: string];
type Sort = { readonly name: Name; readonly descending: boolean };

const samples: Readonly<Record<Name, readonly string[]>> = {
  price: ['-3', '0', '2.5', '10', '99.5', '100', '1e2'],
  tax: ['5', '7', '19'],
  seasons: ['winter', 'summer', 'a', 'b', ''],
  labels: ['new', 'used', 'old', 'x'],
  day: ['2026-11-24T10:00:00Z', '2026-11-25T00:00:00Z', '1795514400', '-5'],
  note: ['a', 'A', 'a ', 'é', 'plain', '\u{1f600}', '%', '', `${long}1`],
  sale: ['1', '0', 'true', 'off'],
  link: ['1', '3', '0'],
  data: [''],
};

const filter: fc.Arbitrary<Filter> = fc.constantFrom(...names).chain((name) => {
  const operators = name === 'data' ? [] : ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in'];
  return fc
    .tuple(fc.constantFrom(...operators, 'null', 'not_null'), fc.subarray([...samples[name]], { minLength: 1 }))
    .map(([operator, texts]): Filter => {
      const isList = operator === 'in' || operator === 'not_in';
      const usable = isList ? texts.map((text) => text.trim()).filter((text) => text !== '') : texts;
      return [name, isList && usable.length === 0 ? 'null' : operator, isList ? usable.join(',') : (texts[0] ?? '')];
    });
});

const question = fc.record({
  filters: fc.uniqueArray(filter, { maxLength: 3, selector: ([name, operator]) => `${name} ${operator}` }),
  sort: fc.option(
    fc.record({ name: fc.constantFrom(...names.filter((name) => name !== 'data')), descending: fc.boolean() }),
    { nil: null },
  ),
});

/** The values that conditions look at: one, or the members of a list. */
function valuesOf({ tvs }: Row, name: Name): readonly unknown[] {
  const value = tvs[name] ?? null;
  return Array.isArray(value) ? value : value === null ? [] : [value];
}

function comparable(name: Name, value: unknown): number | string {
  if (name === 'day') return /^-?\d+$/.test(String(value)) ? Number(value) * 1000 : Date.parse(String(value));
  if (name === 'sale') return ['1', 'true'].includes(String(value)) ? 1 : 0;
  return name === 'price' || name === 'tax' || name === 'link' ? Number(value) : String(value);
}

function order(one: number | string, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return Math.sign(one - other);
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

function meets(row: Row, [name, operator, text]: Filter): boolean {
  const found = valuesOf(row, name);
  if (operator === 'null') return found.length === 0;
  if (operator === 'not_null') return found.length > 0;
  const given = (operator === 'in' || operator === 'not_in' ? text.split(',') : [text]).map((one) =>
    comparable(name, one),
  );
  const some = (test: (sign: number) => boolean) =>
    found.some((value) => given.some((one) => test(order(comparable(name, value), one))));
  const isOne = some((sign) => sign === 0);
  switch (operator) {
    case 'neq':
    case 'not_in':
      return found.length > 0 && !isOne;
    case 'gt':
      return some((sign) => sign > 0);
    case 'gte':
      return some((sign) => sign >= 0);
    case 'lt':
      return some((sign) => sign < 0);
    case 'lte':
      return some((sign) => sign <= 0);
    default:
      return isOne;
  }
}

function inOrder(one: Row, other: Row, { name, descending }: Sort): number {
  const [left, right] = [one, other].map((row) => valuesOf(row, name));
  const turn = descending ? -1 : 1;
  if (left === undefined || right === undefined || (left.length === 0 && right.length === 0))
    return turn * (one.id - other.id);
  if (left.length === 0 || right.length === 0) return left.length === 0 ? 1 : -1;
  const isList = name === 'seasons' || name === 'labels';
  const of = (found: readonly unknown[]) => (isList ? found.join(',') : comparable(name, found[0]));
  return turn * (order(of(left), of(right)) || one.id - other.id);
}

describeEachDatabase("template variables in lists with the program's own tables in another database", (database) => {
  let site: TestSite;

  beforeAll(async () => {
    const databases = { databaseUrl: await database.url(), ownDatabaseUrl: await database.url() };
    site = await startTestSite({ ...databases, identities: { all: key('*') } });
    await site.fill(tables);
  });

  it.each([
    ['filter', 'filter[tv.price]=100'],
    ['filter', 'filter[tv.price][gte]=1&sort=-id'],
    ['sort', 'sort=-tv.price'],
  ])('are refused in %s with the reason and what to do: %s', async (parameter, query) => {
    const { status, body } = await site.get(`/resources?${query}`);
    const problem =
      "by a template variable needs the program's tables in the database of the content, and here they are in another one (HCD_OWN_DATABASE_URL); use fields, or choose by the values that include=tvs gives";
    expect([status, body['errors']]).toEqual([422, { [parameter]: [problem] }]);
  });

  it('are shown', async () => {
    const { body } = await site.get('/resources?filter[id]=1&fields=id&tv_fields=price&tv_format=typed');
    expect(body['data']).toEqual([{ id: 1, tvs: { price: 100 } }]);
  });
});
