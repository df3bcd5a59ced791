/** The life of records of extra objects over HTTP: keys made by the database or by callers, references, visibility. */
import { beforeAll, expect, test } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import type { Got, TestSite } from '../../support/site.js';
import { dataOf, startWritingSite } from './writing-site.js';

describeEachDatabase('extra objects', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startWritingSite(database);
  });

  const create = (name: string, body: object, query = ''): Promise<Got> =>
    site.get(`/objects/${name}${query}`, { as: 'shop', method: 'POST', body });
  const change = (path: string, body: object, method = 'PATCH'): Promise<Got> =>
    site.get(`/objects/${path}`, { as: 'shop', method, body });
  const errorsOf = ({ status, body }: Got) => [status, body['errors']];

  test('takes JSON of as many levels as a body may have', async () => {
    const levels = (count: number): unknown => (count === 1 ? [] : [levels(count - 1)]);
    for (const count of [31, 60, 63]) {
      const made = await create('goods', { title: `Deep ${count}`, data: levels(count) });
      expect([made.status, dataOf(made)['data']]).toEqual([201, levels(count)]);
    }
    expect((await create('goods', { title: 'Too deep', data: levels(64) })).status).toBe(422);
  });

  test('are created, read, changed and removed', async () => {
    await create('makers', { code: 'acme', title: 'Acme' });
    const data = { sizes: [1, 2, { wide: null }] };
    const sent = {
      ...{ title: 'Anvil', price: '12.50', stock: '7', maker: 'acme', active: 'false', data },
      ...{ added: '2026-01-02T03:04:05+02:00', sold: 1_767_323_045 },
    };
    const made = await create('goods', sent, '?include=maker');
    const { id } = dataOf(made);
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/v1/objects/goods/${id}`]);
    const record = {
      ...{ id, title: 'Anvil', price: 12.5, stock: 7, maker: 'acme', active: false, data },
      ...{ added: '2026-01-02T01:04:05Z', sold: '2026-01-02T03:04:05Z', image: null, shelf: null, place: null },
    };
    expect(made.body).toEqual({ data: { ...record, maker: { code: 'acme', title: 'Acme' } }, meta: {} });
    const read = await site.get(`/objects/goods/${id}`, { as: 'shop' });
    expect([read.body, read.headers.get('etag')]).toEqual([{ data: record, meta: {} }, made.headers.get('etag')]);
    const changed = await change(`goods/${id}`, { data: null, sold: null, added: null, maker: null, price: -1e-1 });
    const after = { ...record, data: null, sold: null, added: null, maker: null, price: -0.1 };
    expect([changed.status, changed.body]).toEqual([200, { data: after, meta: {} }]);
    expect((await change(`goods/${id}`, {})).body).toEqual({ data: after, meta: {} });
    expect(errorsOf(await change(`goods/${id}`, { stock: 1 }, 'PUT'))).toEqual([422, { title: ['is required'] }]);
    const removed = await site.get(`/objects/goods/${id}`, { as: 'shop', method: 'DELETE' });
    expect([removed.status, removed.body]).toEqual([200, { data: { id, deleted: true, permanent: true }, meta: {} }]);
    for (const method of ['GET', 'DELETE']) {
      expect((await site.get(`/objects/goods/${id}`, { as: 'shop', method })).status).toBe(404);
    }
    expect((await change(`goods/${id}`, { stock: 1 })).status).toBe(404);
  });

  test('take their key from the caller where the database does not count', async () => {
    const code = 'ä b/ö?';
    const made = await create('makers', { code, title: 'Odd' });
    const path = `/objects/makers/${encodeURIComponent(code)}`;
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/v1${path}`]);
    expect(dataOf(await site.get(path, { as: 'shop' }))).toEqual({ code, title: 'Odd', founded: null, history: '' });
    expect(errorsOf(await create('makers', { title: 'No code' }))).toEqual([422, { code: ['is required'] }]);
    const taken = { code: ['is taken by another record'] };
    expect(errorsOf(await create('makers', { code, title: 'Again' }))).toEqual([422, taken]);
    // The key names the record: it may be repeated, never changed.
    expect((await change(`makers/${encodeURIComponent(code)}`, { code, founded: 1900 })).status).toBe(200);
    const other = await change(`makers/${encodeURIComponent(code)}`, { code: 'other' });
    expect(errorsOf(other)).toEqual([422, { code: ['cannot be changed'] }]);
    const removed = await site.get(path, { as: 'shop', method: 'DELETE' });
    expect(removed.body).toEqual({ data: { id: code, deleted: true, permanent: true }, meta: {} });
  });

  test('refuse values that another record has, by field', async () => {
    await create('makers', { code: 'one', title: 'Only' });
    await create('makers', { code: 'two', title: 'Other' });
    const taken = [422, { title: ['is taken by another record'] }];
    expect(errorsOf(await create('makers', { code: 'three', title: 'Only' }))).toEqual(taken);
    expect(errorsOf(await change('makers/two', { title: 'Only' }))).toEqual(taken);
    expect((await change('makers/one', { title: 'Only' })).status).toBe(200);
    await create('goods', { title: 'a', shelf: 1, place: 1 });
    const second = await create('goods', { title: 'b', shelf: 1, place: 2 });
    const together = [422, { shelf: ['is taken by another record together with place'] }];
    expect(errorsOf(await create('goods', { title: 'c', shelf: 1, place: 1 }))).toEqual(together);
    expect(errorsOf(await change(`goods/${dataOf(second)['id']}`, { place: 1 }))).toEqual(together);
  });

  test('refuse references to nothing', async () => {
    const nothing = { maker: ['there is no record of makers with the code nobody'] };
    expect(errorsOf(await create('goods', { title: 'x', maker: 'nobody' }))).toEqual([422, nothing]);
    const { id } = dataOf(await create('goods', { title: 'x', maker: '' }));
    expect(errorsOf(await change(`goods/${id}`, { maker: 'nobody' }))).toEqual([422, nothing]);
    // One that dangles already may stay.
    await create('makers', { code: 'short', title: 'Short-lived' });
    expect((await change(`goods/${id}`, { maker: 'short' })).status).toBe(200);
    await site.get('/objects/makers/short', { as: 'shop', method: 'DELETE' });
    expect((await change(`goods/${id}`, { maker: 'short', stock: 3 })).status).toBe(200);
    // Text refers exactly, whatever the collation.
    await create('makers', { code: 'exact', title: 'Exact' });
    expect((await change(`goods/${id}`, { maker: 'EXACT' })).status).toBe(422);
  });

  test('name every problem at once, and hide what is hidden', async () => {
    const refused = await create('goods', {
      ...{ id: 5, secret: 'x', sekret: 'x', titel: 'x', cost: 1, stock: 'many', price: true },
      ...{ active: 'yes', added: 'today', data: 1, maker: [] },
    });
    expect([refused.body['detail'], ...errorsOf(refused)]).toEqual([
      'Field not writable',
      422,
      {
        id: ['cannot be written'],
        secret: ['is not a field'],
        sekret: ['is not a field'],
        titel: ['is not a field; did you mean title?'],
        cost: ['needs the scope fields.cost'],
        stock: [expect.stringContaining('must be an integer')],
        price: ['must be a number'],
        active: ['must be one of: true, false, 0, 1, "0", "1", "true", "false"'],
        added: [expect.stringContaining('must be ISO 8601 with an offset')],
        maker: ['must be a text or a number'],
        title: ['is required'],
      },
    ]);
  });

  test.each([null, '', ' ', false, [], {}])('never lose a required field to %j', async (title) => {
    const { id } = dataOf(await create('goods', { title: 'Kept' }));
    for (const method of ['PUT', 'PATCH']) {
      const problem = 'is required and cannot be cleared; it must be a text or a number';
      expect(errorsOf(await change(`goods/${id}`, { title }, method))).toEqual([422, { title: [problem] }]);
    }
  });

  test('with a mark of deletion go softly unless forced, and come back', async () => {
    const { id } = dataOf(await create('notes', { title: 'Soft', rating: 1, published: true }));
    const remove = (query = '') => site.get(`/objects/notes/${id}${query}`, { as: 'shop', method: 'DELETE' });
    expect((await remove()).body).toEqual({ data: { id, deleted: true, permanent: false }, meta: {} });
    expect((await site.get(`/objects/notes/${id}`, { as: 'shop' })).status).toBe(404);
    expect((await remove()).status).toBe(404);
    expect(dataOf(await change(`notes/${id}`, { deleted: '0' }))).toMatchObject({ deleted: false });
    expect((await site.get(`/objects/notes/${id}`, { as: 'shop' })).status).toBe(200);
    await remove();
    expect((await remove('?force=on')).body).toEqual({ data: { id, deleted: true, permanent: true }, meta: {} });
    expect((await change(`notes/${id}`, { deleted: 0 })).status).toBe(404);
  });

  test('demand what their table demands', async () => {
    expect(errorsOf(await create('notes', { title: 'No rating' }))).toEqual([422, { rating: ['is required'] }]);
  });

  test('with a context stay in those that the caller may use', async () => {
    const note = { title: 'Placed', rating: 1, published: true };
    expect(dataOf(await create('notes', note))).toMatchObject({ context_key: 'web' });
    const nowhere = await create('notes', { ...note, context_key: 'nowhere' });
    const errors = { context_key: ['must be one of: web'] };
    expect(nowhere.body).toMatchObject({ status: 422, detail: 'Invalid context', errors });
    expect((await create('notes', { ...note, context_key: 'en' })).status).toBe(403);
    const english = await site.get('/objects/notes?context=en', { as: 'all', method: 'POST', body: note });
    const { id } = dataOf(english);
    expect(dataOf(english)).toMatchObject({ context_key: 'en' });
    expect((await change(`notes/${id}`, { rating: 2 })).status).toBe(403);
    expect((await site.get(`/objects/notes/${id}`, { as: 'shop', method: 'DELETE' })).status).toBe(403);
    const moved = await site.get(`/objects/notes/${id}`, { as: 'all', method: 'PATCH', body: { context_key: 'web' } });
    expect(dataOf(moved)).toMatchObject({ context_key: 'web' });
    expect((await change(`notes/${id}`, { rating: 2 })).status).toBe(200);
  });

  test('that are not writable refuse every caller before they look at anything', async () => {
    const one = ['PUT', 'PATCH', 'DELETE'].map((method) => [method, '/objects/frozen/acme']);
    const asked = [
      ['POST', '/objects/frozen'],
      ...one,
      ['POST', '/objects/chunks'],
      ['DELETE', '/objects/templates/1'],
    ];
    for (const [method = '', path = ''] of asked) {
      const wrong = method === 'DELETE' ? {} : { body: '{', headers: { 'content-type': 'application/json' } };
      const refused = await site.get(path, { as: 'all', method, ...wrong });
      expect([path, refused.status, refused.body['code']]).toEqual([path, 403, 'scope_denied']);
    }
  });
});
