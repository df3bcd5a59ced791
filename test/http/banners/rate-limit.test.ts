/** The banner API's rate limit: so many requests a minute with the key, refused in its own words. */
import { expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.js';
import { startTestServer } from '../../support/server.js';

const entry = '/banners/api.php';
const key = '0123456789abcdef0123456789abcdef';
const limited = { banners_api_enabled: true, banners_api_key: key, banners_api_rate_limit: 2 };
const withKey = { headers: { 'X-API-Key': key } };

test('answers 429 with Retry-After 60 over the limit, and accepts requests a minute later', async () => {
  const clock = fakeClock();
  const server = await startTestServer({ settings: limited, clock });
  const statuses = [(await server.ask(entry, withKey)).status, (await server.ask(entry, withKey)).status];
  await clock.advance(45_000);
  const refused = await server.ask(entry, withKey);
  expect([...statuses, refused.status]).toEqual([200, 200, 429]);
  expect(refused.json()).toEqual({ success: false, message: 'rate limit exceeded' });
  expect([refused.headers['retry-after'], refused.headers['x-ratelimit-limit']]).toEqual(['60', undefined]);
  await clock.advance(15_000);
  expect((await server.ask(entry, withKey)).status).toBe(200);
});

test('counts requests by key from every address and route, and none without a key', async () => {
  const server = await startTestServer({
    settings: { ...limited, gateway_trusted_proxies: ['127.0.0.1'] },
    clock: fakeClock(),
  });
  const wrong = { headers: { 'X-API-Key': 'wrong' } };
  for (let asked = 0; asked < 5; asked += 1) expect((await server.ask(entry, wrong)).status).toBe(401);
  expect((await server.ask(`${entry}?route=/nothing`, withKey)).status).toBe(404);
  const elsewhere = { headers: { ...withKey.headers, 'X-Forwarded-For': '192.0.2.7' } };
  expect((await server.ask(entry, elsewhere)).status).toBe(200);
  expect((await server.ask(entry, withKey)).status).toBe(429);
  expect((await server.ask(entry, wrong)).status).toBe(401);
});

test('is off by default', async () => {
  const server = await startTestServer({ settings: { ...limited, banners_api_rate_limit: 0 }, clock: fakeClock() });
  for (let asked = 0; asked < 5; asked += 1) expect((await server.ask(entry, withKey)).status).toBe(200);
});
