/** Settings of the banners' clicks and impressions: what is recorded, how long it is kept, and who receives messages. */

import { accept, refuse } from '../values/checked.js';
import { parseUrl } from '../values/parse-url.js';
import { rowsOf } from './setting-row.js';
import { integerValue, textValue, type ValueType } from './value-type.js';

const { off, row } = rowsOf('banners');

/** First segments of addresses that other parts of the server answer. */
const segmentValue = textValue({
  accepts: 'one path segment of 1 to 64 letters, digits, - and _, other than api, banners, docs, pages and slots',
  pattern: /^(?!(?:api|banners|docs|pages|slots)$)[A-Za-z0-9_-]{1,64}$/,
});

/** Goes into a query parameter, where every character has a form. */
const utmValue = textValue({ accepts: 'a text of at most 255 characters', pattern: /^[^\p{Cc}]{0,255}$/u });

const receiverValue: ValueType<string> = {
  ...textValue({ accepts: 'an http or https address, or empty for none' }),
  parse(text) {
    const isAddress = text === '' || (/^https?:\/\/[^\s\\]+$/i.test(text) && parseUrl(text) !== null);
    // An address may carry a password, so it is not repeated.
    return isAddress ? accept(text) : refuse('must be an http or https address, or empty for none');
  },
};

const retentionValue = integerValue({ min: 0, max: 36_500 });
const cookieDaysValue = integerValue({ min: 1, max: 365 });

export const bannerTrackingSettings = Object.freeze({
  banners_click: row(
    { type: segmentValue, default: 'bannerclick' },
    'First path segment of click addresses: /<segment>/<link id>.',
  ),
  banners_impression: row(
    { type: segmentValue, default: 'bannerimpression' },
    'First path segment of the pixels that record impressions: /<segment>/<link id>.',
  ),
  banners_track_impressions: off('Records impressions; when off, the pixel still answers.'),
  banners_tracking_durable: off('Records each event before the answer; off = events are written in batches.'),
  banners_store_full_ip: off('Keeps full addresses of visitors; off = the /24 of IPv4 and the /48 of IPv6 addresses.'),
  banners_filter_bots: off('Does not record clicks and impressions of crawlers and of callers without a user agent.'),
  banners_clicks_retention_days: row(
    { type: retentionValue, default: 365, unit: 'days' },
    'Age at which the worker removes click rows; daily totals stay. 0 = never.',
  ),
  banners_impressions_retention_days: row(
    { type: retentionValue, default: 365, unit: 'days' },
    'Age at which the worker removes impression rows; daily totals stay. 0 = never.',
  ),
  banners_audit_retention_days: row(
    { type: retentionValue, default: 365, unit: 'days' },
    'Age at which the worker removes entries of the audit log of banners; entries about removed banners and positions stay, because statistics take their names from them. 0 = never.',
  ),
  banners_attribution_ttl: row(
    { type: cookieDaysValue, default: 30, unit: 'days' },
    'Lifetime of the cookie banners_click_id, which attributes an order to a click.',
  ),
  banners_ab_ttl: row(
    { type: cookieDaysValue, default: 30, unit: 'days' },
    'Days for which a visitor sees the same banner of a position with rotation ab.',
  ),
  banners_utm_enabled: off(
    'Adds utm parameters to the targets of clicks; parameters that a target already has are kept.',
  ),
  banners_utm_source: row({ type: utmValue, default: 'hcd' }, 'The utm_source of click targets; empty = none.'),
  banners_utm_medium: row({ type: utmValue, default: 'banner' }, 'The utm_medium of click targets; empty = none.'),
  banners_utm_campaign: row(
    { type: utmValue, default: '' },
    'The utm_campaign of click targets, with {ad_id}, {position_id}, {adposition}, {product_id}, {product_pagetitle}, {order_id}; empty = none.',
  ),
  banners_utm_content: row(
    { type: utmValue, default: '{ad_id}-{adposition}' },
    'The utm_content of click targets, with the placeholders of banners_utm_campaign; empty = none.',
  ),
  banners_webhook_url: row(
    { type: receiverValue, default: '' },
    'Receives a message for each click; empty = no messages.',
  ),
  banners_webhook_impression_url: row(
    { type: receiverValue, default: '' },
    'Receives a message for each impression; empty = no messages.',
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
    'Secret that signs messages about clicks and impressions in X-Banners-Signature; empty = no signature.',
  ),
});
