/** The database goes away under the running server: 503 in time and in due form, no restart needed afterwards. */
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { servingLimits } from '../../src/store/base/limits.js';
import { describeWithOwnMariadb, executeOnMariadb, type MariadbServer, startMariadb } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { type Got, startTestSite, type TestSite } from '../support/site.js';

describeWithOwnMariadb('the gateway', () => {
  let server: MariadbServer;
  let site: TestSite;

  beforeAll(async () => {
    server = await startMariadb();
    await executeOnMariadb(server.url, ['CREATE DATABASE site']);
    site = await startTestSite({ databaseUrl: `${server.url}/site`, limits: servingLimits });
    await seed(site.store, { site_content: [{ id: 1, pagetitle: 'Home', uri: 'index.html' }] });
  });

  /** Asks until the answer is 200; the wait grows no longer than a few seconds. */
  async function recovered(): Promise<Got> {
    const deadline = performance.now() + 20_000;
    let got = await site.get('/resources/1');
    while (got.status !== 200 && performance.now() < deadline) {
      await setTimeout(100);
      got = await site.get('/resources/1');
    }
    return got;
  }

  async function expectUnavailable(): Promise<void> {
    const started = performance.now();
    const paths = ['/resources', '/resources/1', '/pages/index', '/resources?q=home', '/resources?include=children'];
    const answers = await Promise.all(paths.map((path) => site.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 503));
    for (const { headers, body, text } of answers) {
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(body).toMatchObject({ status: 503, code: 'unavailable' });
      expect(text).not.toMatch(/127\.0\.0\.1|ECONN|SELECT/);
    }
    const health = await site.get('/health');
    expect([health.status, health.body['data']]).toEqual([
      503,
      { status: 'degraded', database: false, timestamp: expect.any(String) },
    ]);
    // Every answer or refusal comes within 6 s (limits of the store); the two waves follow each other.
    expect(performance.now() - started).toBeLessThan(13_000);
    // What needs no database is still served.
    expect((await site.get('/schema')).status).toBe(200);
  }

  it('answers 503 while the server is dead and recovers with it', async () => {
    expect((await site.get('/resources/1')).status).toBe(200);
    await server.kill();
    await expectUnavailable();
    await server.restart();
    expect((await recovered()).body).toMatchObject({ data: { id: 1 } });
    expect((await site.get('/health')).status).toBe(200);
  });

  it('answers 503 while the server is frozen and recovers with it', async () => {
    await server.freeze();
    try {
      await expectUnavailable();
    } finally {
      server.thaw();
    }
    expect((await recovered()).body).toMatchObject({ data: { id: 1 } });
  });

  it('logs each loss and each recovery once', async () => {
    const told = () => site.log.flatMap(({ kind }) => (kind.startsWith('store_') ? [kind] : []));
    await expect.poll(() => told().at(-1)).toBe('store_recovered');
    // The second loss may have been over before the settings were read again.
    expect(told().slice(0, 2)).toEqual(['store_unavailable', 'store_recovered']);
    expect(told().length).toBeLessThanOrEqual(4);
    expect(site.log.filter(({ kind }) => kind === 'unexpected_error')).toEqual([]);
  });
});
