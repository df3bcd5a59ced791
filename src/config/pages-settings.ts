/** Settings of the page delivery API. */
import { corsOriginsValue, everyOrigin, publicUrlValue } from './address-values.js';
import { pageTokensValue } from './page-token-list.js';
import { rowsOf } from './setting-row.js';
import { listValue, textValue } from './value-type.js';

const { integer, off, row } = rowsOf('pages');

export const pagesSettings = Object.freeze({
  pages_rest_api_enabled: off('Serves the page delivery API.'),
  pages_public_url: row(
    { type: publicUrlValue, default: '' },
    'Public address of this server in the OpenAPI document of the page delivery API, such as https://example.com. Empty = addresses without a host.',
  ),
  pages_rest_tokens: row(
    { type: pageTokensValue, default: '[]', secret: true, managedBy: 'hcd token' },
    'The tokens of the page delivery API with their digests; changed by hcd token only.',
  ),
  pages_rest_token_pepper: row(
    {
      type: textValue({
        accepts: 'a text of 16 to 128 visible characters without commas, or empty for the site id',
        pattern: /^(?:[!-+\--~]{16,128})?$/,
      }),
      default: '',
      secret: true,
    },
    'Part of the digest of every page token; empty = the site id.',
  ),
  pages_rest_token_old_peppers: row(
    {
      type: listValue(textValue({ accepts: 'a text of 1 to 128 visible characters', pattern: /^[!-~]{1,128}$/ }), {
        accepts: 'a comma list of earlier peppers or site ids',
      }),
      default: Object.freeze([]),
      secret: true,
    },
    'Earlier peppers, which only verify: tokens made with one work until it leaves the list.',
  ),
  pages_rest_throttle_per_minute: integer(
    { min: 0, max: 1_000_000_000, default: 120, unit: 'requests' },
    'Requests with one page token in one minute, from all addresses together; 0 is unlimited.',
  ),
  pages_public_api_enabled: off('Serves the free page API, which gives published pages without a token.'),
  pages_public_api_key: row(
    {
      // Whatever text it is, it is the key: one that was not accepted would leave the API open.
      type: textValue({ accepts: 'a text, or empty for none', pattern: /^[\s\S]*$/ }),
      default: '',
      secret: true,
      kept: 'digest',
    },
    'The key that every call of the free page API must carry, or sha256: and its SHA-256, which is how hcd stores it; empty = no key is required.',
  ),
  pages_public_api_cors_origins: row(
    { type: corsOriginsValue, default: Object.freeze([everyOrigin]) },
    'Origins whose web pages may use the free page API, compared exactly; * is every origin.',
  ),
});
