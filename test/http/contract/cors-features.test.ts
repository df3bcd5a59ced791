/**
 * Scripts of an allowed origin can use every documented feature with the default headers of cross-origin calls: what the
 * OpenAPI documents name may be sent, and what answers carry may be read.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { freshSqliteUrl } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { key, type ManagementSite, startManagementSite } from '../banners/management-site.js';

const origin = 'https://www.example.com';

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;
  readonly components: {
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly securitySchemes?: Readonly<Record<string, { type: string; in?: string; name?: string; scheme?: string }>>;
  };
}

/** Sent with every request, or with every one that has a body or a tag. */
const always = ['Content-Type', 'X-Request-ID', 'If-None-Match'];
/** Answer headers that scripts read without being let in, and those for the browser itself. */
const unread = new RegExp(
  `^(?:${[
    'cache-control|content-language|content-length|content-type|expires|last-modified|pragma',
    'access-control-.*|connection|content-encoding|content-security-policy|cross-origin-.*|date|keep-alive',
    'referrer-policy|set-cookie|transfer-encoding|vary|x-content-type-options',
  ].join('|')})$`,
);

const list = (text: string | null) => (text ?? '').split(',').map((name) => name.trim().toLowerCase());
const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());

function sentHeaders({ paths, components }: Document): readonly string[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const named = operations.flatMap(({ parameters = [] }) => parameters).filter((one) => one.in === 'header');
  const schemes = Object.values(components.securitySchemes ?? {}).flatMap((one) =>
    one.type === 'http' ? ['Authorization'] : one.in === 'header' && one.name !== undefined ? [one.name] : [],
  );
  return [...new Set([...always, ...named.map(({ name }) => name), ...schemes])];
}

describe('a script of an allowed origin', () => {
  let site: ManagementSite;
  const documents = new Map<string, Document>();
  const bases = { gateway: '/api/v1', banners: '/banners/api.php', 'free pages': '/pages/api.php' } as const;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${site.url}${path}`, { ...init, headers: { origin, ...(init.headers as Record<string, string>) } });

  beforeAll(async () => {
    site = await startManagementSite(await freshSqliteUrl(), {
      identities: { all: { kind: 'api_key', id: 'k', scopes: new Set(['*']), userId: null } },
      env: {
        HCD_GATEWAY_CORS_ENABLED: '1',
        HCD_GATEWAY_CORS_ALLOWED_ORIGINS: origin,
        HCD_BANNERS_API_CORS_ORIGIN: origin,
        HCD_PAGES_PUBLIC_API_ENABLED: '1',
        HCD_PAGES_PUBLIC_API_CORS_ORIGINS: origin,
        HCD_GATEWAY_CACHE_ENABLED: '1',
        HCD_GATEWAY_RATE_LIMIT_ENABLED: '1',
      },
    });
    await seed(site.store, { site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' }] });
    documents.set('gateway', (await (await ask(`${bases.gateway}/meta/openapi.json`)).json()) as Document);
    documents.set('banners', (await (await ask(`${bases.banners}/openapi.json`)).json()) as Document);
    documents.set('free pages', {
      paths: { '?action=web/page/get': { get: { parameters: [{ name: 'X-Pages-Api-Key', in: 'header' }] } } },
      components: {},
    });
  });

  it.each(Object.entries(bases))('of the API %s may send every documented method and header', async (name, base) => {
    const document = documents.get(name);
    if (document === undefined) throw new Error('no document');
    const headers = sentHeaders(document);
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((word) => /^(?:get|post|put|patch|delete)$/.test(word))
        .map((method) => ({ path, method })),
    );
    expect(operations.length).toBeGreaterThan(0);
    for (const { path, method } of operations) {
      const target = path.startsWith('/') ? `${base}${path.replaceAll(/\{\w+\}/g, '1')}` : `${base}${path}`;
      const preflight = await ask(target, {
        method: 'OPTIONS',
        headers: {
          'access-control-request-method': method.toUpperCase(),
          'access-control-request-headers': lower(headers).join(','),
        },
      });
      const allowed = list(preflight.headers.get('access-control-allow-headers'));
      const refused = lower(headers).filter((one) => !allowed.includes(one));
      expect([target, preflight.status, refused]).toEqual([target, 204, []]);
      expect(list(preflight.headers.get('access-control-allow-methods'))).toContain(method);
      expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  it('may read every header that the documents name and that answers carry', async () => {
    const banner = { 'x-api-key': key };
    const keyed = {
      method: 'POST',
      headers: { authorization: 'Bearer all', 'content-type': 'application/json', 'idempotency-key': 'a' },
      body: '{"pagetitle":"New"}',
    };
    const asked: readonly (readonly [keyof typeof bases, string, RequestInit?])[] = [
      ['gateway', '/resources'],
      ['gateway', '/resources/1'],
      ['gateway', '/resources/99'],
      ['gateway', '/chunks'],
      ['gateway', '/health', { method: 'DELETE' }],
      ['gateway', '/resources', keyed],
      ['gateway', '/resources', keyed],
      ['banners', '/ads', { headers: banner, method: 'POST', body: '{"name":"One"}' }],
      ['banners', '/ads', { headers: banner, method: 'POST', body: '{"name":"Two"}' }],
      ['banners', '/ads?limit=1', { headers: banner }],
      ['banners', '/stats/export?type=summary', { headers: banner }],
      ['banners', '/ads', {}],
      ['banners', '/ads', { headers: banner, method: 'DELETE' }],
      ['free pages', '?action=web/catalog/list'],
      ['free pages', '?action=web/page/get', { method: 'POST' }],
    ];
    const exposed = new Map<string, readonly string[]>();
    for (const [name, path, init] of asked) {
      const answer = await ask(`${bases[name]}${path}`, init);
      const readable = list(answer.headers.get('access-control-expose-headers'));
      exposed.set(name, readable);
      const hidden = [...answer.headers.keys()].filter((one) => !unread.test(one) && !readable.includes(one));
      expect([name, path, answer.status, hidden]).toEqual([name, path, answer.status, []]);
    }
    for (const [name, { components }] of documents) {
      const named = lower(Object.keys(components.headers ?? {}));
      expect([name, named.filter((one) => !unread.test(one) && !exposed.get(name)?.includes(one))]).toEqual([name, []]);
    }
  });
});
