/** The client against the sample site: what it asks for, what comes back, drafts, changes, documents of pages. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, nullIfMissing, ProblemError } from '../../client/src/client.js';
import { buildRegistry } from '../../src/content/objects/core-objects.js';
import { issueKey } from '../../src/identity/keys/manage-keys.js';
import { issueToken } from '../../src/identity/page-tokens/manage-tokens.js';
import { startSampleSite } from '../support/sample-site.js';
import type { TestSite } from '../support/site.js';
import type { Site } from './golden/site.js';

let site: TestSite;
let anybody: Client<Site>;
let editor: Client<Site>;
/** Status of each answer, in order. */
const statuses: number[] = [];

const noting: typeof fetch = async (...asked) => {
  const response = await fetch(...asked);
  statuses.push(response.status);
  return response;
};

async function keyWith(...scopes: string[]): Promise<string> {
  const { key } = await issueKey(site.store, {
    ...{ registry: buildRegistry(), scopes, name: null, expiresOn: null, username: null, createdBy: 'test' },
    ...{ rateLimit: { max: null, windowSeconds: null }, now: Date.now() },
  });
  return key;
}

beforeAll(async () => {
  site = await startSampleSite();
  await site.change([
    `REPLACE INTO modx_system_settings (\`key\`, value, xtype, namespace, area) VALUES ('pages_rest_api_enabled', '1', 'textfield', 'core', '')`,
  ]);
  const { token } = await issueToken(site.store, {
    ...{ env: {}, scopes: ['pages.read'], name: null, expiresOn: null, now: Date.now() },
  });
  anybody = createClient<Site>({ url: site.url, fetch: noting });
  editor = createClient<Site>({ url: `${site.url}/api/v1/`, key: await keyWith('*'), pages: { token } });
});

describe('reading', () => {
  it('gives the fields, template variables and relations that were asked for', async () => {
    const { data: row } = await anybody.get('resources', 10, {
      fields: ['id', 'parent'],
      tv_fields: ['price', 'seasons'],
      include: ['parent', 'parent.parent', 'tvs.relatedPage'],
      fieldsOf: { 'parent.parent': ['pagetitle'] },
    });
    expect(row).toEqual({
      id: 10,
      parent: expect.objectContaining({ id: 7, pagetitle: 'Corrie', parent: { pagetitle: 'Tents' } }),
      tvs: { price: 408, seasons: ['spring', 'summer', 'autumn'], relatedPage: expect.objectContaining({ id: 11 }) },
    });
  });

  it.each([
    ['equality', { template: 7 }, 12],
    ['one of several', { id: { in: [5, 28] } }, 2],
    ['one of texts with commas', { alias: { in: ['tents', 'a, b'] } }, 1],
    ['one of none', { id: { in: [] } }, 0],
    ['several conditions of a field', { id: { gte: 5, lt: 9, neq: 7 } }, 3],
    ['a pattern', { alias: { like: 'TENT%' } }, 1],
    ['a flag', { hidemenu: true, isfolder: false }, expect.any(Number)],
    ['nothing', { alias: null }, 0],
    ['something', { alias: { not_null: true } }, expect.any(Number)],
  ] as const)('filters by %s', async (_name, filter, total) => {
    const { data, meta } = await anybody.list('resources', { filter, fields: ['id'] });
    expect([meta.total, data.length]).toEqual([total, Math.min(meta.total, 20)]);
  });

  it('sorts, searches and pages', async () => {
    const query = { q: 'tent', sort: ['-menuindex', 'id'], fields: ['id'], limit: 2 } as const;
    const first = await anybody.list('resources', query);
    const cursor = first.meta.next_cursor ?? '';
    const second = await anybody.list('resources', { ...query, cursor });
    const both = await anybody.list('resources', { ...query, limit: 4 });
    expect([...first.data, ...second.data]).toEqual(both.data);
  });

  it('goes through all records by cursor, and only as far as it is asked', async () => {
    const ids: number[] = [];
    for await (const { id } of anybody.all('resources', { fields: ['id'], limit: 50, sort: '-id' })) ids.push(id);
    const { meta } = await anybody.list('resources', { fields: ['id'], limit: 1 });
    expect([ids.length, new Set(ids).size]).toEqual([meta.total, meta.total]);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
    const asked = statuses.length;
    for await (const { id } of anybody.all('resources', { fields: ['id'], limit: 7 })) if (id > 3) break;
    expect(statuses.length - asked).toBe(1);
  });

  it.each([
    ['a folder', 'equipment/tents/', 'equipment/tents/'],
    ['a path of a visitor', '/equipment/tents', 'equipment/tents/'],
    ['letters beyond ASCII', 'stores/łódź.html', 'stores/łódź.html'],
    ['the home page', '', 'index.html'],
  ])('finds a page by %s', async (_name, asked, uri) => {
    expect(await anybody.page(asked, { fields: ['uri'] })).toMatchObject({ data: { uri } });
  });

  it('gives several pages and records in the order asked, and names those that are missing', async () => {
    const pages = await anybody.pages(['stores/', 'nowhere', 'about/'], { fields: ['uri'] });
    expect([pages.data, pages.meta.missing]).toEqual([[{ uri: 'stores/' }, { uri: 'about/' }], ['nowhere']]);
    const records = await anybody.list('resources', { ids: [28, 99999, 5], fields: ['id'] });
    expect([records.data, records.meta.missing]).toEqual([[{ id: 28 }, { id: 5 }], [99999]]);
  });

  it('gives menus', async () => {
    const [home, equipment] = (await anybody.tree({ depth: 2, fields: ['uri'] })).data;
    expect([home?.uri, equipment?.children.length]).toEqual(['index.html', 8]);
    expect((await anybody.tree({ root: 5, depth: 1 })).data[0]).toMatchObject({ parent: 5, children: [] });
  });

  it('names the context', async () => {
    const { data } = await anybody.list('resources', { context: 'journal', fields: ['context_key'], limit: 1 });
    expect(data).toEqual([{ context_key: 'journal' }]);
  });

  it('gives elements to a key', async () => {
    const reader = createClient<Site>({ url: site.url, key: await keyWith('chunks.read') });
    const [chunk] = (await reader.list('chunks', { limit: 1, fields: ['id', 'category'], include: ['category'] })).data;
    expect(chunk).toEqual({ id: expect.any(Number), category: expect.anything() });
    await expect(reader.list('templates')).rejects.toMatchObject({ status: 403, code: 'scope_denied' });
  });

  it('gives the document of a page with its sections', async () => {
    const page = await editor.document(251, { section_types: ['hero', 'cards'] });
    expect(page.resource).toMatchObject({ id: 251, uri: 'repairs/' });
    expect(page.document.sections.every(({ type }) => type === 'hero' || type === 'cards')).toBe(true);
    await expect(anybody.document(251)).rejects.toMatchObject({ status: 401 });
  });
});

describe('answers that have not changed', () => {
  it('are taken from memory after 304, as new values', async () => {
    const asked = statuses.length;
    const { data: first } = await anybody.get('resources', 5, { fields: ['id', 'longtitle'] });
    (first as { longtitle: string }).longtitle = 'changed by the caller';
    const { data: second } = await anybody.get('resources', 5, { fields: ['id', 'longtitle'] });
    expect(statuses.slice(asked)).toEqual([200, 304]);
    expect(second.longtitle).not.toBe('changed by the caller');
  });

  it('are asked for as a whole when they are not kept, or when fetch is told more', async () => {
    const asked = statuses.length;
    const forgetful = createClient<Site>({ url: site.url, fetch: noting, keep: 0 });
    for (const client of [forgetful, forgetful]) await client.get('resources', 5);
    for (const init of [{}, {}]) await anybody.get('resources', 5, {}, { init });
    expect(statuses.slice(asked)).toEqual([200, 200, 200, 200]);
  });
});

describe('changes', () => {
  it('are made, refused when the record is another by now, and undone', async () => {
    const made = await editor.create('resources', { pagetitle: 'A new page', template: 9, published: true });
    expect(made).toMatchObject({ pagetitle: 'A new page', template: 9 });
    const path = `/resources/${made.id}`;
    const etag = (await editor.request('GET', path)).headers.get('etag') ?? '';
    expect(await editor.update('resources', made.id, { longtitle: 'First' }, { ifMatch: etag })).toMatchObject({
      longtitle: 'First',
    });
    await expect(editor.update('resources', made.id, { longtitle: 'Second' }, { ifMatch: etag })).rejects.toMatchObject(
      { status: 412, code: 'precondition_failed' },
    );
    await editor.remove('resources', made.id);
    expect(await anybody.get('resources', made.id).catch(nullIfMissing)).toBeNull();
  });

  it('take template variables, and are heard by a client that follows them', async () => {
    const heard = anybody.changes();
    const answered = statuses.length;
    const first = heard.next();
    await expect.poll(() => statuses.length).toBe(answered + 1);
    const { body } = await anybody.request('GET', '/changes', { headers: { accept: 'application/json' } });
    const missed = anybody.changes({}, { after: (body as { meta: { next: string } }).meta.next });
    const made = await editor.create('resources', {
      ...{ pagetitle: 'Followed', template: 5, published: true, tvs: { price: 12.5, seasons: ['spring', 'autumn'] } },
    });
    const tag = `gateway:resources:${made.id}`;
    for (const [following, begun] of [[missed, missed.next()] as const, [heard, first] as const]) {
      // Earlier changes may come first. After a reset the change itself is not told, so another one is made.
      let one = await begun;
      while (one.done !== true && !('tags' in one.value && one.value.tags.includes(tag))) {
        if ('reset' in one.value) await editor.update('resources', made.id, { longtitle: `After ${one.value.id}` });
        one = await following.next();
      }
      expect(one).toMatchObject({ done: false, value: { id: expect.any(String) } });
    }
    await Promise.all([heard.return(), missed.return()]);
    await editor.update('resources', made.id, { tvs: { price: 13 } });
    const { data } = await anybody.get('resources', made.id, { fields: ['id'], tv_fields: ['price', 'seasons'] });
    expect(data).toEqual({ id: made.id, tvs: { price: 13, seasons: ['spring', 'autumn'] } });
    await editor.remove('resources', made.id);
  });

  it('are made once, however often they are sent', async () => {
    const sent: string[] = [];
    const breaking = createClient<Site>({
      url: site.url,
      key: await keyWith('resources.read', 'resources.create'),
      fetch: async (...asked) => {
        const response = await fetch(...asked);
        sent.push(String(response.headers.get('idempotency-replayed')));
        if (sent.length === 1) throw new TypeError('the connection broke');
        return response;
      },
    });
    const { id } = await breaking.create('resources', { pagetitle: 'Sent twice' });
    expect(sent).toEqual(['null', 'true']);
    const { meta } = await editor.list('resources', { filter: { alias: 'sent-twice' }, preview: true });
    expect(meta.total).toBe(1);
    await editor.remove('resources', id);
  });
});

describe('drafts', () => {
  it('are shown with the token of a preview and not kept', async () => {
    const { id } = await editor.create('resources', { pagetitle: 'Not yet', published: false });
    const { body } = await editor.request('POST', '/previews', { body: { resource: id } });
    const { token } = (body as { data: { token: string } }).data;
    await expect(anybody.get('resources', id)).rejects.toMatchObject({ status: 404 });
    const asked = statuses.length;
    const draft = anybody.draft(token);
    for (const client of [draft, draft])
      expect(await client.get('resources', id, { fields: ['pagetitle'] })).toMatchObject({
        data: { pagetitle: 'Not yet' },
      });
    expect(statuses.slice(asked)).toEqual([200, 200]);
    await expect(anybody.draft('pv_wrong').get('resources', id)).rejects.toMatchObject({ code: 'invalid_token' });
  });
});

describe('refusals', () => {
  it('have the code, the parameters that are wrong and the id of the request', async () => {
    const error = await anybody
      .list('resources', { filter: { colour: 'red' } as never })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      ...{ name: 'ProblemError', status: 422, code: 'validation_failed', retryAfter: null },
      errors: { colour: expect.any(Array) },
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('of a key are errors, and so is a record that does not exist', async () => {
    const stranger = createClient<Site>({ url: site.url, key: 'nobody' });
    await expect(stranger.page('')).rejects.toMatchObject({ status: 401, code: 'invalid_token' });
    await expect(stranger.page('').catch(nullIfMissing)).rejects.toMatchObject({ status: 401 });
    expect(await anybody.page('nowhere').catch(nullIfMissing)).toBeNull();
  });
});
