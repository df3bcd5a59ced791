/** Clicks under kill -9 and SIGTERM, as processes: what was promised of them is in the store, and the sums fit the rows. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open/open.js';
import { startCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { openMigrated } from '../support/migrate.js';
import { expectSound } from '../support/sound-store.js';
import { makeTempDir } from '../support/temp-dir.js';

/** Milliseconds after which a click that is not durable must be there, and what a busy machine adds. */
const promised = 1000;
const busy = 500;
const rows = [
  "INSERT INTO hcd_ads (id, name, url, created_on, edited_on) VALUES (1, 'a', 'https://shop.example/', 1, 1)",
  "INSERT INTO hcd_ad_positions (id, name, created_on, edited_on) VALUES (1, 'p', 1, 1)",
  'INSERT INTO hcd_ad_links (id, ad, position) VALUES (1, 1, 1)',
];

/** Status of a click by a visitor; 0 when the process is gone. */
function click(port: number, visitor: number): Promise<number> {
  const from = `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`;
  return new Promise((resolve) => {
    request(
      { host: '127.0.0.1', port, path: '/bannerclick/1', headers: { 'x-forwarded-for': from, 'user-agent': 'test' } },
      (response) => response.resume().once('close', () => resolve(response.statusCode ?? 0)),
    )
      .once('error', () => resolve(0))
      .end();
  });
}

describeEachDatabase('recorded clicks', (kind) => {
  const trial = async (options: { readonly durable: boolean; readonly signal: 'SIGKILL' | 'SIGTERM' }) => {
    const databaseUrl = await kind.url();
    const before = await openMigrated({ databaseUrl, prefix: 'modx_' });
    await before.own.write(async (tx) => {
      for (const sql of rows) await tx.run({ sql, params: [] });
    });
    await before.close();
    const port = await freePort();
    const running = startCli(`serve banners --port ${port}`, {
      cwd: await makeTempDir('clicks'),
      env: {
        HCD_DATABASE_URL: databaseUrl,
        HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
        HCD_BANNERS_STORE_FULL_IP: '1',
        HCD_BANNERS_TRACKING_DURABLE: options.durable ? '1' : '0',
      },
    });
    await running.waitForStderr('listening on http://');
    const answeredAt: { readonly visitor: number; readonly at: number }[] = [];
    let ended = false;
    let visitor = 0;
    const visit = async (): Promise<void> => {
      while (!ended) {
        visitor += 1;
        const mine = visitor;
        if ((await click(port, mine)) === 302) answeredAt.push({ visitor: mine, at: performance.now() });
      }
    };
    const visitors = Array.from({ length: 8 }, visit);
    await expect.poll(() => answeredAt.length).toBeGreaterThan(300);
    const oldest = answeredAt[0]?.at ?? 0;
    await expect.poll(() => performance.now() - oldest).toBeGreaterThan(promised + busy + 500);
    const killedAt = performance.now();
    running.kill(options.signal);
    const { code } = await running.outcome;
    ended = true;
    await Promise.all(visitors);
    const store = await openStore({ databaseUrl, prefix: 'modx_' });
    // In one look: a server may still commit the last transaction of a process that is dead.
    const sql = 'SELECT ip, (SELECT SUM(clicks) FROM hcd_ad_days) FROM hcd_ad_clicks';
    const kept = await store.own.select({ sql, params: [] });
    await store.close();
    await expectSound(databaseUrl);
    const known = new Set(kept.map(([ip]) => String(ip)));
    const missing = answeredAt.filter((one) => {
      const { visitor: n } = one;
      return !known.has(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    });
    return { code, missing, killedAt, answered: answeredAt.length, kept: kept.length, sum: Number(kept[0]?.[1]) };
  };

  test('survive kill -9 when tracking is durable', async () => {
    const { missing, kept, sum } = await trial({ durable: true, signal: 'SIGKILL' });
    expect(missing).toEqual([]);
    expect(sum).toBe(kept);
  });

  test('survive kill -9 except for the last second', async () => {
    const { missing, killedAt, kept, sum, answered } = await trial({ durable: false, signal: 'SIGKILL' });
    expect(missing.filter(({ at }) => at < killedAt - promised - busy)).toEqual([]);
    expect(kept).toBeGreaterThan(answered / 4);
    expect(sum).toBe(kept);
  });

  test('survive SIGTERM', async () => {
    const { code, missing, kept, sum } = await trial({ durable: false, signal: 'SIGTERM' });
    expect([code, missing]).toEqual([0, []]);
    expect(sum).toBe(kept);
  });
});
