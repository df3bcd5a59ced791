/** Settings of the banner API: callers, images, hours, clicks and impressions, how long they are kept, and messages. */
import { refuse } from '../values/checked.js';
import { parseUrl } from '../values/text.js';
import { largestUnsigned } from '../values/unsigned.js';
import { corsOriginsValue, publicUrlValue } from './address-values.js';
import { integerValue, listValue, optionalTimeValue, rowsOf, textValue, type ValueType } from './value-type.js';

const { integer, off, row } = rowsOf('banners');

/** Fixed offsets such as +02:00 have no summer time, and databases write them differently. */
const timeZoneValue = textValue({
  accepts: 'the IANA name of a time zone such as UTC or Europe/Berlin',
  isAccepted: isTimeZone,
});

function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    // The constructor is the only check for a single name.
    return false;
  }
}

const keyValue = textValue({
  accepts: 'a key of 16 to 128 visible characters, or empty for none',
  pattern: /^([!-~]{16,128})?$/,
});

/** First segments of addresses that other parts of the server answer. */
const segmentValue = textValue({
  accepts: 'one path segment of 1 to 64 letters, digits, - and _, other than api, banners, docs, pages and slots',
  pattern: /^(?!(?:api|banners|docs|pages|slots)$)[A-Za-z0-9_-]{1,64}$/,
});

/** Goes into a query parameter, where every character has a form. */
const utmValue = textValue({ accepts: 'a text of at most 255 characters', pattern: /^[^\p{Cc}]{0,255}$/u });

/** An address may carry a password. */
const receiverValue = textValue({
  accepts: 'an http or https address, or empty for none',
  isAccepted: (text) => text === '' || (/^https?:\/\/[^\s\\]+$/i.test(text) && parseUrl(text) !== null),
  isPrivate: true,
});

const retentionValue = integerValue({ min: 0, max: 36_500 });
const cookieDaysValue = integerValue({ min: 1, max: 365 });

const readKeyForm = /^([a-z0-9][a-z0-9_-]{0,39}):([0-9a-f]{64})$/;

const readKeyList = listValue(
  textValue({
    accepts: 'a name of a-z, 0-9, _ and -, a colon, and the SHA-256 of the key as 64 hexadecimal digits',
    pattern: readKeyForm,
  }),
);

/** Names and digests, never the keys themselves. */
const readKeysValue: ValueType<readonly string[]> = {
  ...readKeyList,
  parse(text) {
    const parsed = readKeyList.parse(text);
    if (!parsed.ok) return parsed;
    const names = parsed.value.map((one) => decodeReadKey(one).name);
    if (new Set(names).size === names.length) return parsed;
    return refuse('must not name a key twice');
  },
};

/** The text has been accepted. */
export function decodeReadKey(text: string) {
  const [, name = '', digest = ''] = readKeyForm.exec(text) ?? [];
  return { name, digest };
}

export function formatReadKey({ name, digest }: ReturnType<typeof decodeReadKey>): string {
  return `${name}:${digest}`;
}

export const bannerSettings = Object.freeze({
  banners_api_enabled: off('Serves the banner API.'),
  banners_public_url: row(
    { type: publicUrlValue, default: '' },
    'Public address in click and pixel links; empty = as gateway_public_url.',
  ),
  banners_api_key: row(
    { type: keyValue, default: '', secret: true },
    'Key of the banner API; created if empty when the API is turned on.',
  ),
  banners_api_key_previous: row(
    { type: keyValue, default: '', secret: true },
    'Key before the last rotation; works until banners_api_key_previous_ends.',
  ),
  banners_api_key_previous_ends: row(
    { type: optionalTimeValue, default: null },
    'When the previous key stops working; empty = at once.',
  ),
  banners_api_read_keys: row(
    { type: readKeysValue, default: Object.freeze([]), secret: true },
    'Read-only keys, as name:digest.',
  ),
  banners_api_write_enabled: off('Lets callers of the banner API create and change banners.'),
  banners_api_rate_limit: integer(
    { min: 0, max: 1_000_000_000, default: 0, unit: 'requests' },
    'Requests with one key in a minute; 0 is unlimited.',
  ),
  banners_api_cors_origin: row(
    { type: corsOriginsValue, default: Object.freeze([]) },
    'Origins whose web pages may use the banner API.',
  ),
  banners_timezone: row({ type: timeZoneValue, default: 'UTC' }, 'Time zone of show_hours and statistics.'),
  banners_media_source: integer(
    { min: 0, max: largestUnsigned, default: 0 },
    "Media source of banners without their own; 0 = the site's default source.",
  ),
  banners_click: row({ type: segmentValue, default: 'bannerclick' }, 'First path segment of click addresses.'),
  banners_impression: row(
    { type: segmentValue, default: 'bannerimpression' },
    'First path segment of impression pixels.',
  ),
  banners_track_impressions: off('Records impressions; when off, the pixel still answers.'),
  banners_tracking_durable: off('Records each event before the answer; off = in batches.'),
  banners_store_full_ip: off('Keeps full addresses of visitors; off = the /24 of IPv4, the /48 of IPv6.'),
  banners_filter_bots: off('Ignores crawlers and callers without a user agent.'),
  banners_clicks_retention_days: row(
    { type: retentionValue, default: 365, unit: 'days' },
    'Age at which clicks are removed; totals stay. 0 = never.',
  ),
  banners_impressions_retention_days: row(
    { type: retentionValue, default: 365, unit: 'days' },
    'Age at which impressions are removed; totals stay. 0 = never.',
  ),
  banners_audit_retention_days: row(
    { type: retentionValue, default: 365, unit: 'days' },
    'Age at which entries of the audit log of banners are removed, except about removed banners and positions. 0 = never.',
  ),
  banners_attribution_ttl: row(
    { type: cookieDaysValue, default: 30, unit: 'days' },
    'Lifetime of the cookie banners_click_id, for orders.',
  ),
  banners_ab_ttl: row(
    { type: cookieDaysValue, default: 30, unit: 'days' },
    'How long a visitor sees the same banner of rotation ab.',
  ),
  banners_utm_enabled: off('Adds missing utm parameters to click targets.'),
  banners_utm_source: row({ type: utmValue, default: 'hcd' }, 'The utm_source of click targets; empty = none.'),
  banners_utm_medium: row({ type: utmValue, default: 'banner' }, 'The utm_medium of click targets; empty = none.'),
  banners_utm_campaign: row(
    { type: utmValue, default: '' },
    'The utm_campaign of click targets, with {ad_id}, {position_id}, {adposition}, {product_id}, {product_pagetitle}, {order_id}; empty = none.',
  ),
  banners_utm_content: row(
    { type: utmValue, default: '{ad_id}-{adposition}' },
    'The utm_content of click targets, with the same placeholders; empty = none.',
  ),
  banners_webhook_url: row({ type: receiverValue, default: '' }, 'Receiver of a message for each click; empty = none.'),
  banners_webhook_impression_url: row(
    { type: receiverValue, default: '' },
    'Receiver of a message for each impression; empty = none.',
  ),
  banners_webhook_secret: row(
    {
      type: textValue({
        accepts: 'a text of 16 to 128 visible characters, or empty for none',
        pattern: /^(?:[!-~]{16,128}|s1\.[0-9a-f]{8}\.[A-Za-z0-9_-]{1,300})?$/,
      }),
      default: '',
      secret: true,
      kept: 'sealed',
    },
    'Secret that signs these messages (X-Banners-Signature); empty = none.',
  ),
});
