/** Filters and sorts by the template variables of an existing site, and answers that are kept while the CMS changes values. */
import { beforeAll, expect, it } from 'vitest';
import { contentOf } from '../../../src/content/indexing/keep-indexes.js';
import { tvValues } from '../../../src/content/indexing/tv-values.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { sweep } from './searching.js';

type Value = string | number | boolean | null | readonly string[];
type Row = { readonly id: number; readonly tvs: Readonly<Record<string, Value>> };
type Described = Readonly<Record<string, { readonly filter: readonly string[]; readonly sortable: boolean }>>;

describeWithFixture('template variables in lists of an attached site', () => {
  let site: TestSite;
  let rows: readonly Row[] = [];
  let tvs: Described = {};

  const read = async (query: string): Promise<Row[]> => {
    const found: Row[] = [];
    for (let cursor = ''; ; ) {
      const got = await site.get(`/resources?limit=100&fields=id&${query}${cursor}`);
      expect(got.status, got.text).toBe(200);
      found.push(...(got.body['data'] as Row[]));
      const { next_cursor: next } = got.body['meta'] as { next_cursor?: string };
      if (typeof next !== 'string') return found;
      cursor = `&cursor=${next}`;
    }
  };
  const idsOf = async (query: string) => (await read(query)).map(({ id }) => id);

  beforeAll(async () => {
    const env = { HCD_GATEWAY_CACHE_ENABLED: '1' };
    site = await startTestSite({ databaseUrl: await loadFixture(), env });
    // The server makes the index itself: until then it might find a change before the sweep of a test does.
    const [own, content] = [site.store.own.primary, contentOf(site.store)];
    while (await tvValues.findUnseen(own, content)) await new Promise((resolve) => setTimeout(resolve, 20));
    await site.live.refresh();
    rows = await read('include=tvs&tv_format=typed');
    tvs = ((await site.get('/schema')).body['data'] as { tvs: Described }).tvs;
    expect(Object.keys(tvs).length).toBeGreaterThan(5);
  });

  it('finds the resources that show the value, and those that show none', async () => {
    for (const [name, { filter }] of Object.entries(tvs)) {
      const of = ({ tvs: values }: Row): readonly Value[] => {
        const value = values[name] ?? null;
        return Array.isArray(value) ? value : value === null ? [] : [value as Value];
      };
      const empty = rows.filter((row) => of(row).length === 0).map(({ id }) => id);
      expect(await idsOf(`filter[tv.${name}][null]=1`), name).toEqual(empty);
      const found = [...new Set(rows.flatMap(of))].filter((one) => !String(one).startsWith(' '));
      if (!filter.includes('eq')) continue;
      for (const one of found.slice(0, 3)) {
        const expected = rows.filter((row) => of(row).includes(one)).map(({ id }) => id);
        const query = `filter[tv.${name}]=${encodeURIComponent(String(one))}`;
        expect(await idsOf(query), query).toEqual(expected);
      }
    }
  });

  it('shows every resource once in the order of each variable, those without a value last', async () => {
    for (const [name, { sortable }] of Object.entries(tvs)) {
      if (!sortable) continue;
      const isEmpty = ({ tvs: values }: Row) => [values[name] ?? null].flat().every((one) => one === null);
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const sort of [`tv.${name}`, `-tv.${name}`]) {
        const ids = await idsOf(`sort=${sort}`);
        expect(ids.toSorted((one, other) => one - other)).toEqual(rows.map(({ id }) => id));
        const gaps = ids.map((id) => isEmpty(byId.get(id) ?? { id, tvs: {} }));
        const first = gaps.indexOf(true);
        expect(first < 0 || gaps.slice(first).every((one) => one), sort).toBe(true);
      }
    }
  });

  it('drops kept answers when the manager changes a value, and when the sweep finds a change', async () => {
    const [first] = rows;
    const name = Object.entries(tvs).find(([, { filter }]) => filter.includes('like'))?.[0] ?? '';
    const holder = rows.find((row) => Object.hasOwn(row.tvs, name)) ?? first;
    const id = holder?.id ?? 0;
    const look = () => idsOf(`filter[tv.${name}]=changed`);
    const store = (value: string) => [
      `DELETE FROM modx_site_tmplvar_contentvalues WHERE contentid = ${id} AND tmplvarid = (SELECT id FROM modx_site_tmplvars WHERE name = '${name}')`,
      `INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) SELECT id, ${id}, '${value}' FROM modx_site_tmplvars WHERE name = '${name}'`,
    ];
    expect(await look()).toEqual([]);
    await site.change([
      ...store('changed'),
      `INSERT INTO modx_manager_log (action, classKey, item) VALUES ('resource_update', 'modDocument', '${id}')`,
    ]);
    const lookAgain = async () => {
      await site.live.refresh();
      return look();
    };
    await expect.poll(lookAgain).toEqual([id]);
    // It may be noticed before with the change above; the sweep finds it in any case.
    await site.change(store('once more'));
    await sweep(site);
    expect(await lookAgain()).toEqual([]);
  });
});
