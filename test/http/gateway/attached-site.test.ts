/**
 * An existing site's database, attached: every visible resource at its URI, and access decisions and template
 * variables as the CMS itself gave them.
 */
import { beforeAll, expect, it } from 'vitest';
import { contextAllows, decideResourceGroups, groupsAllow, type Principal } from '../../../src/access/acl.js';
import { readPrincipal } from '../../../src/content/models/access.js';
import { readTables } from '../../../src/store/base/columns.js';
import { describeWithFixture, loadFixture, readFixtureJson } from '../../support/fixture.js';
import { startTestSite, type TestSite } from '../../support/site.js';

interface ExpectedIdentity {
  readonly user: string;
  readonly user_id: number;
  readonly context: string;
  readonly context_permissions: Readonly<Record<string, boolean>>;
  readonly context_load: Readonly<Record<string, boolean>>;
  readonly resources: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
}

interface ExpectedValue {
  readonly resource: number;
  readonly tv: string;
  readonly raw: string;
}

/** Path segments are encoded one by one. */
function encodePath(uri: string): string {
  return uri.split('/').map(encodeURIComponent).join('/');
}

describeWithFixture('an attached site', () => {
  let site: TestSite;
  let schemaBefore: string;

  beforeAll(async () => {
    const databaseUrl = await loadFixture();
    site = await startTestSite({
      databaseUrl,
      identities: {
        all: { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null },
        reader: { kind: 'api_key', id: 'reader', scopes: new Set(['resources.read']), userId: null },
        editor: { kind: 'api_key', id: 'editor', scopes: new Set(['resources.read']), userId: 4 },
      },
    });
    schemaBefore = JSON.stringify([...(await readTables(site.store.content, 'modx_')).keys()]);
  });

  it('is recognised as attached and keeps its tables as they are', async () => {
    expect(site.store.kind).toBe('attached');
    const after = [...(await readTables(site.store.content, 'modx_')).keys()];
    expect(after.length).toBe(107);
    expect(JSON.stringify(after)).toBe(schemaBefore);
  });

  it('serves every visible resource at its URI', async () => {
    const rows = await site.store.content.select({
      sql: 'SELECT id, uri, parent, menuindex FROM modx_site_content WHERE context_key = ? AND published = 1 AND deleted = 0 ORDER BY parent, menuindex, id',
      params: ['web'],
    });
    const hidden = new Set([11, 12]);
    const visible = rows.filter((row) => !hidden.has(Number(row[0])));
    expect(visible.length).toBe(530);
    const owner = new Map<string, number>();
    for (const row of visible) if (!owner.has(String(row[1]))) owner.set(String(row[1]), Number(row[0]));
    const wrong: unknown[] = [];
    for (const row of visible) {
      const uri = String(row[1]);
      const got = await site.get(`/pages/${encodePath(uri)}?fields=id,uri`);
      const expected = { data: { id: owner.get(uri), uri }, resolved: uri, status: 200 };
      const { resolved_uri } = (got.body['meta'] ?? {}) as Record<string, unknown>;
      if (
        JSON.stringify({ data: got.body['data'], resolved: resolved_uri, status: got.status }) !==
        JSON.stringify(expected)
      ) {
        wrong.push([row[0], uri, got.status, got.text.slice(0, 200)]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('lists exactly the visible resources, in pages that neither repeat nor skip', async () => {
    const ids: number[] = [];
    for (let next: string | undefined = '/resources?limit=100&fields=id'; next; ) {
      const got = await site.get(next.replace('/api/v1', ''));
      expect(got.status).toBe(200);
      expect(got.body['meta']).toMatchObject({ total: 530 });
      ids.push(...(got.body['data'] as { id: number }[]).map((row) => row.id));
      next = (got.body['links'] as { next?: string }).next;
    }
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(ids.length).toBe(530);
    expect(ids.includes(11) || ids.includes(12)).toBe(false);
  });

  it('decides access for every identity as the CMS did', async () => {
    const { identities } = (await readFixtureJson('expected-acl.json')) as { identities: ExpectedIdentity[] };
    const { access } = site.live.current();
    const memberships = await site.store.content.select({
      sql: 'SELECT document, document_group FROM modx_document_groups',
      params: [],
    });
    expect(identities.length).toBe(6);
    for (const expected of identities) {
      const found = await readPrincipal(site.store.content, 'modx_', expected.user_id);
      const principal: Principal = found ?? { userId: 0, sudo: false, groups: new Map() };
      const decided = {
        context_permissions: Object.fromEntries(
          Object.keys(expected.context_permissions).map((permission) => [
            permission,
            contextAllows(access, principal, { context: expected.context, permissions: [permission] }),
          ]),
        ),
        context_load: Object.fromEntries(
          Object.keys(expected.context_load).map((context) => [
            context,
            contextAllows(access, principal, { context, permissions: ['load'] }),
          ]),
        ),
        resources: Object.fromEntries(
          Object.entries(expected.resources).map(([id, rights]) => [
            id,
            Object.fromEntries(
              Object.keys(rights).map((permission) => {
                const asked = { context: expected.context, permissions: [permission], enabled: true };
                const groups = memberships.filter((row) => Number(row[0]) === Number(id)).map((row) => Number(row[1]));
                return [permission, groupsAllow(decideResourceGroups(access, principal, asked), groups)];
              }),
            ),
          ]),
        ),
      };
      const { context_permissions, context_load, resources } = expected;
      expect(decided, expected.user).toEqual({ context_permissions, context_load, resources });
    }
  });

  it('reads for a key bound to a user what that user may read', async () => {
    const { identities } = (await readFixtureJson('expected-acl.json')) as { identities: ExpectedIdentity[] };
    const editor = identities.find((one) => one.user_id === 4);
    expect(editor).toBeDefined();
    for (const [id, rights] of Object.entries(editor?.resources ?? {})) {
      const expected = rights['load'] && rights['view'] ? 200 : 404;
      const got = await site.get(`/resources/${id}`, { as: 'editor' });
      const context = editor?.context_load['web'] ? expected : 403;
      expect([id, got.status]).toEqual([id, context]);
    }
  });

  it('gives template variables as the CMS stores them', async () => {
    const { values } = (await readFixtureJson('expected-tv.json')) as { values: ExpectedValue[] };
    expect(values.length).toBeGreaterThan(20);
    const byResource = new Map<number, Record<string, string>>();
    for (const { resource, tv, raw } of values) {
      byResource.set(resource, { ...byResource.get(resource), [tv]: raw });
    }
    for (const [resource, tvs] of byResource) {
      const got = await site.get(`/resources/${resource}?include=tvs&fields=id`);
      expect(got.body).toEqual({ data: { id: resource, tvs }, meta: {} });
    }
  });

  it('searches Cyrillic text in any case', async () => {
    const upper = await site.get(`/resources?q=${encodeURIComponent('КАТАЛОГ')}&fields=id&limit=100`);
    const lower = await site.get(`/resources?q=${encodeURIComponent('каталог')}&fields=id&limit=100`);
    expect((upper.body['data'] as unknown[]).length).toBeGreaterThan(0);
    expect(upper.body['data']).toEqual(lower.body['data']);
  });

  it('compares aliases exactly although the column does not', async () => {
    expect((await site.get('/resources?filter[alias]=katalog&fields=alias')).body['data']).toEqual([
      { alias: 'katalog' },
    ]);
    expect((await site.get('/resources?filter[alias]=KATALOG&fields=alias')).body['data']).toEqual([]);
    expect((await site.get('/resources?filter[alias]=katalog%20&fields=alias')).body['data']).toEqual([]);
  });

  it('shows the elements of the site to a caller with their scopes', async () => {
    const counts = { contexts: 2, chunks: 23, templates: 23, snippets: 52, tvs: 22, categories: 21, content_types: 8 };
    for (const [name, total] of Object.entries(counts)) {
      const got = await site.get(`/${name}?limit=100`, { as: 'all' });
      expect([name, got.status, got.body['meta']]).toMatchObject([name, 200, { total }]);
      expect((await site.get(`/${name}`)).status).toBe(401);
      expect((await site.get(`/${name}`, { as: 'reader' })).status).toBe(403);
    }
  });

  it('shows a context exactly its eight public settings', async () => {
    const got = await site.get('/contexts/web/settings', { as: 'all' });
    expect(got.status).toBe(200);
    const { key, settings } = got.body['data'] as { key: string; settings: Record<string, unknown> };
    expect(key).toBe('web');
    expect(Object.keys(settings).sort()).toEqual(
      [
        'base_url',
        'cultureKey',
        'error_page',
        'http_host',
        'locale',
        'site_start',
        'site_url',
        'unauthorized_page',
      ].sort(),
    );
    expect(settings['site_start']).toBe('1');
  });
});
