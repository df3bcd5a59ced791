/** Extra objects over HTTP: tables of a real site's shop, registered by files and a plugin, without any code. */
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const examples = join(import.meta.dirname, '../../../examples');

describeWithFixture('extra objects of a shop', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await loadFixture(),
      objects: { folder: join(examples, 'objects'), plugins: [join(examples, 'plugins/shop-relations.mjs')] },
      identities: {
        all: { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null },
        products: { kind: 'api_key', id: 'p', scopes: new Set(['products.read']), userId: null },
        resources: { kind: 'api_key', id: 'r', scopes: new Set(['resources.read']), userId: null },
      },
    });
  });

  it('are listed with types of their columns', async () => {
    const got = await site.get('/objects/products?limit=1&sort=id', { as: 'products' });
    expect(got.status).toBe(200);
    expect(got.body['meta']).toMatchObject({ total: 417, count: 1, has_more: true });
    const [product] = got.body['data'] as Record<string, unknown>[];
    expect(product).toMatchObject({ id: expect.any(Number), price: expect.any(Number), is_new: expect.any(Boolean) });
  });

  it('are filtered, sorted and read one by one', async () => {
    const list = await site.get('/objects/products?filter[price][gt]=0&sort=-price&limit=5&fields=id,price', {
      as: 'all',
    });
    const products = list.body['data'] as { id: number; price: number }[];
    expect(products.map(({ price }) => price)).toEqual(products.map(({ price }) => price).sort((a, b) => b - a));
    const one = await site.get(`/objects/products/${products[0]?.id}?fields=id,price`, { as: 'all' });
    expect(one.body).toEqual({ data: products[0], meta: {} });
  });

  it('join resources in both directions', async () => {
    const product = await site.get('/objects/products?limit=1&include=resource&fields=id', { as: 'all' });
    const [{ id, resource }] = product.body['data'] as [{ id: number; resource: { id: number } }];
    expect(resource.id).toBe(id);
    const back = await site.get(`/resources/${id}?fields=id&include=product`, { as: 'all' });
    expect(back.body['data']).toMatchObject({ id, product: { id } });
  });

  it('are closed to callers without their scope', async () => {
    expect((await site.get('/objects/products')).body).toMatchObject({ status: 401, code: 'token_required' });
    expect((await site.get('/objects/products', { as: 'resources' })).body).toMatchObject({
      status: 403,
      code: 'scope_denied',
    });
    expect((await site.get('/objects/nothing')).body).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('stand in the schema and in the OpenAPI document', async () => {
    const schema = await site.get('/schema');
    const { objects } = schema.body['data'] as { objects: Record<string, { relations: { name: string }[] }> };
    expect(schema.body['meta']).toEqual({ count: Object.keys(objects).length });
    expect(Object.keys(objects)).toEqual(expect.arrayContaining(['products', 'vendors']));
    expect(objects['resources']?.relations.map(({ name }) => name)).toContain('product');
    const paths = Object.keys((await site.get('/meta/openapi.json')).body['paths'] as object);
    expect(paths).toEqual(expect.arrayContaining(['/objects/products', '/objects/products/{id}']));
  });
});
