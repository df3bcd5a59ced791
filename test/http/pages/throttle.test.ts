/** The throttle of the page delivery API over HTTP: exact counts, headers, who is one caller, and what is not counted. */
import { describe, expect, it } from 'vitest';
import { issue, start } from '../../identity/page-tokens/token-store.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { countTogether } from '../../support/site.js';
import { type Asked, type PagesSite, startPagesSite } from './token-site.js';

const rateOf = ({ headers }: Asked) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'].map((name) => headers.get(name));
const endOfWindow = String(start / 1000 + 60);

async function throttled(max: string, env: Readonly<Record<string, string>> = {}) {
  const clock = fakeClock(start);
  const pages = await startPagesSite({
    databaseUrl: await freshSqliteUrl(),
    clock,
    env: { HCD_PAGES_REST_THROTTLE_PER_MINUTE: max, ...env },
  });
  return { ...pages, clock };
}

describeEachDatabase('a throttle of 20 under 100 parallel requests', (database) => {
  const passedOf = async (servers: readonly PagesSite[]) => {
    const { token } = await issue((servers[0] as PagesSite).site.store);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (servers[index % servers.length] as PagesSite).ask('/health', token)),
    );
    const passed = answers.filter(({ status }) => status === 200);
    const left = passed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => b - a);
    expect(left).toEqual(Array.from({ length: 20 }, (_, index) => 19 - index));
    return [passed.length, answers.filter(({ status }) => status === 429).length];
  };
  const env = { HCD_PAGES_REST_THROTTLE_PER_MINUTE: '20' };

  it('lets exactly 20 pass in one process', async () => {
    expect(await passedOf([await startPagesSite({ databaseUrl: await database.url(), env })])).toEqual([20, 80]);
  });

  it('lets exactly 20 pass over two workers', async () => {
    const clock = fakeClock(start);
    const options = { databaseUrl: await database.url(), env, clock, ...countTogether(clock) };
    expect(await passedOf([await startPagesSite(options), await startPagesSite(options)])).toEqual([20, 80]);
  });
});

describe('the throttle', () => {
  it('says limit, rest and end of the minute, and over the limit when to come again', async () => {
    const { site, ask, clock } = await throttled('2');
    const { token } = await issue(site.store);
    expect(rateOf(await ask('/health', token))).toEqual(['2', '1', endOfWindow, null]);
    await clock.advance(20_500);
    expect(rateOf(await ask('/health', token))).toEqual(['2', '0', endOfWindow, null]);
    const refused = await ask('/health', token);
    expect([refused.status, ...rateOf(refused)]).toEqual([429, '2', '0', endOfWindow, '40']);
    expect(refused.json()).toEqual({ success: false, message: 'Rate limit exceeded', object: {} });
    await clock.advance(39_499);
    expect((await ask('/health', token)).status).toBe(429);
    await clock.advance(1);
    expect(rateOf(await ask('/health', token))).toEqual(['2', '1', String(start / 1000 + 120), null]);
  });

  it('is 120 a minute by default', async () => {
    const { site, ask } = await startPagesSite({ databaseUrl: await freshSqliteUrl(), clock: fakeClock(start) });
    expect(rateOf(await ask('/health', (await issue(site.store)).token))).toEqual(['120', '119', endOfWindow, null]);
  });

  it('counts each token by itself, and no address', async () => {
    const { site, ask } = await throttled('2', { HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' });
    const [one, other] = [await issue(site.store), await issue(site.store)];
    const statuses: number[] = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      statuses.push((await ask('/health', one.token, { 'X-Forwarded-For': address })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect((await ask('/health', other.token, { 'X-Forwarded-For': '192.0.2.1' })).status).toBe(200);
  });

  it('counts all routes together, refusals of a good token and 304 included', async () => {
    const { site, ask } = await throttled('5');
    const { token } = await issue(site.store, { scopes: ['pages.read'] });
    const document = await ask('/openapi.json', token);
    const answers = [
      document,
      await ask('/openapi.json', token, { 'If-None-Match': document.headers.get('etag') ?? '' }),
      await ask('/health', token),
      await ask('/openapi.json', token, { Accept: 'text/html' }),
      await ask('/nothing', token),
      await ask('/pages/1', token),
      await ask('/openapi.json', token),
    ];
    const told = answers.map((answer) => `${answer.status} ${rateOf(answer)[1]}`);
    expect(told).toEqual(['200 4', '304 3', '403 2', '406 1', '404 null', '404 0', '429 0']);
  });

  it('counts no caller without a good token', async () => {
    const { site, ask } = await throttled('1');
    const { token } = await issue(site.store);
    for (const given of [undefined, 'wrong', `${token}x`]) {
      for (let asked = 0; asked < 3; asked += 1) {
        const answer = await ask('/health', given);
        expect([answer.status, ...rateOf(answer)]).toEqual([401, null, null, null, null]);
      }
    }
    expect((await ask('/health', token)).status).toBe(200);
  });

  it('is off while it is 0, and follows its setting', async () => {
    const { site, ask } = await startPagesSite({ databaseUrl: await freshSqliteUrl(), clock: fakeClock(start) });
    const { token } = await issue(site.store);
    const set = (value: number) =>
      site.change([
        "DELETE FROM modx_system_settings WHERE `key` = 'pages_rest_throttle_per_minute'",
        `INSERT INTO modx_system_settings (\`key\`, value) VALUES ('pages_rest_throttle_per_minute', '${value}')`,
      ]);
    await set(0);
    for (let asked = 0; asked < 3; asked += 1) {
      const answer = await ask('/health', token);
      expect([answer.status, ...rateOf(answer)]).toEqual([200, null, null, null, null]);
    }
    await set(1);
    expect([(await ask('/health', token)).status, (await ask('/health', token)).status]).toEqual([200, 429]);
  });
});
