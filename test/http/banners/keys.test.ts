/** The keys of the banner API at its door: made when it is turned on, rotated with an overlap, reading only. */
import { expect, it, test } from 'vitest';
import { sha256Hex } from '../../../src/crypto/primitives.js';
import { changeSetting } from '../../../src/operations/settings/change-setting.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { startTestSite } from '../../support/site.js';

const entry = '/banners/api.php';
const current = 'current-key-of-the-api';
const previous = 'previous-key-of-the-api';
const reading = 'br_reading-key-of-the-api';
const on = { banners_api_enabled: true, banners_api_key: current };
const withReader = { ...on, banners_api_read_keys: [`shop:${sha256Hex(reading)}`] };

const statusOf = async ({ ask }: TestServer, key: string) =>
  (await ask(entry, { headers: { 'X-API-Key': key } })).status;

test('the key before the last rotation works until its end', async () => {
  const clock = fakeClock();
  const server = await startTestServer({
    clock,
    settings: { ...on, banners_api_key_previous: previous, banners_api_key_previous_ends: clock.now() / 1000 + 60 },
  });
  for (const [passed, expected] of [
    [0, 200],
    [59_999, 200],
    [1, 401],
  ] as const) {
    await clock.advance(passed);
    expect([await statusOf(server, current), await statusOf(server, previous)]).toEqual([200, expected]);
  }
});

test.each([
  ['without an end', previous, null],
  ['while it is empty', '', 9_999_999_999],
])('a previous key is none %s', async (_name, key, ends) => {
  const server = await startTestServer({
    settings: { ...on, banners_api_key_previous: key, banners_api_key_previous_ends: ends },
  });
  expect(await statusOf(server, key)).toBe(401);
});

test('a read-only key reads, and gets 403 when it writes', async () => {
  const server = await startTestServer({ settings: { ...withReader, banners_api_write_enabled: true } });
  const headers = { 'X-API-Key': reading, 'Content-Type': 'application/json' };
  const answers = async (method: string, route: string) => {
    const { status, text } = await server.ask(`${entry}?route=${route}`, { method, headers, body: '{' });
    return [status, text];
  };
  expect(await statusOf(server, reading)).toBe(200);
  const refusal = [403, '{"success":false,"message":"this key may only read"}'];
  expect(await answers('POST', '/ads')).toEqual(refusal);
  expect(await answers('PATCH', '/ads/1')).toEqual(refusal);
  expect(await answers('POST', '/conversions')).toEqual(refusal);
  server.set({ banners_api_write_enabled: false });
  expect(await answers('POST', '/ads')).toEqual([403, '{"success":false,"message":"write disabled"}']);
  // The digest itself is no key.
  expect(await statusOf(server, sha256Hex(reading))).toBe(401);
  const identities = server.log.flatMap((fact) => (fact.kind === 'request_finished' ? [fact.identityId] : []));
  expect(identities).toContain('banners_read:shop');
});

test('each key has a rate limit of its own', async () => {
  const server = await startTestServer({ settings: { ...withReader, banners_api_rate_limit: 1 } });
  const statuses = [];
  for (const key of [current, current, reading, reading]) statuses.push(await statusOf(server, key));
  expect(statuses).toEqual([200, 429, 200, 429]);
});

describeEachDatabase('a server whose banner API has no key', (database) => {
  it('makes one at its start when the API is on', async () => {
    const site = await startTestSite({ databaseUrl: await database.url(), env: { HCD_BANNERS_API_ENABLED: '1' } });
    const key = site.live.current().settings.values.banners_api_key;
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    const { status } = await fetch(`${site.url}${entry}`, { headers: { 'x-api-key': key } });
    expect(status).toBe(200);
  });

  it('makes one when the API is turned on', async () => {
    const site = await startTestSite({ databaseUrl: await database.url() });
    const key = () => site.live.current().settings.values.banners_api_key;
    expect(key()).toBe('');
    const change = { key: 'banners_api_enabled', context: null, env: {}, text: '1', force: false, rootSecret: null };
    await changeSetting(site.store, change);
    await site.live.refresh();
    // It is created in the background and seen with the next read of the settings.
    await expect.poll(key).toMatch(/^[0-9a-f]{32}$/);
  });
});
