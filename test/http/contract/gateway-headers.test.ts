/**
 * Caching headers of every read route of the gateway, for anonymous callers, keys and previews
 * (docs/reference/gateway.md#cache-headers): public with age and tags for the first, private for the others, 304 and
 * HEAD with the headers of GET for all.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/http/interface/endpoint.js';
import { movableClock } from '../../support/clock.js';
import type { Got, TestSite } from '../../support/site.js';
import { endpoints, pathOf, scopeOf, startFilledSite } from './gateway-table.js';

const identities = { everything: { kind: 'api_key', id: 'everything', scopes: new Set(['*']), userId: null } } as const;
const vary = 'Authorization, X-API-Key, X-Context, Cookie, Origin, Accept-Encoding';
/** Routes that only a session may read are tested with sessions. */
const reads = endpoints.filter(({ method, access }) => method === 'GET' && access.kind !== 'session');
/** Answers that no cache keeps. */
const live = ['health', 'changes.list'];

const clock = movableClock();
let site: TestSite;

beforeAll(async () => {
  site = await startFilledSite({ identities, clock, env: { HCD_GATEWAY_CACHE_ENABLED: '1' } });
});

/** Headers that may differ between two answers for the same thing. */
function stable({ headers }: Got): Record<string, string> {
  const varying = new Set(['date', 'age', 'x-request-id', 'cache-control', 'connection', 'keep-alive']);
  return Object.fromEntries([...headers].filter(([name]) => !varying.has(name)));
}

function isOpen(endpoint: Endpoint): boolean {
  return endpoint.access.kind === 'public' || endpoint.access.kind === 'public_read';
}

describe.each(reads.map((endpoint) => ({ route: endpoint.path, endpoint })))('GET $route', ({ endpoint }) => {
  const path = pathOf(endpoint);
  const callers = isOpen(endpoint) ? [undefined, 'everything'] : ['everything'];
  const isLive = live.includes(endpoint.name);

  it.each(callers)('for %s', async (as) => {
    const asking = as === undefined ? {} : { as };
    const got = await site.get(path, asking);
    expect([got.status, got.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
    expect(got.headers.get('content-type')).toMatch(/; charset=utf-8$/);
    const control = got.headers.get('cache-control');
    if (isLive) {
      expect([control, got.headers.get('etag')]).toEqual(['no-store', null]);
      return;
    }
    const offered = endpoint.produces?.length ?? 1;
    expect(got.headers.get('vary')).toBe(offered > 1 ? `${vary}, Accept` : vary);
    expect(got.headers.get('etag')).toMatch(/^"[0-9a-f]{64}(?:-gzip)?"$/);
    if (as === undefined) expect(control).toMatch(/^public, max-age=\d+$/);
    else
      expect([control, got.headers.get('age'), got.headers.get('cache-tag')]).toEqual([
        'private, no-store, no-transform',
        null,
        null,
      ]);
    const isContent = scopeOf(endpoint) !== null;
    if (as === undefined && isContent) expect(got.headers.get('cache-tag')).toMatch(/^gateway:/);
  });

  it.each(callers)('not modified, for %s', async (as) => {
    if (isLive) return;
    const asking = as === undefined ? {} : { as };
    const got = await site.get(path, asking);
    const tag = got.headers.get('etag') ?? '';
    const again = await site.get(path, { ...asking, headers: { 'if-none-match': tag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const { 'content-length': _length, 'content-encoding': _coding, ...headers } = stable(got);
    expect(stable(again)).toEqual(headers);
    expect((await site.get(path, { ...asking, headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it.each(callers)('HEAD, for %s', async (as) => {
    const asking = as === undefined ? {} : { as };
    // The first answer is made, the second one is kept: under one tag both have the same bytes.
    clock.forward(60_000);
    const [got, head] = [await site.get(path, asking), await site.get(path, { ...asking, method: 'HEAD' })];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(stable(head)).toEqual(stable(got));
  });

  it('any other method is refused with what is allowed', async () => {
    const others = endpoints.filter((row) => row.path === endpoint.path && row.method !== 'GET');
    const allowed = ['GET', 'HEAD', ...others.map((row) => row.method)];
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !allowed.includes(name))) {
      const got = await site.get(path, { method });
      expect([got.status, got.headers.get('allow')]).toEqual([405, [...allowed, 'OPTIONS'].join(', ')]);
    }
    expect((await site.get(path, { method: 'OPTIONS' })).status).toBe(204);
  });

  it('refuses a media type that it has not', async () => {
    const asking = isOpen(endpoint) ? {} : { as: 'everything' };
    const got = await site.get(path, { ...asking, headers: { accept: 'image/png' } });
    expect([got.status, got.body['code']]).toEqual([406, 'not_acceptable']);
  });
});

it('keeps a preview private', async () => {
  for (const path of ['/resources?preview=1', '/resources/1?preview=1', '/pages/index?preview=1']) {
    const got = await site.get(path, { as: 'everything' });
    expect([got.status, got.headers.get('cache-control'), got.headers.get('cache-tag')]).toEqual([
      200,
      'private, no-store, no-transform',
      null,
    ]);
    expect((await site.get(path)).status).toBe(403);
  }
});

it('a kept answer ages, and is shared by every way to the same route', async () => {
  const before = await site.get('/resources/1?fields=id,uri');
  const entry = await fetch(`${site.url}/api.php?route=/v1/resources/1&fields=id,uri&unknown=1`);
  expect(entry.headers.get('etag')).toBe(before.headers.get('etag'));
  expect(entry.headers.get('age')).toMatch(/^\d+$/);
});

it('single values have an empty meta object', async () => {
  expect((await site.get('/resources/1?fields=id')).text).toBe('{"data":{"id":1},"meta":{}}');
});
