/** JSON Schema of the figures in answers of the statistics routes. */
import { objectSchema, type Schema } from './schema.js';

const figureProperties: Readonly<Record<string, Schema>> = {
  clicks: { type: 'integer' },
  impressions: { type: 'integer' },
  conversions: { type: 'integer' },
  ctr: { type: ['number', 'null'] },
  cvr: { type: ['number', 'null'] },
};

export const summarySchema = objectSchema({
  period: { type: 'string' },
  from: { type: ['string', 'null'] },
  to: { type: ['string', 'null'] },
  ...figureProperties,
});
const dayProperties = { date: { type: 'string', format: 'date' }, ...figureProperties };
const bannerProperties = { id: { type: 'integer' }, name: { type: ['string', 'null'] }, ...figureProperties };
const referrerProperties = { referrer: { type: 'string' }, clicks: { type: 'integer' } };

/** Names that `fields` takes, by kind of row. */
export const dayMembers = Object.keys(dayProperties);
export const topBannerMembers = Object.keys(bannerProperties);
export const referrerMembers = Object.keys(referrerProperties);

export const daySchema = objectSchema(dayProperties);
export const bannerSchema = objectSchema(bannerProperties);
export const referrerSchema = objectSchema(referrerProperties);
export const sideSchema = objectSchema({ summary: summarySchema, by_day: { type: 'array', items: daySchema } });
export const deltaSchema = objectSchema(
  Object.fromEntries(Object.keys(figureProperties).map((name) => [name, { type: ['number', 'null'] }])),
);
