/** Members of banners, positions, clicks, audit entries and templates in answers, and their JSON Schema. */
import { bannerField, bannerValueNames } from '../rules/banner-fields.js';
import { dataSchema, listSchema, objectSchema } from './schema.js';

const id = { type: 'integer', minimum: 1 };
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string' };
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

const bannerProperties = {
  id,
  ...valueProperties,
  ...counters,
  positions: { type: 'array', items: id },
  current_image: text,
};

const linkProperties = { adposition: id, idx: count, weight: { type: 'integer', minimum: 1 } };

const positionProperties = { id, name: text, context_key: text, banners: count, clicks: count, impressions: count };

const clickProperties = {
  id,
  position: id,
  position_name: nullableText,
  clicked_at: time,
  referrer: text,
  ip: text,
  order_id: nullableText,
};

const auditProperties = {
  id,
  entity: text,
  entity_id: { type: ['integer', 'null'] },
  label: text,
  action: text,
  created_at: time,
  username: text,
  payload: { type: ['object', 'null'] },
};

const templateProperties = {
  id,
  name: text,
  type: { enum: ['image', 'html'] },
  tpl: text,
  defaults_data: { type: 'object' },
};

/** Names that `fields` takes, by kind of row. */
export const bannerMembers = Object.keys(bannerProperties);
export const positionBannerMembers = [...bannerMembers, ...Object.keys(linkProperties)];
export const positionMembers = Object.keys(positionProperties);
export const clickMembers = Object.keys(clickProperties);
export const auditMembers = Object.keys(auditProperties);
export const templateMembers = Object.keys(templateProperties);

export const bannerListSchema = listSchema(objectSchema(bannerProperties));
export const positionBannerListSchema = listSchema(objectSchema({ ...bannerProperties, ...linkProperties }));
export const bannerSchema = dataSchema(objectSchema({ ...bannerProperties, counters: objectSchema(counters) }));
export const positionListSchema = listSchema(objectSchema(positionProperties));
export const positionSchema = dataSchema(objectSchema(positionProperties));
export const clickListSchema = listSchema(objectSchema(clickProperties));
export const auditListSchema = listSchema(objectSchema(auditProperties));
export const templateListSchema = listSchema(objectSchema(templateProperties));
