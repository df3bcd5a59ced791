/**
 * If-Match over HTTP (docs/writing.md#two-editors-at-once): the tag of a read without parameters, checked on the row
 * that is changed.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import type { Got, TestSite } from '../../support/site.js';
import { dataOf, startWritingSite } from './writing-site.js';

describeEachDatabase('If-Match', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startWritingSite(database);
  });

  describe.each([
    ['resources', '/resources', { pagetitle: 'Guarded', published: true }, { pagetitle: 'Changed' }],
    ['extra objects', '/objects/goods', { title: 'Guarded' }, { title: 'Changed' }],
  ])('of %s', (_name, route, fields, edit) => {
    const send = (path: string, method: string, ifMatch: string, body?: object): Promise<Got> =>
      site.get(path, { as: 'all', method, headers: { 'If-Match': ifMatch }, ...(body ? { body } : {}) });

    let made = 0;

    async function make(): Promise<{ path: string; tag: string }> {
      made += 1;
      // No two resources have one address.
      const body = { ...fields, ...('pagetitle' in fields ? { alias: `guarded-${made}` } : {}) };
      const answer = await site.get(route, { as: 'all', method: 'POST', body });
      expect(answer.status).toBe(201);
      return { path: `${route}/${dataOf(answer)['id']}`, tag: answer.headers.get('etag') ?? '' };
    }

    test('lets the first of two changes through', async () => {
      const { path, tag } = await make();
      expect((await site.get(path, { as: 'all' })).headers.get('etag')).toBe(tag);
      const first = await send(path, 'PATCH', tag, edit);
      expect(first.status).toBe(200);
      const second = await send(path, 'PATCH', tag, { ...edit });
      expect(second.body).toMatchObject({ status: 412, code: 'precondition_failed', instance: `/api/v1${path}` });
      expect(second.headers.get('etag')).toBeNull();
      const newTag = first.headers.get('etag') ?? '';
      expect((await send(path, 'PUT', newTag, edit)).status).toBe(200);
    });

    test.each([
      ['any', () => '*', 200],
      ['a list with it', (tag: string) => `"a", ${tag} ,"b"`, 200],
      ['the tag of its compressed form', (tag: string) => tag.replace(/"$/, '-br"'), 200],
      ['a list without it', () => '"a", "b"', 412],
      ['its weak form', (tag: string) => `W/${tag}`, 200],
      ['a list of weak forms', (tag: string) => `W/"other", W/${tag}`, 200],
      ['its weak compressed form', (tag: string) => `W/${tag.replace(/"$/, '-gzip"')}`, 200],
      ['another weak tag', () => 'W/"other"', 412],
      ['no list of tags', (tag: string) => tag.slice(1, -1), 412],
      ['nothing', () => '', 412],
    ])('understands %s', async (_form, headerOf, status) => {
      const { path, tag } = await make();
      expect((await send(path, 'PATCH', headerOf(tag), edit)).status).toBe(status);
      expect(
        (await send(path, 'DELETE', headerOf((await site.get(path, { as: 'all' })).headers.get('etag') ?? ''))).status,
      ).toBe(status);
    });

    test('comes after the search for the record and before the look at the body', async () => {
      const { path } = await make();
      expect((await send(`${route}/9999`, 'PATCH', '"x"', edit)).status).toBe(404);
      expect((await send(`${route}/9999`, 'DELETE', '*')).status).toBe(404);
      expect((await send(path, 'PATCH', '"x"', { nothing: 1 })).status).toBe(412);
      expect((await send(path, 'PATCH', '*', { nothing: 1 })).status).toBe(422);
    });

    test('lets one of many through that change at once', async () => {
      const { path, tag } = await make();
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(path, 'PATCH', tag, edit)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
    });
  });

  test('lets one of many through that change template variables alone, within one second', async () => {
    const body = { pagetitle: 'Moody', template: 1 };
    const made = await site.get('/resources', { as: 'all', method: 'POST', body });
    const path = `/resources/${dataOf(made)['id']}`;
    const set = (mood: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> =>
      site.get(`${path}?include_tv=1`, { as: 'all', method: 'PATCH', headers, body: { tvs: { mood } } });
    const seen = new Set([made.headers.get('etag')]);
    for (let round = 0; round < 5; round += 1) {
      const current = await set(`round ${round}`);
      const tag = current.headers.get('etag') ?? '';
      expect(seen).not.toContain(tag);
      seen.add(tag);
      const rivals = await Promise.all(['a', 'b', 'c'].map((mood) => set(mood, { 'If-Match': tag })));
      expect(rivals.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
      const [winner] = rivals.filter(({ status }) => status === 200);
      expect(winner?.body).toEqual((await site.get(`${path}?preview=1&include_tv=1`, { as: 'all' })).body);
    }
  });

  test('belongs to the credential: another one sees other fields', async () => {
    const made = await site.get('/objects/goods', { as: 'all', method: 'POST', body: { title: 'Two views', cost: 5 } });
    const path = `/objects/goods/${dataOf(made)['id']}`;
    const shop = await site.get(path, { as: 'shop' });
    expect(dataOf(shop)).not.toHaveProperty('cost');
    const headers = { 'If-Match': shop.headers.get('etag') ?? '' };
    const body = { stock: 1 };
    expect((await site.get(path, { as: 'all', method: 'PATCH', headers, body })).status).toBe(412);
    expect((await site.get(path, { as: 'shop', method: 'PATCH', headers, body })).status).toBe(200);
  });
});
