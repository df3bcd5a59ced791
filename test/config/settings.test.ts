/** Runtime settings: defaults, the three sources, and bad values that never stop the program. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { variableOf } from '../../src/config/definitions.js';
import {
  effectiveSettings,
  formatSetting,
  isSettingKey,
  parseSetting,
  settingDefinition,
  settingKeys,
} from '../../src/config/settings.js';

/** docs/settings.md, which a test compares with the program, has all of them. */
const { values: defaults } = effectiveSettings([], {});

describe('runtime settings', () => {
  it('have their defaults where nothing is set', () => {
    const snapshot = effectiveSettings([], {});
    // What the interfaces promise; docs/settings.md, which follows the program, has all of them.
    expect(snapshot.values).toMatchObject({
      ...{ gateway_enabled: true, gateway_api_prefix: '/api', gateway_context: 'web', gateway_cache_ttl: 300 },
      ...{ gateway_allowed_contexts: ['web', 'mgr'], gateway_max_limit: 100, gateway_csrf_enabled: true },
      ...{ gateway_oauth_enabled: false, gateway_oauth_password_grant_enabled: false, gateway_oauth_token_ttl: 3600 },
      ...{ gateway_idempotency_enabled: true, gateway_idempotency_ttl: 86_400, gateway_audit_enabled: false },
      ...{ gateway_webhook_max_attempts: 12, gateway_tv_validation: 'warn', media_max_bytes: 20_971_520 },
      ...{ gateway_rate_limit_enabled: true, gateway_rate_limit_max_requests: 120 },
      ...{ gateway_rate_limit_window_seconds: 60, gateway_cors_enabled: false, gateway_redirects: false },
      ...{ pages_rest_api_enabled: false, pages_public_api_enabled: false, pages_rest_throttle_per_minute: 120 },
      ...{ banners_api_enabled: false, banners_api_write_enabled: false, banners_track_impressions: false },
      ...{ banners_click: 'bannerclick', banners_impression: 'bannerimpression', banners_store_full_ip: false },
    });
    expect(new Set(Object.values(snapshot.sources))).toEqual(new Set(['default']));
    expect(snapshot.problems).toEqual([]);
    expect([snapshot, snapshot.values, snapshot.sources, snapshot.problems].every(Object.isFrozen)).toBe(true);
  });

  it('come from the environment before the database before the default', () => {
    const rows = [
      { key: 'gateway_cache_ttl', value: '60' },
      { key: 'gateway_max_limit', value: '10' },
      { key: 'site_name', value: 'Example' },
    ];
    const snapshot = effectiveSettings(rows, { HCD_GATEWAY_CACHE_TTL: '30', HCD_GATEWAY_MAX_FIELDS: '' });
    expect(snapshot.values).toEqual({ ...defaults, gateway_cache_ttl: 30, gateway_max_limit: 10 });
    expect(snapshot.sources).toMatchObject({
      gateway_cache_ttl: 'environment',
      gateway_max_limit: 'database',
      gateway_max_fields: 'default',
    });
    expect(snapshot.problems).toEqual([]);
  });

  it('count a bad value as absent and say so', () => {
    const rows = [
      { key: 'gateway_cache_ttl', value: 'forever' },
      { key: 'gateway_max_limit', value: '10' },
    ];
    const snapshot = effectiveSettings(rows, { HCD_GATEWAY_MAX_LIMIT: '0' });
    expect([snapshot.values.gateway_cache_ttl, snapshot.sources.gateway_cache_ttl]).toEqual([300, 'default']);
    expect([snapshot.values.gateway_max_limit, snapshot.sources.gateway_max_limit]).toEqual([10, 'database']);
    expect(snapshot.problems).toEqual([
      {
        key: 'gateway_cache_ttl',
        source: 'database',
        problem: 'gateway_cache_ttl must be an integer from 0 to 31536000, not "forever"',
      },
      {
        key: 'gateway_max_limit',
        source: 'environment',
        problem: 'gateway_max_limit must be an integer from 1 to 10000, not "0"',
      },
    ]);
  });

  it('do not repeat a refused credential', () => {
    const { problems } = effectiveSettings([{ key: 'banners_api_key', value: 'short' }], {});
    expect(problems.map(({ problem }) => problem)).toEqual([
      'banners_api_key must be a key of 16 to 128 visible characters, or empty for none',
    ]);
  });

  it.each([
    ['gateway_context', 'shop', 'shop'],
    ['gateway_context', 'MGR', 'web'],
    ['gateway_context', '', 'web'],
    ['gateway_api_prefix', '/content/', '/content'],
    ['gateway_api_prefix', '/', ''],
    ['gateway_enabled', '', false],
    ['gateway_enabled', 'off', false],
    ['gateway_trusted_proxies', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ] as const)('%s reads %j as %j', (key, text, value) => {
    expect(parseSetting(key, text)).toEqual({ ok: true, value });
  });

  it.each([
    ['gateway_api_prefix', 'api', 'must be a path that starts with / and has no query, such as /api, not "api"'],
    ['gateway_api_prefix', '/a?b', 'must be a path that starts with / and has no query, such as /api, not "/a?b"'],
    [
      'gateway_allowed_contexts',
      '',
      'must be a comma list, each element a context key: up to 100 characters of A-Z a-z 0-9 _ - ., not ""',
    ],
    [
      'gateway_trusted_proxies',
      '10.0.0.0/8\nx',
      'must be a comma list, each element an IP address or CIDR block, not "10.0.0.0/8\\nx"',
    ],
  ] as const)('%s refuses %j', (key, text, problem) => {
    expect(parseSetting(key, text)).toEqual({ ok: false, problem });
  });

  it.each([
    '',
    'https://example.com',
    'http://localhost:3000/preview/{uri}?preview_token={token}',
    'https://example.com/{context}/draft?uri={uri}&id={id}&token={token}#top',
    'http://[::1]:3000/?page={id}',
  ])('take %j as the address of previews in a frontend', (text) => {
    expect(parseSetting('gateway_preview_url', text)).toEqual({ ok: true, value: text });
  });

  it.each([
    ...['javascript:alert({id})', 'ftp://example.com/{uri}', '/draft?uri={uri}', 'example.com/{uri}'],
    ...[
      'https://{context}.example.com/',
      'https://example.com{uri}',
      'https://{uri}',
      'https://user@example.com/{uri}',
    ],
    ...[
      'https://example.com/{slug}',
      'https://example.com/{uri',
      'https://example.com/uri}',
      'https://example.com/{{uri}}',
    ],
    ...[
      'https://example.com/{URI }',
      'https://example.com/a b',
      'https://example.com/\n',
      'https://example.com:99999/{id}',
    ],
  ])('refuse %j as the address of previews in a frontend', (text) => {
    expect(parseSetting('gateway_preview_url', text)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('{uri}, {id}, {context} or {token} after its host'),
    });
  });

  it.each(settingKeys)('%s has a sentence, its API in its name, and a default that it accepts', (key) => {
    const definition = settingDefinition(key);
    expect(definition.description).toMatch(/^[A-Z].*[.]$/);
    const prefixes = definition.api === 'gateway' ? ['gateway_', 'media_'] : [`${definition.api}_`];
    expect(prefixes.some((prefix) => key.startsWith(prefix))).toBe(true);
    expect(variableOf(key)).toBe(`HCD_${key.toUpperCase()}`);
    expect(parseSetting(key, formatSetting(key, definition.default))).toEqual({ ok: true, value: definition.default });
  });

  it('know only their own keys', () => {
    expect(['gateway_enabled', 'site_name', 'toString', '__proto__'].map(isSettingKey)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('give a whole snapshot for whatever the table and the environment hold', () => {
    const key = fc.oneof(fc.constantFrom(...settingKeys), fc.string());
    const rows = fc.array(fc.record({ key, value: fc.string() }));
    const env = fc.dictionary(fc.constantFrom(...settingKeys.map(variableOf)), fc.string());
    fc.assert(
      fc.property(rows, env, (stored, environment) => {
        const { values } = effectiveSettings(stored, environment);
        for (const name of settingKeys) {
          const { type } = settingDefinition(name);
          expect(type.parse(type.format(values[name]))).toEqual({ ok: true, value: values[name] });
        }
      }),
    );
  });
});
