/**
 * Writing to the database of an existing site, with the program's own tables in another one: pages by the CMS's rules,
 * records of the site's shop by their definitions.
 */
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { freshSqliteUrl } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { type Got, startTestSite, type TestSite } from '../../support/site.js';
import { dataOf, key } from './writing-site.js';

const examples = join(import.meta.dirname, '../../../examples');

describeWithFixture('writing to an attached site', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await loadFixture(),
      ownDatabaseUrl: await freshSqliteUrl(),
      objects: { folder: join(examples, 'objects'), plugins: [join(examples, 'plugins/shop-relations.mjs')] },
      identities: { all: key('*') },
    });
  });

  const send = (path: string, method: string, body?: object): Promise<Got> =>
    site.get(path, { as: 'all', method, ...(body ? { body } : {}) });

  it('keeps slashes in aliases and URIs, as the CMS does', async () => {
    const made = await send('/resources', 'POST', { pagetitle: 'A/B test', uri: '/a//b', uri_override: true });
    expect(dataOf(made)).toMatchObject({ alias: 'a/b-test', uri: '/a//b' });
    await send(`/resources/${dataOf(made)['id']}?force=1`, 'DELETE');
  });

  it('creates, changes and removes a page among those of the site', async () => {
    const list = await site.get('/resources?filter[isfolder]=1&filter[parent]=0&limit=1&fields=id,uri');
    const [parent] = list.body['data'] as [{ id: number; uri: string }];
    const body = { pagetitle: 'Ein Gruß aus Köln', parent: parent.id, published: true };
    const made = await send('/resources?include=parent', 'POST', body);
    expect([made.status, dataOf(made)['parent']]).toEqual([201, expect.objectContaining({ id: parent.id })]);
    const { id, uri } = dataOf(made);
    // As for its other pages: the parent leaves its alias out of the addresses below it, and letters stay.
    expect(uri).toBe('ein-gruß-aus-köln.html');
    expect((await site.get(`/pages/${uri}`)).status).toBe(200);
    const changed = await send(`/resources/${id}`, 'PATCH', { alias: 'gruss', content: 'x'.repeat(70_000) });
    expect([changed.status, dataOf(changed)['uri']]).toEqual([200, expect.stringMatching(/gruss(\.html|\/)?$/)]);
    expect((await site.get(`/pages/${uri}`)).status).toBe(404);
    expect((await send(`/resources/${id}`, 'DELETE')).status).toBe(200);
    const removed = await send(`/resources/${id}?force=1`, 'DELETE');
    expect(dataOf(removed)).toEqual({ id, deleted: true, permanent: true });
  });

  it('changes a product of the shop and leaves the rest of it as it is', async () => {
    const list = await site.get('/objects/products?limit=1&sort=id', { as: 'all' });
    const [before] = list.body['data'] as [Record<string, unknown>];
    const body = { price: 12.75, tags: ['new', 'ü'], popular: 1 };
    const changed = await send(`/objects/products/${before['id']}`, 'PATCH', body);
    const after = { ...before, price: 12.75, tags: ['new', 'ü'], popular: true };
    expect([changed.status, dataOf(changed)]).toEqual([200, after]);
    const read = await site.get(`/objects/products/${before['id']}`, { as: 'all' });
    expect([read.body, read.headers.get('etag')]).toEqual([changed.body, changed.headers.get('etag')]);
    const unfit = { vendor: 999_999, stock: 2 ** 40, article: 'x'.repeat(51) };
    const wrong = await send(`/objects/products/${before['id']}`, 'PATCH', unfit);
    const stock = [expect.stringMatching(/^must be an integer from -?\d+ to \d+$/)];
    const errors = { stock, article: ['must be at most 50 characters'] };
    expect([wrong.status, wrong.body['errors']]).toEqual([422, errors]);
    expect((await send(`/objects/products/${before['id']}`, 'DELETE')).status).toBe(403);
    expect((await send('/objects/products', 'POST', { article: 'x' })).status).toBe(403);
  });

  it('creates and removes a vendor', async () => {
    const vendor = { name: 'Neu & Söhne', country: 'DE', email: 'a@example.com' };
    const made = await send('/objects/vendors', 'POST', vendor);
    expect([made.status, dataOf(made)]).toMatchObject([201, { id: expect.any(Number), ...vendor }]);
    const { id } = dataOf(made);
    const removed = await send(`/objects/vendors/${id}`, 'DELETE');
    expect(dataOf(removed)).toEqual({ id, deleted: true, permanent: true });
    expect((await send(`/objects/vendors/${id}`, 'PATCH', { name: 'x' })).status).toBe(404);
  });

  it('answers characters that old tables cannot hold with a refusal', async () => {
    const made = await send('/objects/vendors', 'POST', { name: 'Mit \u{1F600}' });
    expect([201, 422]).toContain(made.status);
    expect(site.log.filter((fact) => fact.kind === 'request_finished' && fact.status >= 500)).toEqual([]);
  });
});
