/**
 * A network that sent a hundred refused keys to the page and banner interfaces within 15 minutes has to wait: 429 until
 * then, exact over processes, and never for a key that cannot be guessed.
 */
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { prepareCliDatabase } from '../../support/cli-database.js';
import { describeEachDatabase } from '../../support/databases.js';
import { countTogether, startTestSite, type TestSite } from '../../support/site.js';

const long = 'a-key-of-the-banners-that-is-long-enough';
const short = 'a-short-key';
const env = {
  HCD_PAGES_REST_API_ENABLED: '1',
  HCD_PAGES_PUBLIC_API_ENABLED: '1',
  HCD_BANNERS_API_ENABLED: '1',
  HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
  HCD_PAGES_PUBLIC_API_KEY: short,
  HCD_BANNERS_API_KEY: long,
};

const ways = {
  pages: (key: string) => ['/pages/api/v1.php/pages', { authorization: `Bearer ${key}` }],
  free: (key: string) => ['/pages/api.php?action=web/catalog/list', { 'x-pages-api-key': key }],
  banners: (key: string) => ['/banners/api.php/ads', { 'x-api-key': key }],
} as const satisfies Record<string, (key: string) => readonly [string, Record<string, string>]>;

function asker(site: TestSite, address: string) {
  return async (way: keyof typeof ways, key: string): Promise<number> => {
    const [path, headers] = ways[way](key);
    const response = await fetch(`${site.url}${path}`, { headers: { ...headers, 'x-forwarded-for': address } });
    await response.text();
    return response.status;
  };
}

describeEachDatabase('refused keys', (database) => {
  it.each([
    ['one process', 1],
    ['two workers', 2],
  ])('are 401 a hundred times and then 429, over %s', async (_name, workers) => {
    const db = await prepareCliDatabase(await database.url());
    const together = workers === 1 ? {} : countTogether(systemClock);
    const sites: TestSite[] = [];
    while (sites.length < workers) sites.push(await startTestSite({ databaseUrl: db.url, env, ...together }));
    const from = (address: string) => sites.map((site) => asker(site, address));
    const guessers = from('198.51.100.7');
    const statuses: number[] = [];
    for (let count = 0; count < 104; count += 1) {
      const way = (['pages', 'free', 'banners'] as const)[count % 3] ?? 'pages';
      statuses.push((await guessers[count % guessers.length]?.(way, `a guess ${count}`)) ?? 0);
    }
    expect(statuses).toEqual([...Array<number>(100).fill(401), ...Array<number>(4).fill(429)]);
    for (const ask of from('198.51.100.200')) {
      // The same network. The answer does not reveal that a short key was right; a long one still works.
      expect([await ask('free', short), await ask('banners', long), await ask('banners', 'a guess')]).toEqual([
        429, 200, 429,
      ]);
    }
    for (const ask of from('198.51.101.7')) {
      expect([await ask('free', short), await ask('free', 'a guess'), await ask('pages', 'a guess')]).toEqual([
        200, 401, 401,
      ]);
    }
  });

  it('do not count where no key was sent', async () => {
    const db = await prepareCliDatabase(await database.url());
    const site = await startTestSite({ databaseUrl: db.url, env });
    for (let count = 0; count < 102; count += 1) {
      expect((await fetch(`${site.url}/banners/api.php/ads`)).status).toBe(401);
    }
  });
});
