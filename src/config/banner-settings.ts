/** Settings of the banner API: who is let in, from where, how often, and where banners have their images and hours. */
import { readKeysValue } from './banner-read-keys.js';
import { bannerTrackingSettings } from './banner-tracking-settings.js';
import { corsOriginsValue } from './cors-values.js';
import { publicUrlValue } from './public-url-value.js';
import { rowOf } from './setting-row.js';
import { optionalTimeValue } from './time-values.js';
import { timeZoneValue } from './time-zone-value.js';
import { booleanValue, integerValue, textValue } from './value-type.js';

const banners = rowOf('banners');

const keyValue = textValue({
  accepts: 'a key of 16 to 128 visible characters, or empty for none',
  pattern: /^([!-~]{16,128})?$/,
});

export const bannerSettings = Object.freeze({
  banners_api_enabled: banners<boolean>({
    type: booleanValue,
    default: false,
    description: 'Serves the banner API.',
  }),
  banners_public_url: banners<string>({
    type: publicUrlValue,
    default: '',
    description:
      'Address under which visitors find this server, such as https://example.com: for clicks and pixels. Empty = as a trusted proxy says, else site_url, else where it listens.',
  }),
  banners_api_key: banners<string>({
    type: keyValue,
    default: '',
    secret: true,
    description:
      'The key that every call of the banner API must carry. One is made while it is empty and the API is switched on; nobody is let in without it.',
  }),
  banners_api_key_previous: banners<string>({
    type: keyValue,
    default: '',
    secret: true,
    description: 'The key before the last rotation; works beside the new one until banners_api_key_previous_ends.',
  }),
  banners_api_key_previous_ends: banners<number | null>({
    type: optionalTimeValue,
    default: null,
    description: 'When the previous key stops working; empty = it does not work at all.',
  }),
  banners_api_read_keys: banners<readonly string[]>({
    type: readKeysValue,
    default: Object.freeze([]),
    secret: true,
    description:
      'Keys that may read and not write, as name:digest; the digest is the SHA-256 of the key in hexadecimal.',
  }),
  banners_api_write_enabled: banners<boolean>({
    type: booleanValue,
    default: false,
    description: 'Lets the banner API create and change banners; commands may always.',
  }),
  banners_api_rate_limit: banners<number>({
    type: integerValue({ min: 0, max: 1_000_000_000 }),
    default: 0,
    unit: 'requests',
    description: 'Requests with one key in one minute; 0 is unlimited.',
  }),
  banners_api_cors_origin: banners<readonly string[]>({
    type: corsOriginsValue,
    default: Object.freeze([]),
    description: 'Origins whose web pages may use the banner API, compared exactly; * is every origin.',
  }),
  banners_timezone: banners<string>({
    type: timeZoneValue,
    default: 'UTC',
    description: 'Time zone of show_hours, of the days of statistics and of their dates.',
  }),
  banners_media_source: banners<number>({
    type: integerValue({ min: 0, max: 4_294_967_295 }),
    default: 0,
    description: "Media source of banners that name none; 0 = the site's default source.",
  }),
  ...bannerTrackingSettings,
});
