/** Names and figures of banners as texts and columns. */
import type { Json, JsonObject } from '../api.js';
import { fill, language, texts } from '../texts.js';
import { type Column, textOf } from '../values.js';

export const figureNames = ['clicks', 'impressions', 'ctr', 'conversions'] as const;
export type FigureName = (typeof figureNames)[number];

export function nameOf(row: JsonObject): string {
  return textOf(row['name']) || fill(texts.banners.nameless, textOf(row['id']));
}

const whole = new Intl.NumberFormat(language);
const rate = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Clicks per 100 impressions; a dash where there are none. */
export function figureText(figure: FigureName, value: Json | undefined): string {
  if (typeof value !== 'number') return '–';
  return figure === 'ctr' ? `${rate.format(value)} %` : whole.format(value);
}

export function changeText(value: Json | undefined): string {
  if (typeof value !== 'number') return '–';
  return `${value > 0 ? '+' : ''}${rate.format(value)} %`;
}

export function figureColumn(name: FigureName): Column {
  const rateOf = ({ clicks, impressions }: JsonObject) =>
    Number(impressions) > 0 ? (100 * Number(clicks)) / Number(impressions) : null;
  const figureOf = (row: JsonObject) => (name === 'ctr' ? (row['ctr'] ?? rateOf(row)) : row[name]);
  return {
    ...{ name, isNumber: true },
    show: (row) => figureText(name, figureOf(row)),
  };
}
