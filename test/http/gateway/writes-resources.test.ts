/** The life of resources over HTTP: created, changed, removed and restored, with everything that an answer carries. */
import { beforeAll, expect, test } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import type { Got, TestSite } from '../../support/site.js';
import { dataOf, startWritingSite } from './writing-site.js';

describeEachDatabase('resources', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startWritingSite(database);
  });

  const create = (body: object, query = '', as = 'editor'): Promise<Got> =>
    site.get(`/resources${query}`, { as, method: 'POST', body });
  const change = (id: unknown, body: object, as = 'editor'): Promise<Got> =>
    site.get(`/resources/${id}`, { as, method: 'PATCH', body });
  const remove = (id: unknown, query = ''): Promise<Got> =>
    site.get(`/resources/${id}${query}`, { as: 'editor', method: 'DELETE' });
  const count = async (where: string): Promise<number> => {
    const sql = `SELECT COUNT(*) FROM modx_site_content WHERE ${where}`;
    const rows = await site.store.content.primary.select({ sql, params: [] });
    return Number(rows[0]?.[0]);
  };

  test('are created with an address, a tag and all readable fields', async () => {
    const made = await create({ pagetitle: 'A new page', parent: 2, published: true });
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'private, no-store, no-transform']);
    const { id } = dataOf(made);
    expect(made.headers.get('location')).toBe(`/api/v1/resources/${id}`);
    const read = await site.get(`/resources/${id}`, { as: 'editor' });
    expect(read.body).toEqual(made.body);
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
    expect(made.body['meta']).toEqual({});
    expect(dataOf(made)).toMatchObject({ pagetitle: 'A new page', alias: 'a-new-page', parent: 2, context_key: 'web' });
    expect(Object.keys(dataOf(made))).not.toContain('createdby');
  });

  test('show protected fields to callers who hold their scope', async () => {
    const made = await create({ pagetitle: 'With an author', publishedby: 7, published: true }, '', 'all');
    expect(dataOf(made)).toMatchObject({ publishedby: 7, createdby: 0 });
    const again = await site.get(`/resources/${dataOf(made)['id']}`, { as: 'all' });
    expect([again.body, again.headers.get('etag')]).toEqual([made.body, made.headers.get('etag')]);
  });

  test('show relations and template variables when the query asks, and never fewer fields', async () => {
    const body = { pagetitle: 'Shaped', parent: 2, template: 1, published: true, tvs: { mood: 'glad', size: 3 } };
    const made = await create(body, '?include=parent,tvs&fields=id');
    const { id } = dataOf(made);
    expect(dataOf(made)).toMatchObject({ parent: { id: 2, pagetitle: 'About' }, tvs: { mood: 'glad', size: '3' } });
    expect(dataOf(made)).toHaveProperty('longtitle', '');
    const changed = await change(`${id}?include=tvs`, { tvs: { mood: null, size: true }, published: 'true' });
    expect(dataOf(changed)['tvs']).toEqual({ mood: '', size: '1' });
    // The tag is the one of a read without parameters.
    const read = await site.get(`/resources/${id}`, { as: 'editor' });
    expect(changed.headers.get('etag')).toBe(read.headers.get('etag'));
    expect(dataOf(read)).not.toHaveProperty('tvs');
  });

  test.each(['preview=1', 'include_deleted=1', 'filter[published]=0'])(
    'show no drafts among their relations, whatever the query asks (%s)',
    async (query) => {
      const holder = dataOf(await create({ pagetitle: `Holder ${query}`, published: true }))['id'];
      const shown = await create({ pagetitle: 'Shown', parent: holder, published: true });
      for (const published of [true, false]) {
        const hidden = await create({ pagetitle: `Hidden ${published}`, parent: holder, published });
        if (published) expect((await remove(dataOf(hidden)['id'])).status).toBe(200);
      }
      const seen = await change(`${holder}?include=children&${query}`, {}, 'updater');
      expect(dataOf(seen)['children']).toMatchObject([{ id: dataOf(shown)['id'] }]);
    },
  );

  test('refuse an impossible include before anything is written', async () => {
    const before = await count('1 = 1');
    const made = await create({ pagetitle: 'Never' }, '?include=nothing');
    const problem = 'nothing is not a relation; relations: parent, children, ancestors, translations, tvs';
    expect([made.status, made.body['errors']]).toEqual([422, { include: [problem] }]);
    expect(await count('1 = 1')).toBe(before);
  });

  test('change by PATCH what is given, by PUT with the required fields', async () => {
    const { id } = dataOf(await create({ pagetitle: 'First', longtitle: 'Stays', published: true }));
    const patched = await change(id, { menutitle: 'Menu' });
    expect(patched.status).toBe(200);
    const kept = { pagetitle: 'First', longtitle: 'Stays', menutitle: 'Menu' };
    expect(dataOf(patched)).toMatchObject({ ...kept, editedon: expect.any(String) });
    const without = await site.get(`/resources/${id}`, { as: 'editor', method: 'PUT', body: { menutitle: 'x' } });
    expect([without.status, without.body['errors']]).toEqual([422, { pagetitle: ['is required'] }]);
    const put = await site.get(`/resources/${id}`, { as: 'editor', method: 'PUT', body: { pagetitle: 'Second' } });
    expect(dataOf(put)).toMatchObject({ ...kept, pagetitle: 'Second' });
  });

  test('take an empty change, and an absent body as one', async () => {
    const before = dataOf(await change(3, {}));
    const absent = await site.get('/resources/3', { as: 'editor', method: 'PATCH' });
    expect(absent.status).toBe(200);
    expect({ ...dataOf(absent), editedon: null }).toEqual({ ...before, editedon: null });
    for (const [path, method] of [
      ['/resources', 'POST'],
      ['/resources/3', 'PUT'],
    ] as const) {
      const refused = await site.get(path, { as: 'editor', method });
      expect([refused.status, refused.body['errors']]).toEqual([422, { pagetitle: ['is required'] }]);
    }
  });

  test('are marked as deleted with their branch, restored with it, and removed permanently', async () => {
    const { id } = dataOf(await create({ pagetitle: 'Branch', published: true }));
    const child = dataOf(await create({ pagetitle: 'Leaf', parent: id, published: true }))['id'];
    const removed = await remove(id);
    const text = `{"data":{"id":${id},"deleted":true,"permanent":false},"meta":{}}`;
    expect([removed.status, removed.text]).toEqual([200, text]);
    expect((await site.get(`/resources/${child}`, { as: 'reader' })).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    const restored = await change(id, { deleted: 0 });
    expect(dataOf(restored)).toMatchObject({ deleted: false, deletedon: null });
    expect((await site.get(`/resources/${child}`, { as: 'reader' })).status).toBe(200);
    const gone = await remove(id, '?force=1');
    expect(gone.body).toEqual({ data: { id, deleted: true, permanent: true }, meta: {} });
    expect(await count(`id = ${id}`)).toBe(0);
    expect(await count(`id = ${child}`)).toBe(1);
    expect((await remove(id, '?force=1')).status).toBe(404);
  });

  test('take the mark of deletion only with the right to delete', async () => {
    const { id } = dataOf(await create({ pagetitle: 'Marked', published: true }));
    const refused = await change(id, { deleted: true }, 'updater');
    const detail = 'Insufficient permissions: to set deleted this request needs the scope resources.delete';
    expect([refused.status, refused.body]).toMatchObject([403, { detail }]);
    expect(dataOf(await change(id, { deleted: true }))).toMatchObject({ deleted: true });
    expect((await change(id, { deleted: false }, 'updater')).status).toBe(200);
  });

  test('cannot lose a page that the site needs', async () => {
    const refused = await remove(1);
    expect([refused.status, refused.body['code']]).toEqual([409, 'conflict']);
  });

  test('go into the context of the request or of the body', async () => {
    const all = (query: string, body: object) => create(body, query, 'all');
    expect(dataOf(await all('?context=en', { pagetitle: 'One' }))).toMatchObject({ context_key: 'en' });
    expect(dataOf(await all('', { pagetitle: 'Two', context_key: 'en' }))).toMatchObject({ context_key: 'en' });
    const headers = { 'X-Context': 'en' };
    const byHeader = await site.get('/resources', { as: 'all', method: 'POST', body: { pagetitle: 'Three' }, headers });
    const { id } = dataOf(byHeader);
    expect(dataOf(byHeader)).toMatchObject({ context_key: 'en' });
    // A change finds its record in whatever context, a read only in its own.
    expect((await change(id, { published: true }, 'all')).status).toBe(200);
    expect((await site.get(`/resources/${id}`, { as: 'all' })).status).toBe(404);
    expect((await change(id, { pagetitle: 'No' })).status).toBe(403);
    for (const [query, body] of [
      ['?context=closed', { pagetitle: 'x' }],
      ['?context=nowhere', { pagetitle: 'x' }],
      ['', { pagetitle: 'x', context_key: 'nowhere' }],
    ] as const) {
      const refused = await all(query, body);
      expect([query, refused.status, refused.body['detail']]).toEqual([query, 422, 'Invalid context']);
    }
    const closed = await site.get('/resources?context=en', { as: 'editor', method: 'POST', body: { pagetitle: 1 } });
    expect([closed.status, closed.body['code']]).toEqual([403, 'scope_denied']);
  });

  test('are the same under /objects/resources', async () => {
    const made = await site.get('/objects/resources', { as: 'editor', method: 'POST', body: { pagetitle: 'Twin' } });
    const { id } = dataOf(made);
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/v1/objects/resources/${id}`]);
    const patch = { as: 'editor', method: 'PATCH', body: { published: 1 } };
    const changed = await site.get(`/objects/resources/${id}`, patch);
    expect(dataOf(changed)).toMatchObject({ id, published: true, publishedon: expect.any(String) });
    const gone = await site.get(`/objects/resources/${id}?force=true`, { as: 'editor', method: 'DELETE' });
    expect(gone.body).toEqual({ data: { id, deleted: true, permanent: true }, meta: {} });
  });
});
