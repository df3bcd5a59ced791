/** Banners. Attributes have the names that the fields have on the wire. */
import type { Reader, Tx } from '../../store/base/database.js';
import { type Column, fromNow, id, integer, json, optional, orNull, text, time } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';
import { type BannerType, bannerTypes } from '../rules/banner.js';
import { type Banner, type BannerValues, bannerValueNames } from '../rules/banner-fields.js';
import { hoursType, tagsType } from '../rules/field-types.js';
import { hourBits } from '../rules/targeting.js';

const active: Column<0 | 1, false> = {
  ...integer(),
  decode: (stored) => (Number(stored) === 0 ? 0 : 1),
};

export const bannerType: Column<BannerType, false> = {
  ...text(10),
  decode: (stored) => bannerTypes.find((known) => known === stored) ?? 'image',
};

// A damaged list reads as none, so that one damaged row does not stop a list.
const showHours = orNull(
  json((value) => {
    const hours = hoursType.parse(value ?? null);
    return hours.ok ? hours.value : null;
  }),
);
const storedTags = json((value) => {
  const tags = tagsType.parse(value ?? null);
  return tags.ok ? tags.value : [];
});
const tags: Column<readonly string[], true> = {
  attribute: orNull(storedTags).attribute,
  isOptional: true,
  decode: (stored) => (stored === null ? [] : storedTags.decode(stored)),
  encode: (value) => (value.length === 0 ? null : storedTags.encode(value)),
};

export const ads = defineModel('hcd_ads', {
  id: id(),
  name: text(255),
  url: optional(text(2048)),
  image: optional(text(255)),
  source: optional(integer()),
  active: optional(active),
  description: orNull(text()),
  type: optional(bannerType),
  html: orNull(text()),
  /** Unix seconds. */
  start: orNull(time()),
  end: orNull(time()),
  product_id: optional(integer()),
  category_id: optional(integer()),
  max_clicks: optional(integer()),
  max_impressions: optional(integer()),
  show_hours: showHours,
  /** The hours as bits, for conditions in SQL. */
  show_days_bits: optional(integer()),
  show_hours_bits: optional(integer()),
  target_resource_id: optional(integer()),
  target_parent_id: optional(integer()),
  tags,
  createdOn: time(),
  editedOn: time(),
});

export const bannerAttributes: readonly (keyof Banner)[] = Object.freeze(['id', ...bannerValueNames]);

export async function findBanner(reader: Reader, adId: number): Promise<Banner | null> {
  const [banner] = await ads.on(reader).lookUpAll({ id: adId }, { attributes: bannerAttributes });
  return banner ?? null;
}

export function addBanner(tx: Tx, values: BannerValues): Promise<number> {
  return ads.on(tx).create({ ...storedValues(values), createdOn: fromNow(tx), editedOn: fromNow(tx) });
}

export async function changeBanner(tx: Tx, { id: adId, ...values }: Banner): Promise<void> {
  await ads.on(tx).update({ ...storedValues(values), editedOn: fromNow(tx) }, { where: { id: adId } });
}

function storedValues(values: BannerValues) {
  const bits = hourBits(values.show_hours);
  return { ...values, show_days_bits: bits.days, show_hours_bits: bits.hours };
}
