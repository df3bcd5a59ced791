/** Settings of the banners whose values have rules of their own. */
import { describe, expect, test } from 'vitest';
import { effectiveSettings, formatSetting, parseSetting, type SettingKey } from '../../src/config/settings.js';

const digest = 'a'.repeat(64);

test.each<[key: SettingKey, text: string, value: unknown]>([
  ['banners_timezone', 'UTC', 'UTC'],
  ['banners_timezone', 'Europe/Berlin', 'Europe/Berlin'],
  ['banners_timezone', 'America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['banners_click', 'go', 'go'],
  ['banners_click', 'bannerclick', 'bannerclick'],
  ['banners_utm_campaign', '', ''],
  ['banners_utm_campaign', 'Лето {ad_id}', 'Лето {ad_id}'],
  ['banners_webhook_url', '', ''],
  ['banners_webhook_url', 'https://example.com/hook?x=1', 'https://example.com/hook?x=1'],
  ['banners_clicks_retention_days', '0', 0],
  ['banners_ab_ttl', '365', 365],
  ['banners_media_source', '7', 7],
  ['banners_api_key_previous_ends', '', null],
  ['banners_api_key_previous_ends', '2026-11-21T09:30:00Z', 1_795_253_400],
  ['banners_api_read_keys', `shop:${digest},app-2:${digest}`, [`shop:${digest}`, `app-2:${digest}`]],
  ['banners_api_read_keys', '', []],
])('%s takes %j', (key, text, value) => {
  expect(parseSetting(key, text)).toEqual({ ok: true, value });
  expect(parseSetting(key, formatSetting(key, value))).toEqual({ ok: true, value });
});

test.each<[key: SettingKey, text: string]>([
  ['banners_timezone', ''],
  ['banners_timezone', 'Mars/Olympus'],
  ['banners_timezone', '+02:00'],
  ['banners_timezone', 'Europe/Berlin '],
  ['banners_click', ''],
  ['banners_click', 'a/b'],
  ['banners_click', 'api'],
  ['banners_impression', 'slots'],
  ['banners_utm_source', 'a\nb'],
  ['banners_webhook_url', 'ftp://example.com'],
  ['banners_webhook_url', 'example.com/hook'],
  ['banners_webhook_secret', 'short'],
  ['banners_clicks_retention_days', '-1'],
  ['banners_ab_ttl', '0'],
  ['banners_attribution_ttl', '366'],
  ['banners_media_source', 'default'],
  ['banners_api_key', 'short'],
  ['banners_api_key_previous_ends', 'tomorrow'],
  ['banners_api_read_keys', 'shop'],
  ['banners_api_read_keys', `Shop:${digest}`],
  ['banners_api_read_keys', `shop:${digest},shop:${digest}`],
])('%s refuses %j', (key, text) => {
  expect(parseSetting(key, text).ok).toBe(false);
});

describe('addresses that clash', () => {
  const stored = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([key, value]) => ({ key, value }));
  const same = (key: string, other: string, value: string) =>
    `${key} must differ from ${other}: both are ${value}, so the server cannot distinguish clicks from impressions`;

  test.each<
    [
      name: string,
      values: Readonly<Record<string, string>>,
      env: Readonly<Record<string, string>>,
      expected: readonly [click: string, impression: string],
      problem: string,
    ]
  >([
    [
      'the address of clicks is the standard one of impressions',
      { banners_click: 'bannerimpression' },
      {},
      ['bannerclick', 'bannerimpression'],
      same('banners_click', 'banners_impression', 'bannerimpression'),
    ],
    [
      'both have one of their own, which is the same',
      { banners_click: 'go', banners_impression: 'go' },
      {},
      ['go', 'bannerimpression'],
      same('banners_impression', 'banners_click', 'go'),
    ],
    [
      'the environment gives the other one',
      { banners_impression: 'go' },
      { HCD_BANNERS_CLICK: 'go' },
      ['go', 'bannerimpression'],
      same('banners_impression', 'banners_click', 'go'),
    ],
    [
      'the gateway is at the top under v1',
      { banners_click: 'v1', gateway_api_prefix: '/' },
      {},
      ['bannerclick', 'bannerimpression'],
      'banners_click must not be v1: gateway_api_prefix already uses that address',
    ],
  ])(
    '%s: one of them gets its default, and the problem is reported',
    (_name, values, env, [click, impression], problem) => {
      const { values: found, problems } = effectiveSettings(stored(values), env);
      expect([found.banners_click, found.banners_impression]).toEqual([click, impression]);
      expect(problems).toEqual([{ key: problem.split(' ')[0], source: 'database', problem, clashes: true }]);
    },
  );

  test.each([
    [{ banners_click: 'go', banners_impression: 'seen' }],
    [{ banners_click: 'bannerimpression', banners_impression: 'bannerclick' }],
    [{ banners_click: 'v1' }],
    [{ banners_click: 'rest', gateway_api_prefix: '/rest' }],
  ])('%j do not', (values) => {
    expect(effectiveSettings(stored(values), {}).problems).toEqual([]);
  });
});
