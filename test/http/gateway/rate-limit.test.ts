/** The gateway's rate limit over HTTP: exact counts, headers, who is one caller, and what is not counted. */
import { describe, expect, it } from 'vitest';
import { issue } from '../../identity/keys/key-store.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { countTogether, type GetOptions, type Got, startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const identities = {
  reader: key('resources.read'),
  other: { ...key('resources.read'), id: 'other' },
  busy: { ...key('*'), rateLimit: { max: 5, windowSeconds: null } },
} as const;

const on = { HCD_GATEWAY_RATE_LIMIT_ENABLED: '1', HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '2' };

const sites = new Map<string, { readonly site: TestSite; readonly clock: FakeClock }>();

/** A site at the start of a minute, whose clock stands still; two requests a minute unless `env` says otherwise. */
async function limitedSite(env: Readonly<Record<string, string>> = {}) {
  const name = JSON.stringify(env);
  if (!sites.has(name)) {
    const options = { databaseUrl: await freshSqliteUrl(), identities, clock: fakeClock(), env: { ...on, ...env } };
    sites.set(name, { site: await startTestSite(options), clock: options.clock });
  }
  const { site, clock } = sites.get(name) ?? expect.fail();
  await clock.advance(60_000);
  return { site, clock, endOfWindow: String(clock.now() / 1000 + 60) };
}

const rateOf = ({ headers }: Got) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'].map((name) => headers.get(name));

const statuses = async (site: TestSite, path: string, each: readonly GetOptions[]) => {
  const found: number[] = [];
  for (const options of each) found.push((await site.get(path, options)).status);
  return found;
};

const from = (address: string): GetOptions => ({ headers: { 'X-Forwarded-For': address } });

describeEachDatabase('a limit of 50 under 300 parallel requests', (database) => {
  const env = { HCD_GATEWAY_RATE_LIMIT_ENABLED: '1', HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '50' };

  const passedOf = async (sites: readonly TestSite[]) => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => (sites[index % sites.length] as TestSite).get('/schema')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    for (const { headers } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['50', '0']);
    }
    const passed = answers.filter(({ status }) => status === 200);
    const left = passed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b);
    expect(left).toEqual(Array.from({ length: passed.length }, (_, index) => index));
    return [passed.length, refused.length];
  };

  it('lets exactly 50 pass in one process', async () => {
    const site = await startTestSite({ databaseUrl: await database.url(), env });
    expect(await passedOf([site])).toEqual([50, 250]);
  });

  it('lets exactly 50 pass over two workers', async () => {
    const databaseUrl = await database.url();
    const clock = fakeClock();
    const options = { databaseUrl, env, clock, ...countTogether(clock) };
    const sites = [await startTestSite(options), await startTestSite(options)];
    expect(await passedOf(sites)).toEqual([50, 250]);
  });

  it.each([
    ['counts valid credentials alone', 'count-alone', [200, undefined, null]],
    ['answers 503 to credentials where a setting says so', 'refuse', [503, 'unavailable', '5']],
  ])('%s, and counts public reads alone, while the first process does not count', async (_rule, setting, expected) => {
    const site = await startTestSite({
      databaseUrl: await database.url(),
      identities,
      env: { ...on, HCD_GATEWAY_RATE_LIMIT_WITHOUT_COUNTER: setting },
      rateCounters: 'workers',
      firstProcess: () => Promise.reject(new Error('not there')),
    });
    const keyed = await site.get('/schema', { as: 'reader' });
    expect([keyed.status, keyed.body['code'], keyed.headers.get('retry-after')]).toEqual(expected);
    expect((await site.get('/schema', { as: 'wrong' })).status).toBe(503);
    expect(await statuses(site, '/schema', [{}, {}, {}])).toEqual([200, 200, 429]);
  });

  it('takes the limit of a key from its row', async () => {
    const site = await startTestSite({ databaseUrl: await database.url(), env: on });
    const limited = await issue(site.store, { rateLimit: { max: 3, windowSeconds: 3600 }, now: Date.now() });
    const headers = { 'X-API-Key': limited.key };
    const answers: Got[] = [];
    for (let asked = 0; asked < 4; asked += 1) answers.push(await site.get('/resources', { headers }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const [limit, remaining, reset] = rateOf(answers[3] as Got);
    expect([limit, remaining]).toEqual(['3', '0']);
    expect(Number(reset)).toBeGreaterThan(Date.now() / 1000 + 3500);
  });
});

describe('the answers', () => {
  it('carry limit, rest and end of the window, and over the limit a problem with Retry-After', async () => {
    const { site, clock, endOfWindow } = await limitedSite();
    expect(rateOf(await site.get('/schema'))).toEqual(['2', '1', endOfWindow, null]);
    await clock.advance(20_500);
    expect(rateOf(await site.get('/schema'))).toEqual(['2', '0', endOfWindow, null]);
    const refused = await site.get('/schema');
    expect([refused.status, ...rateOf(refused)]).toEqual([429, '2', '0', endOfWindow, '40']);
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    const detail =
      'The limit of 2 requests in 60 seconds is reached; wait 40 seconds. A job that reads a whole site asks for pages of 100 with cursor and include, and uses a key made with hcd key create --for build';
    expect(refused.body).toEqual({
      ...{ type: '/api/v1/problems/rate-limited', title: 'Too Many Requests', status: 429, code: 'rate_limited' },
      ...{ detail, instance: '/api/v1/schema', request_id: refused.headers.get('x-request-id') },
    });
    await clock.advance(39_499);
    expect((await site.get('/schema')).status).toBe(429);
    await clock.advance(1);
    expect(rateOf(await site.get('/schema'))).toEqual(['2', '1', String(Number(endOfWindow) + 60), null]);
  });

  it('carry the headers on refusals, 304 and answers from the cache alike', async () => {
    const { site } = await limitedSite({ HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '10', HCD_GATEWAY_CACHE_ENABLED: '1' });
    const first = await site.get('/resources');
    const etag = first.headers.get('etag') ?? '';
    const answers = [
      first,
      await site.get('/resources'),
      await site.get('/resources', { headers: { 'If-None-Match': etag } }),
      await site.get('/resources?limit=nothing'),
      await site.get('/resources', { headers: { Authorization: 'Bearer wrong' } }),
      await site.get('/resources/99'),
      await site.get('/resources', { headers: { Accept: 'image/png' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 304, 422, 401, 404, 406]);
    expect(answers.map((answer) => rateOf(answer)[1])).toEqual(['9', '8', '7', '6', '5', '4', '3']);
  });

  it('count a missing scope too', async () => {
    const { site } = await limitedSite();
    const refused = await site.get('/chunks', { as: 'reader' });
    expect([refused.status, rateOf(refused)[1]]).toEqual([403, '1']);
  });

  it('turn wrong credentials into 429 once there were too many of them', async () => {
    const { site } = await limitedSite();
    const wrong = { as: 'wrong' };
    expect(await statuses(site, '/schema', [wrong, wrong, wrong, {}])).toEqual([401, 401, 429, 429]);
    expect((await site.get('/schema', { as: 'reader' })).status).toBe(200);
  });
});

describe('what is not counted', () => {
  it.each<[name: string, path: string, options: GetOptions, status: number]>([
    ['health', '/health', {}, 200],
    ['a preflight', '/schema', { method: 'OPTIONS' }, 204],
    ['an unknown route', '/nothing', {}, 404],
    ['a method that the route has not', '/schema', { method: 'DELETE' }, 405],
  ])('%s', async (_name, path, options, status) => {
    const { site } = await limitedSite();
    for (let asked = 0; asked < 4; asked += 1) {
      const answer = await site.get(path, options);
      expect([answer.status, ...rateOf(answer)]).toEqual([status, null, null, null, null]);
    }
    expect(await statuses(site, '/schema', [{}, {}, {}])).toEqual([200, 200, 429]);
    expect((await site.get(path, options)).status).toBe(status);
  });

  it('a gateway that is turned off', async () => {
    const { site } = await limitedSite({ HCD_GATEWAY_ENABLED: '0' });
    const answers = [await site.get('/schema'), await site.get('/schema'), await site.get('/schema')];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual([null, null, null]);
  });

  it('anything while the limit is off', async () => {
    const { site } = await limitedSite({ HCD_GATEWAY_RATE_LIMIT_ENABLED: '0' });
    expect(await statuses(site, '/schema', [{}, {}, {}])).toEqual([200, 200, 200]);
    expect(rateOf(await site.get('/schema'))).toEqual([null, null, null, null]);
  });

  it('anything while the number is 0, except a key with a number of its own', async () => {
    const { site, endOfWindow } = await limitedSite({ HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '0' });
    for (let asked = 0; asked < 3; asked += 1) {
      expect(rateOf(await site.get('/schema'))).toEqual(['0', '0', '0', null]);
    }
    expect(rateOf(await site.get('/schema', { as: 'busy' }))).toEqual(['5', '4', endOfWindow, null]);
  });
});

describe('a caller', () => {
  it('is an address without credential, and a credential at an address', async () => {
    const { site } = await limitedSite({ HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' });
    const reader = { as: 'reader' };
    expect(await statuses(site, '/schema', [{}, {}, {}])).toEqual([200, 200, 429]);
    expect(await statuses(site, '/schema', [reader, reader, reader])).toEqual([200, 200, 429]);
    expect(await statuses(site, '/schema', [{ as: 'other' }, { ...reader, ...from('192.0.2.9') }])).toEqual([200, 200]);
  });

  it('has the number of its key and the general window', async () => {
    const { site, endOfWindow } = await limitedSite();
    expect(rateOf(await site.get('/schema', { as: 'busy' }))).toEqual(['5', '4', endOfWindow, null]);
  });

  it('cannot become another one by X-Forwarded-For without a trusted proxy', async () => {
    const { site } = await limitedSite();
    const games = [from('192.0.2.1'), from('192.0.2.2'), from('junk, 192.0.2.3')];
    expect(await statuses(site, '/schema', games)).toEqual([200, 200, 429]);
  });

  it.each<[name: string, addresses: readonly string[], found: readonly number[]]>([
    ['different addresses', ['192.0.2.1', '192.0.2.2', '192.0.2.3'], [200, 200, 200]],
    ['what it says of itself further left', ['1.1.1.1, 192.0.2.1', '2.2.2.2, 192.0.2.1', '192.0.2.1'], [200, 200, 429]],
    ['one /64', ['2001:db8::1', '2001:db8::ffff:1', '2001:db8:0:0:1:2:3:4'], [200, 200, 429]],
    ['another /64', ['2001:db8::1', '2001:db8::1', '2001:db8:0:1::1'], [200, 200, 200]],
    ['IPv4 in IPv6', ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1:4711'], [200, 200, 429]],
    ['junk', ['junk', '[', ','.repeat(50)], [200, 200, 429]],
  ])('behind a trusted proxy: %s', async (_name, addresses, found) => {
    const { site } = await limitedSite({ HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' });
    expect(await statuses(site, '/schema', addresses.map(from))).toEqual(found);
  });
});
