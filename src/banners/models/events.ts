/** Clicks and impressions: one row per visitor, banner, position and local day, and the sums of the days. */
import { id, integer, key, named, optional, orNull, text, time } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';

const event = {
  id: id(),
  ad: integer(),
  position: integer(),
  /** Digits of a local day. */
  day: integer(),
  /** 16 hexadecimal digits. */
  visitor: text(16),
  /** As it is kept; empty = not kept. */
  ip: optional(text(39)),
};

export const clicks = defineModel('hcd_ad_clicks', {
  ...event,
  at: named('clicked_on', time()),
  referrer: optional(text(255)),
  orderId: orNull(text(64)),
});

export const impressions = defineModel('hcd_ad_impressions', { ...event, at: named('shown_on', time()) });

export const events = Object.freeze({ clicks, impressions });
export type EventKind = keyof typeof events;

/** Sums of the events of a day, which outlive them. */
export const adDays = defineModel('hcd_ad_days', {
  day: key(integer()),
  ad: key(integer()),
  position: key(integer()),
  clicks: optional(integer()),
  impressions: optional(integer()),
  conversions: optional(integer()),
});

/** Clicks of a day by referrer, of each position and, under position 0, of all of them. */
export const referrerDays = defineModel('hcd_ad_referrer_days', {
  position: key(integer()),
  day: key(integer()),
  referrer: key(text(255)),
  clicks: optional(integer()),
});
