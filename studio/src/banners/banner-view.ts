/** Answers of the commands for banners, decoded for the views. */
import { isObject, type Json, type JsonObject, type RunResult } from '../api.js';
import type { Column } from '../data-table.js';
import { language, texts } from '../texts.js';

export const figureNames = ['clicks', 'impressions', 'ctr', 'conversions'] as const;
export type FigureName = (typeof figureNames)[number];

export function rowsOf(data: Json | undefined): readonly JsonObject[] {
  return Array.isArray(data) ? data.filter(isObject) : [];
}

export function recordOf(data: Json | undefined): JsonObject {
  return isObject(data) ? data : {};
}

export function totalOf({ meta, data }: RunResult): number {
  return meta?.total ?? rowsOf(data).length;
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function nameOf(row: JsonObject): string {
  return textOf(row['name']) || texts.banners.nameless(textOf(row['id']));
}

const whole = new Intl.NumberFormat(language);
const rate = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function isRate(figure: string): boolean {
  return figure === 'ctr' || figure === 'cvr';
}

/** A dash where there is nothing to divide by. */
export function figureText(figure: string, value: Json | undefined): string {
  if (typeof value !== 'number') return '–';
  return isRate(figure) ? `${rate.format(value)} %` : whole.format(value);
}

export function figureTitle(figure: string): string {
  return texts.banners.figures[figure] ?? figure;
}

/** Of a table of rows with figures. */
export function figureColumn(name: string): Column {
  return { name, title: figureTitle(name), isNumber: true, show: (row) => figureText(name, row[name]) };
}

export function changeText(value: Json | undefined): string {
  if (typeof value !== 'number') return '–';
  return `${value > 0 ? '+' : ''}${rate.format(value)} %`;
}

const days = new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Of `2026-11-28`. */
export function dayName(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) ? date : days.format(time);
}

export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
