/** Settings of the banner API: who is let in, from where, how often, and where banners have their images and hours. */

import { accept } from '../values/checked.js';
import { corsOriginsValue, publicUrlValue } from './address-values.js';
import { readKeysValue } from './banner-read-keys.js';
import { bannerTrackingSettings } from './banner-tracking-settings.js';
import { rowsOf } from './setting-row.js';
import { optionalTimeValue } from './time-values.js';
import { refusal, textValue, type ValueType } from './value-type.js';

const accepts = 'the IANA name of a time zone such as UTC or Europe/Berlin';

/** Fixed offsets such as +02:00 are refused: they have no summer time, and databases write them differently. */
const timeZoneValue: ValueType<string> = {
  kind: 'text',
  accepts,
  parse: (text) => (isTimeZone(text) ? accept(text) : refusal(accepts, text)),
  format: (zone) => zone,
};

function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    // The constructor is the only question that the runtime answers about one name.
    return false;
  }
}

const { integer, off, row } = rowsOf('banners');

const keyValue = textValue({
  accepts: 'a key of 16 to 128 visible characters, or empty for none',
  pattern: /^([!-~]{16,128})?$/,
});

export const bannerSettings = Object.freeze({
  banners_api_enabled: off('Serves the banner API.'),
  banners_public_url: row(
    { type: publicUrlValue, default: '' },
    'Public address of this server for click and pixel links, such as https://example.com. Empty = the address that a trusted proxy sends, else site_url, else the address that it listens on.',
  ),
  banners_api_key: row(
    { type: keyValue, default: '', secret: true },
    'The key that every call of the banner API must carry. If it is empty when the API is switched on, hcd creates one.',
  ),
  banners_api_key_previous: row(
    { type: keyValue, default: '', secret: true },
    'The key before the last rotation; works next to the new one until banners_api_key_previous_ends.',
  ),
  banners_api_key_previous_ends: row(
    { type: optionalTimeValue, default: null },
    'When the previous key stops working; empty = it does not work at all.',
  ),
  banners_api_read_keys: row(
    { type: readKeysValue, default: Object.freeze([]), secret: true },
    'Keys that can read but not write, as name:digest; the digest is the SHA-256 of the key in hexadecimal.',
  ),
  banners_api_write_enabled: off('Lets callers of the banner API create and change banners; commands always can.'),
  banners_api_rate_limit: integer(
    { min: 0, max: 1_000_000_000, default: 0, unit: 'requests' },
    'Requests with one key in one minute; 0 is unlimited.',
  ),
  banners_api_cors_origin: row(
    { type: corsOriginsValue, default: Object.freeze([]) },
    'Origins whose web pages may use the banner API, compared exactly; * is every origin.',
  ),
  banners_timezone: row(
    { type: timeZoneValue, default: 'UTC' },
    'Time zone of show_hours and of the days in statistics.',
  ),
  banners_media_source: integer(
    { min: 0, max: 4_294_967_295, default: 0 },
    "Media source of banners without their own; 0 = the site's default source.",
  ),
  ...bannerTrackingSettings,
});
