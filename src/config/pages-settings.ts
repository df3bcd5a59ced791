/** Settings of the page delivery API. */
import { corsOriginsValue, everyOrigin } from './cors-values.js';
import { pageTokensValue } from './page-token-list.js';
import { publicUrlValue } from './public-url-value.js';
import { rowOf } from './setting-row.js';
import { booleanValue, integerValue, listValue, textValue } from './value-type.js';

const pages = rowOf('pages');

export const pagesSettings = Object.freeze({
  pages_rest_api_enabled: pages<boolean>({
    type: booleanValue,
    default: false,
    description: 'Serves the page delivery API.',
  }),
  pages_public_url: pages<string>({
    type: publicUrlValue,
    default: '',
    description:
      'Address under which clients find this server, such as https://example.com: for the OpenAPI document of the page delivery API. Empty = addresses without a host.',
  }),
  pages_rest_tokens: pages<string>({
    type: pageTokensValue,
    default: '[]',
    secret: true,
    managedBy: 'hcd token',
    description: 'The tokens of the page delivery API with their digests; changed by hcd token only.',
  }),
  pages_rest_token_pepper: pages<string>({
    type: textValue({
      accepts: 'a text of 16 to 128 visible characters without commas, or empty for the site id',
      pattern: /^(?:[!-+\--~]{16,128})?$/,
    }),
    default: '',
    secret: true,
    description: 'Goes into the digest of every page token that is made or verified; empty = the site id.',
  }),
  pages_rest_token_old_peppers: pages<readonly string[]>({
    type: listValue(textValue({ accepts: 'a text of 1 to 128 visible characters', pattern: /^[!-~]{1,128}$/ }), {
      accepts: 'a comma list of earlier peppers or site ids',
    }),
    default: Object.freeze([]),
    secret: true,
    description: 'Earlier peppers, for verifying only: tokens made under them work until the pepper leaves the list.',
  }),
  pages_rest_throttle_per_minute: pages<number>({
    type: integerValue({ min: 0, max: 1_000_000_000 }),
    default: 120,
    unit: 'requests',
    description: 'Requests with one page token in one minute, whatever addresses they come from; 0 is unlimited.',
  }),
  pages_public_api_enabled: pages<boolean>({
    type: booleanValue,
    default: false,
    description: 'Serves the free page API, by which published pages are read without a token.',
  }),
  pages_public_api_key: pages<string>({
    // Whatever text it is, it is the key: one that was not accepted would leave the API open.
    type: textValue({ accepts: 'a text, or empty for none', pattern: /^[\s\S]*$/ }),
    default: '',
    secret: true,
    kept: 'digest',
    description:
      'The key that every call of the free page API must carry, or sha256: and its SHA-256, as which hcd stores it; empty = none is asked for.',
  }),
  pages_public_api_cors_origins: pages<readonly string[]>({
    type: corsOriginsValue,
    default: Object.freeze([everyOrigin]),
    description: 'Origins whose web pages may use the free page API, compared exactly; * is every origin.',
  }),
});
