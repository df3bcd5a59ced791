/** The settings of OAuth and of bodies: what they accept. */
import { expect, test } from 'vitest';
import { effectiveSettings } from '../../src/config/settings.js';

test.each([
  ['HCD_GATEWAY_OAUTH_ISSUER', 'https://example.com', 'gateway_oauth_issuer', 'https://example.com'],
  ['HCD_GATEWAY_OAUTH_ISSUER', 'https://example.com:8443/', 'gateway_oauth_issuer', 'https://example.com:8443'],
  ['HCD_GATEWAY_OAUTH_ISSUER', 'http://[::1]:8080', 'gateway_oauth_issuer', 'http://[::1]:8080'],
  ['HCD_GATEWAY_OAUTH_TOKEN_TTL', '60', 'gateway_oauth_token_ttl', 60],
  ['HCD_GATEWAY_MAX_BODY_BYTES', '1024', 'gateway_max_body_bytes', 1024],
] as const)('%s takes %s', (variable, text, key, value) => {
  const { values, problems } = effectiveSettings([], { [variable]: text });
  expect([values[key], problems]).toEqual([value, []]);
});

test.each([
  ['HCD_GATEWAY_OAUTH_ISSUER', 'example.com'],
  ['HCD_GATEWAY_OAUTH_ISSUER', 'https://example.com/path'],
  ['HCD_GATEWAY_OAUTH_ISSUER', 'https://user@example.com'],
  ['HCD_GATEWAY_OAUTH_ISSUER', 'javascript:alert(1)'],
  ['HCD_GATEWAY_OAUTH_TOKEN_TTL', '59'],
  ['HCD_GATEWAY_MAX_BODY_BYTES', '1023'],
])('%s does not take %s', (variable, text) => {
  const { values, problems } = effectiveSettings([], { [variable]: text });
  expect([values.gateway_oauth_issuer, values.gateway_oauth_token_ttl, values.gateway_max_body_bytes]).toEqual([
    '',
    3600,
    1_048_576,
  ]);
  expect(problems).toHaveLength(1);
});
