/** Settings of the banner API. */
import { corsOriginsValue } from './cors-values.js';
import { rowOf } from './setting-row.js';
import { booleanValue, integerValue, textValue } from './value-type.js';

const banners = rowOf('banners');

export const bannerSettings = Object.freeze({
  banners_api_enabled: banners<boolean>({
    type: booleanValue,
    default: false,
    description: 'Serves the banner API.',
  }),
  banners_api_key: banners<string>({
    type: textValue({
      accepts: 'a key of 16 to 128 visible characters, or empty for none',
      pattern: /^([!-~]{16,128})?$/,
    }),
    default: '',
    secret: true,
    description: 'The key that every call of the banner API must carry; while it is empty nobody is let in.',
  }),
  banners_api_rate_limit: banners<number>({
    type: integerValue({ min: 0, max: 1_000_000_000 }),
    default: 0,
    unit: 'requests',
    description: 'Requests with the key in one minute; 0 is unlimited.',
  }),
  banners_api_cors_origin: banners<readonly string[]>({
    type: corsOriginsValue,
    default: Object.freeze([]),
    description: 'Origins whose web pages may use the banner API, compared exactly; * is every origin.',
  }),
});
