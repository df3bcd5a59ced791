/** The records above others (`include=ancestors`) in deep and damaged trees, on both databases. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { type Row, seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { dataOf } from './writing-site.js';

const deepest = 160;
const page = (id: number, parent: number, words: Row = {}): Row => ({
  ...{ id, parent, pagetitle: `Page ${id}`, alias: `page-${id}`, uri: `page-${id}` },
  ...words,
});
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_none, at) => first + at);

interface Shown {
  readonly id: number;
  readonly ancestors: readonly { readonly id: number }[];
}

describeEachDatabase('ancestors', (database) => {
  let site: TestSite;
  const query = 'fields=id&include=ancestors&fields[ancestors]=id';

  /** The ids above one record, and what the answer says of it. */
  const single = async (id: number) => {
    const got = await site.get(`/resources/${id}?${query}`);
    expect(got.status).toBe(200);
    const { ancestors } = dataOf(got) as unknown as Shown;
    return { above: ancestors.map((one) => one.id), meta: got.body['meta'] };
  };

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url() });
    await seed(site.store, {
      site_content: [
        ...from(1, deepest).map((id) => page(id, id - 1)),
        // Circles, and what is below them.
        ...[page(201, 202), page(202, 203), page(203, 201), page(204, 201), page(205, 205), page(206, 205)],
        // A circle as long as the bound and one more.
        ...from(301, 351).map((id) => page(id, id === 301 ? 351 : id - 1)),
        page(360, 351),
        // The parent is not there, or hidden.
        page(401, 9999),
        ...[page(402, 0), page(403, 402, { published: 0 }), page(404, 403)],
      ],
    });
  });

  it('end at fifty levels, and the answer names the record', async () => {
    expect(await single(50)).toEqual({ above: from(1, 49), meta: {} });
    expect(await single(51)).toEqual({ above: from(1, 50), meta: {} });
    expect(await single(52)).toEqual({ above: from(2, 51), meta: { truncated: { ancestors: [52] } } });
    expect(await single(160)).toEqual({ above: from(110, 159), meta: { truncated: { ancestors: [160] } } });
  });

  it('are the same in a list as in a single read', async () => {
    const { body } = await site.get(
      `/resources?${query}&filter[id][gt]=60&filter[id][lte]=${deepest}&limit=100&sort=-id`,
    );
    const data = body['data'] as Shown[];
    expect(data).toHaveLength(100);
    for (const { id, ancestors } of data) {
      expect([id, ancestors.map((one) => one.id)]).toEqual([id, from(id - 50, id - 1)]);
    }
    expect(body['meta']).toMatchObject({ truncated: { ancestors: from(61, 160).reverse() } });
    const some = await site.get(`/resources?${query}&ids=52,51,160`);
    expect(some.body['meta']).toMatchObject({ truncated: { ancestors: [52, 160] } });
  });

  it('are the same below another relation', async () => {
    const path =
      '/resources/159?fields=id&include=children.ancestors&fields[children]=id&fields[children.ancestors]=id';
    const got = await site.get(path);
    expect(dataOf(got)['children']).toEqual([{ id: 160, ancestors: from(110, 159).map((id) => ({ id })) }]);
    expect(got.body['meta']).toEqual({ truncated: { 'children.ancestors': [160] } });
  });

  it.each([
    [201, [203, 202]],
    [202, [201, 203]],
    [204, [203, 202, 201]],
    [205, []],
    [206, [205]],
    [301, from(302, 351)],
    [401, []],
    [404, [402]],
  ])('end where the tree does, at a circle and where no parent is: %i', async (id, above) => {
    expect(await single(id)).toEqual({ above, meta: {} });
  });

  it('of a circle are the same in a list', async () => {
    const { body } = await site.get(`/resources?${query}&ids=201,202,203,204,205,206,301,360`);
    const above = (body['data'] as Shown[]).map(({ ancestors }) => ancestors.map(({ id }) => id));
    expect(above.slice(0, 6)).toEqual([[203, 202], [201, 203], [202, 201], [203, 202, 201], [], [205]]);
    expect(above.slice(6)).toEqual([from(302, 351), from(302, 351)]);
    expect(body['meta']).toMatchObject({ truncated: { ancestors: [360] } });
  });
});
