/** The settings for cross-origin calls: which texts are origins, and that every origin never goes with credentials. */
import { describe, expect, it, test } from 'vitest';
import { corsOriginsValue, headerNamesValue } from '../../src/config/address-values.js';
import { effectiveSettings } from '../../src/config/settings.js';

test.each<[name: string, text: string, origins: readonly string[] | null]>([
  ['nothing', '', []],
  ['every origin', ' * ', ['*']],
  ['one', 'https://www.example.com', ['https://www.example.com']],
  ['several, with spaces', 'https://a.example , http://localhost:5173', ['https://a.example', 'http://localhost:5173']],
  ['an address', 'http://[::1]:8080,http://192.0.2.1', ['http://[::1]:8080', 'http://192.0.2.1']],
  ['an app', 'capacitor://localhost', ['capacitor://localhost']],
  ['every origin next to a named one', '*,https://a.example', null],
  ['null', 'null', null],
  ['a pattern', 'https://*.example.com', null],
  ['a trailing slash', 'https://a.example/', null],
  ['a path', 'https://a.example/x', null],
  ['upper case', 'https://A.example', null],
  ['the default port', 'https://a.example:443', null],
  ['a name and password', 'https://u:p@a.example', null],
  ['a bare host', 'a.example', null],
  ['no host', 'https://', null],
  ['an empty element', 'https://a.example,', null],
  ['a line break', 'https://a.example\nX: 1', null],
])('origins: %s', (_name, text, origins) => {
  const parsed = corsOriginsValue.parse(text);
  expect(parsed.ok ? parsed.value : null).toEqual(origins);
});

test.each<[text: string, accepted: boolean]>([
  ['', true],
  ['GET,POST, PUT', true],
  ['*', true],
  ['X-A\r\nSet-Cookie: a', false],
  ['X-A\n', false],
  // Its lower byte is a line feed.
  ['X-A\u010a', false],
  ['X A', false],
  ['X-A,', false],
])('names for a header: %j', (text, accepted) => {
  expect(headerNamesValue.parse(text).ok).toBe(accepted);
});

describe('every origin together with credentials', () => {
  const origins = { key: 'gateway_cors_allowed_origins', value: '*' };
  const credentials = { key: 'gateway_cors_allow_credentials', value: '1' };

  it.each([
    ['both stored', [origins, credentials], {}, 'database'],
    ['the origins in the environment', [credentials], { HCD_GATEWAY_CORS_ALLOWED_ORIGINS: '*' }, 'database'],
    ['the credentials in the environment', [origins], { HCD_GATEWAY_CORS_ALLOW_CREDENTIALS: '1' }, 'environment'],
  ] as const)('is not honoured and reported: %s', (_name, rows, env, source) => {
    const { values, problems, sources } = effectiveSettings(rows, env);
    expect([values.gateway_cors_allow_credentials, sources.gateway_cors_allow_credentials]).toEqual([false, 'default']);
    expect(problems).toEqual([
      {
        key: 'gateway_cors_allow_credentials',
        source,
        problem:
          'gateway_cors_allow_credentials must be off while gateway_cors_allowed_origins is *: any web page could act as its visitor',
        unsafe: true,
      },
    ]);
  });

  it('is fine while the environment lists origins', () => {
    const env = { HCD_GATEWAY_CORS_ALLOWED_ORIGINS: 'https://a.example' };
    const { values, problems } = effectiveSettings([origins, credentials], env);
    expect([values.gateway_cors_allow_credentials, problems]).toEqual([true, []]);
  });
});
