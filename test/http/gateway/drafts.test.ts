/**
 * What is not published is shown to callers with preview rights only, whichever way they take: lists, single reads, pages
 * by URI, relations, totals, answers to writes, entity tags, repeated requests.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { type Row, seed } from '../../support/seed.js';
import type { Got, TestSite } from '../../support/site.js';
import { dataOf, key, startWritingSite } from './writing-site.js';

/** Stands in the texts of drafts alone. */
const secret = 'zqdraft';

const writing = ['resources.create', 'resources.update', 'resources.delete'];
const identities = {
  writer: key('resources.read', ...writing),
  previewer: key('resources.read', 'preview', ...writing),
  blind: key(...writing),
  deleter: key('resources.read', 'resources.delete'),
  notes: key('notes.read', 'notes.create', 'notes.update'),
  // One caller before and after a change of rights.
  before: { ...key('resources.read', 'preview', ...writing), id: 'same' },
  after: { ...key('resources.read', ...writing), id: 'same' },
};
const withoutPreview = ['writer', 'blind', 'deleter', 'after', undefined] as const;

interface Node {
  readonly parent: number;
  readonly published: boolean;
  readonly deleted: boolean;
  readonly context: 'web' | 'en';
}

const context = fc.constantFrom('web' as const, 'web' as const, 'web' as const, 'en' as const);
const node = fc.record<Node>({ parent: fc.nat(12), published: fc.boolean(), deleted: fc.boolean(), context });
const trees = fc.array(node, { minLength: 3, maxLength: 12 });

let next = 1000;

/** Rows of a tree with new ids; each hangs below an earlier one or at the top. */
function rowsOf(nodes: readonly Node[]): Row[] {
  const first = next;
  // New records get the ids after the last one.
  next += 1000;
  return nodes.map((node, index) => {
    const word = node.published ? 'shown' : secret;
    const id = first + index;
    const texts = ['pagetitle', 'longtitle', 'description', 'introtext', 'content', 'menutitle', 'link_attributes'];
    const words = Object.fromEntries(texts.map((name) => [name, `${word} ${name}`]));
    return {
      ...{ id, ...words, alias: `p${id}`, uri: `p${id}.html`, context_key: node.context },
      parent: node.parent < index ? first + node.parent : 0,
      ...{ published: node.published ? 1 : 0, deleted: node.deleted ? 1 : 0 },
    };
  });
}

const flags = fc.subarray(
  [
    ...['preview=true', 'include_deleted=1', 'includeDeleted=yes', 'filter[published]=0', 'filter[deleted]=1', 'q=zqd'],
    ...['sort=-publishedon', 'limit=2', 'context=en', 'include=parent,children', 'include=children.children,tvs'],
  ].sort(),
  { maxLength: 4 },
);

/** Nothing here publishes a draft. */
const bodies = fc.constantFrom<object>(
  ...[{}, { menuindex: 3 }, { alias: '' }, { alias: '!!!' }, { uri: '' }, { deleted: false }, { deleted: true }],
  ...[{ parent: 0 }, { pagetitle: 'New title' }, { nothing: 1 }, { hidemenu: 1, longtitle: 'x' }],
  { template: 1, tvs: { mood: 'glad' } },
);

const requests = fc.array(
  fc.record({
    method: fc.constantFrom('GET', 'GET', 'LIST', 'PAGE', 'PATCH', 'PATCH', 'PUT', 'POST', 'DELETE'),
    at: fc.nat(11),
    flags,
    body: bodies,
    as: fc.constantFrom(...withoutPreview),
    ifMatch: fc.constantFrom(undefined, undefined, '*', '"guess"'),
  }),
  { minLength: 8, maxLength: 12 },
);

describeEachDatabase('drafts', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startWritingSite(database, { identities });
    await seed(site.store, {
      site_content: [
        { id: 10, pagetitle: 'Holder', alias: 'holder', uri: 'holder.html' },
        { id: 11, pagetitle: `${secret} page`, alias: 'draft', uri: 'draft.html', parent: 10, published: 0 },
        { id: 12, pagetitle: 'Gone', alias: 'gone', uri: 'gone.html', parent: 10, deleted: 1 },
        { id: 13, pagetitle: `${secret} gone`, alias: 'd', uri: 'd.html', parent: 10, published: 0, deleted: 1 },
      ],
    });
  });

  const patch = (id: number, body: unknown, as: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> =>
    site.get(`/resources/${id}`, { method: 'PATCH', as, body, headers });
  const ids = async (query: string, as: string): Promise<unknown> => {
    const { body } = await site.get(`/resources?filter[parent]=10&fields=id&${query}`, { as });
    return [body['data'], body['meta']];
  };

  it('are not among the deleted records without preview', async () => {
    const gone = [{ id: 12 }];
    expect(await ids('include_deleted=1', 'writer')).toMatchObject([gone, { total: 1 }]);
    expect(await ids('include_deleted=1', 'deleter')).toMatchObject([gone, { total: 1 }]);
    expect(await ids('include_deleted=1', 'previewer')).toMatchObject([gone, { total: 1 }]);
    const all = [{ id: 11 }, { id: 12 }, { id: 13 }];
    expect(await ids('include_deleted=1&preview=1', 'previewer')).toMatchObject([all, { total: 3 }]);
    expect((await site.get('/resources?include_deleted=1&preview=1', { as: 'writer' })).status).toBe(403);
    expect((await site.get('/resources/13?include_deleted=1', { as: 'writer' })).status).toBe(404);
  });

  it('are changed without being shown: the answer is the id and the written fields', async () => {
    const nothing = await patch(11, {}, 'writer');
    expect([nothing.status, nothing.body]).toEqual([200, { data: { id: 11 }, meta: {} }]);
    expect(nothing.headers.get('etag')).toBeNull();
    const some = await patch(11, { menuindex: '4', alias: '', publishedon: 1_700_000_000 }, 'writer');
    const written = { id: 11, alias: '', menuindex: 4, publishedon: '2023-11-14T22:13:20Z' };
    expect(some.body['data']).toEqual(written);
    const full = await patch(11, { alias: 'draft' }, 'previewer');
    expect(dataOf(full)).toMatchObject({ id: 11, pagetitle: `${secret} page`, alias: 'draft', menuindex: 4 });
    const read = await site.get('/resources/11?preview=1', { as: 'previewer' });
    expect(full.headers.get('etag')).toBe(read.headers.get('etag'));
  });

  it('are answered in full once they are published', async () => {
    expect(dataOf(await patch(11, { published: true }, 'writer'))).toHaveProperty('content');
    expect(dataOf(await patch(11, { published: false }, 'writer'))).toEqual({ id: 11, published: false });
  });

  it('are created without being shown', async () => {
    const body = { pagetitle: 'Mine', content: 'words', published: false };
    const made = await site.get('/resources', { method: 'POST', as: 'writer', body });
    const { id } = dataOf(made);
    expect([made.status, dataOf(made)]).toEqual([201, { id, ...body }]);
    expect(made.headers.get('location')).toBe(`/api/v1/resources/${id}`);
    expect(made.headers.get('etag')).toBeNull();
  });

  it('and published records alike are not shown to a key without the scope to read', async () => {
    const changed = await patch(10, { menuindex: 1 }, 'blind');
    expect([changed.status, changed.body]).toEqual([200, { data: { id: 10, menuindex: 1 }, meta: {} }]);
    expect(dataOf(await patch(10, { menuindex: 2 }, 'writer'))).toHaveProperty('pagetitle', 'Holder');
  });

  it('answer no guesses at their entity tag', async () => {
    const tag = (await patch(11, {}, 'previewer')).headers.get('etag') ?? '';
    const matched = async (as: string, header: string) => (await patch(11, {}, as, { 'if-match': header })).status;
    expect([await matched('writer', tag), await matched('writer', '*')]).toEqual([412, 200]);
    expect([await matched('previewer', '"guess"'), await matched('previewer', '*')]).toEqual([412, 200]);
    const now = (await patch(11, {}, 'previewer')).headers.get('etag') ?? '';
    const removal = { method: 'DELETE', headers: { 'if-match': now } };
    expect((await site.get('/resources/11', { ...removal, as: 'writer' })).status).toBe(412);
    expect((await patch(11, { nothing: 1 }, 'writer', { 'if-match': now })).status).toBe(412);
  });

  it('are restored without being shown', async () => {
    expect((await patch(13, { deleted: false }, 'writer')).body['data']).toEqual({ id: 13, deleted: false });
  });

  it('are not shown by the answer to an earlier request after the right to see them was lost', async () => {
    const post = { method: 'POST', headers: { 'idempotency-key': 'kept' } };
    const body = { pagetitle: 'Kept', alias: 'kept', published: false };
    const ask = (as: string) => site.get('/resources', { ...post, as, body });
    expect(dataOf(await ask('before'))).toHaveProperty('uri', 'kept.html');
    expect((await ask('before')).headers.get('idempotency-replayed')).toBe('true');
    expect((await ask('after')).status).toBe(409);
  });

  it('of extra objects are not shown either', async () => {
    const made = await site.get('/objects/notes', { method: 'POST', as: 'notes', body: { title: 'Note', rating: 2 } });
    const { id } = dataOf(made);
    expect(dataOf(made)).toEqual({ id, title: 'Note', rating: 2 });
    const change = (body: object) => site.get(`/objects/notes/${id}`, { method: 'PATCH', as: 'notes', body });
    expect(dataOf(await change({}))).toEqual({ id });
    expect(dataOf(await change({ published: true }))).toMatchObject({ id, title: 'Note', published: true });
  });

  it('do not show in the refusal of an address that they hold or lead to', async () => {
    await seed(site.store, {
      site_content: [
        { id: 40, pagetitle: `${secret} plan`, alias: 'secret-plan', uri: 'secret-plan/', isfolder: 1, published: 0 },
        { id: 41, pagetitle: 'Taken', alias: 'x', uri: 'secret-plan/x.html', parent: 40 },
        { id: 42, pagetitle: 'Folder', alias: 'folder', uri: 'folder/', isfolder: 1 },
        { id: 43, pagetitle: `${secret} below`, alias: 'hush', uri: 'folder/hush.html', parent: 42, published: 0 },
        { id: 44, pagetitle: 'In the way', alias: 'm', uri: 'moved/hush.html', uri_override: 1 },
      ],
    });
    const ask = (method: string, path: string, body: object, as: string) => site.get(path, { method, as, body });
    // The address of a draft, an address below a draft, a draft that would get an address.
    const refused = [
      await ask('POST', '/resources', { pagetitle: 'New', uri: 'secret-plan/', uri_override: true }, 'writer'),
      await ask('POST', '/resources', { pagetitle: 'New', alias: 'x', parent: 40 }, 'writer'),
      await ask('PATCH', '/resources/41', { uri: 'secret-plan/', uri_override: true }, 'writer'),
      await ask('PATCH', '/resources/42', { alias: 'moved' }, 'writer'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(refused.map(({ body }) => body['errors'])).toEqual([
      { uri: ['the URI "secret-plan/" is taken by another resource of the context web'] },
      { uri: ['the address is taken'], alias: ['the address is taken'] },
      { uri: ['the address is taken'] },
      { alias: ['an address that would follow from it is taken'] },
    ]);
    const shown = await ask('PATCH', '/resources/42', { alias: 'moved' }, 'previewer');
    expect(shown.body['errors']).toEqual({
      alias: ['resource 43 would get the URI "moved/hush.html", which another resource of the context web has'],
    });
  });

  describe('in any tree', () => {
    it('are shown to no caller without preview by any request', async () => {
      let seenWithPreview = 0;
      await fc.assert(
        fc.asyncProperty(trees, requests, async (nodes, asked) => {
          const rows = rowsOf(nodes);
          await seed(site.store, { site_content: rows });
          const list = `/resources?limit=100&preview=1&filter[id][gte]=${rows[0]?.['id']}`;
          const all = await site.get(list, { as: 'previewer' });
          if (all.text.includes(secret)) seenWithPreview += 1;
          for (const one of asked) {
            const id = Number(rows[one.at % rows.length]?.['id']);
            const query = one.flags.join('&');
            const paths: Readonly<Record<string, string>> = {
              LIST: `/resources?${query}&filter[id][gte]=${rows[0]?.['id']}`,
              PAGE: `/pages/p${id}.html?${query}`,
              POST: `/resources?${query}`,
            };
            const path = paths[one.method];
            const isRead = ['GET', 'LIST', 'PAGE'].includes(one.method);
            const body = one.method === 'POST' || one.method === 'PUT' ? { pagetitle: 'T', ...one.body } : one.body;
            const got = await site.get(path ?? `/resources/${id}?${query}`, {
              method: isRead ? 'GET' : one.method,
              ...(one.as === undefined ? {} : { as: one.as }),
              ...(isRead || one.method === 'DELETE' ? {} : { body }),
              headers: one.ifMatch === undefined ? {} : { 'if-match': one.ifMatch },
            });
            expect([one, got.status >= 500]).toEqual([one, false]);
            expect([one, `${JSON.stringify([...got.headers])}${got.text}`.includes(secret)]).toEqual([one, false]);
            if (one.method === 'LIST' && one.flags.includes('q=zqd') && got.status === 200)
              expect([one, got.body['meta']]).toMatchObject([one, { total: 0 }]);
          }
        }),
        { numRuns: 12 },
      );
      // Otherwise nothing was there to be hidden.
      expect(seenWithPreview).toBeGreaterThan(6);
    });
  });
});
