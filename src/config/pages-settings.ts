/** Settings of the page delivery API. */
import { corsOriginsValue, everyOrigin, publicUrlValue } from './address-values.js';
import { pageTokensValue } from './page-token-list.js';
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
      'Public address of this server in the OpenAPI document of the page delivery API, such as https://example.com. Empty = addresses without a host.',
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
    description: 'Part of the digest of every page token; empty = the site id.',
  }),
  pages_rest_token_old_peppers: pages<readonly string[]>({
    type: listValue(textValue({ accepts: 'a text of 1 to 128 visible characters', pattern: /^[!-~]{1,128}$/ }), {
      accepts: 'a comma list of earlier peppers or site ids',
    }),
    default: Object.freeze([]),
    secret: true,
    description: 'Earlier peppers, which only verify: tokens made with one work until it leaves the list.',
  }),
  pages_rest_throttle_per_minute: pages<number>({
    type: integerValue({ min: 0, max: 1_000_000_000 }),
    default: 120,
    unit: 'requests',
    description: 'Requests with one page token in one minute, from all addresses together; 0 is unlimited.',
  }),
  pages_public_api_enabled: pages<boolean>({
    type: booleanValue,
    default: false,
    description: 'Serves the free page API, which gives published pages without a token.',
  }),
  pages_public_api_key: pages<string>({
    // Whatever text it is, it is the key: one that was not accepted would leave the API open.
    type: textValue({ accepts: 'a text, or empty for none', pattern: /^[\s\S]*$/ }),
    default: '',
    secret: true,
    kept: 'digest',
    description:
      'The key that every call of the free page API must carry, or sha256: and its SHA-256, which is how hcd stores it; empty = no key is required.',
  }),
  pages_public_api_cors_origins: pages<readonly string[]>({
    type: corsOriginsValue,
    default: Object.freeze([everyOrigin]),
    description: 'Origins whose web pages may use the free page API, compared exactly; * is every origin.',
  }),
});
