/** JSON Schema of the answers of the banner API: rows by member, and their envelopes. */
import { objectSchema, text } from '../../http/interface/endpoint.js';
import { bannerField, bannerValueNames } from '../rules/banner-fields.js';

export type Schema = Readonly<Record<string, unknown>>;

export function dataSchema(data: Schema): Schema {
  return objectSchema({ success: { const: true }, data });
}

export function listSchema(items: Schema): Schema {
  return objectSchema({ success: { const: true }, data: { type: 'array', items }, total: { type: 'integer' } });
}

const id = { type: 'integer', minimum: 1 };
const count = { type: 'integer', minimum: 0 };
const nullableText = { type: ['string', 'null'] };
const time = { type: ['string', 'null'], format: 'date-time' };

/** How values are sent where that is narrower than what is accepted. */
const sentAs: Readonly<Record<string, object>> = {
  url: text,
  image: text,
  active: { enum: [0, 1] },
  start: time,
  end: time,
  tags: { type: 'array', items: text },
};

const valueProperties = Object.fromEntries(
  bannerValueNames.map((name) => {
    const { type, description } = bannerField(name);
    const isCount = type.schema['maximum'] !== undefined;
    return [name, { ...(sentAs[name] ?? (isCount ? count : type.schema)), description }];
  }),
);

const counters = { clicks: count, impressions: count, conversions: count };

export const bannerRow = {
  id,
  ...valueProperties,
  ...counters,
  positions: { type: 'array', items: id },
  current_image: text,
};

export const bannerWithCounters = { ...bannerRow, counters: objectSchema(counters) };

export const positionBannerRow = { ...bannerRow, adposition: id, idx: count, weight: { type: 'integer', minimum: 1 } };

export const positionRow = { id, name: text, context_key: text, banners: count, clicks: count, impressions: count };

export const clickRow = {
  id,
  position: id,
  position_name: nullableText,
  clicked_at: time,
  referrer: text,
  ip: text,
  order_id: nullableText,
};

export const auditRow = {
  id,
  entity: text,
  entity_id: { type: ['integer', 'null'] },
  label: text,
  action: text,
  created_at: time,
  username: text,
  payload: { type: ['object', 'null'] },
};

export const templateRow = {
  id,
  name: text,
  type: { enum: ['image', 'html'] },
  tpl: text,
  defaults_data: { type: 'object' },
};
