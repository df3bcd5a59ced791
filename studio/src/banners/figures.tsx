/** Names and figures of banners: as texts, as columns, and one by day as bars, with the same as a table. */
import type { TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Json, JsonObject } from '../api.js';
import { language, texts } from '../texts.js';
import { type Column, dayName, Table, textOf, titleOf } from '../values.js';

export const figureNames = ['clicks', 'impressions', 'ctr', 'conversions'] as const;
export type FigureName = (typeof figureNames)[number];

export function nameOf(row: JsonObject): string {
  return textOf(row['name']) || texts.banners.nameless(textOf(row['id']));
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

interface DayChartProps {
  readonly figure: FigureName;
  readonly days: readonly JsonObject[];
  /** Of the period before, day by day; empty: none. */
  readonly compared: readonly JsonObject[];
  readonly today: string;
}

/** A day that is not over is drawn apart. Those of the period before are a line. */
export function DayChart({ figure, days, compared, today }: DayChartProps) {
  const t = texts.banners;
  const [pointed, point] = useState<number | null>(null);
  const of = (day: JsonObject | undefined): number => Number(day?.[figure] ?? 0);
  const dayText = ({ date }: JsonObject) =>
    dayName(textOf(date), 'short') + (date === today ? ` (${t.todayOpen})` : '');
  const before = {
    ...{ name: 'before', title: `${titleOf(figure)}, ${t.before}`, isNumber: true },
    show: (day: JsonObject) => figureText(figure, compared[days.indexOf(day)]?.[figure]),
  };
  const columns: readonly Column[] = [
    { name: 'date', title: t.day, show: dayText },
    ...figureNames.map(figureColumn),
    ...(compared.length === 0 ? [] : [before]),
  ];
  const most = Math.max(figure === 'ctr' ? 1 : 4, ...[...days, ...compared].map(of));
  const line = compared.slice(0, days.length).map((day, at) => `${at + 0.5},${most - of(day)}`);
  const said = days[pointed ?? -1];
  const follow = ({ clientX, currentTarget }: TargetedPointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    point(Math.floor(((clientX - left) / width) * days.length));
  };
  return (
    <figure class="chart">
      <figcaption class="help">
        {said === undefined
          ? [titleOf(figure), compared.length > 0 && `- - ${t.before}`].filter(Boolean).join(', ')
          : [
              dayText(said),
              ...columns.slice(1).map(({ name, title = titleOf(name), show }) => `${title}: ${show?.(said)}`),
            ].join(' · ')}
      </figcaption>
      <div class="plot">
        <span>{figureText(figure, most)}</span>
        <svg
          role="img"
          aria-label={titleOf(figure)}
          viewBox={`0 0 ${days.length || 1} ${most}`}
          preserveAspectRatio="none"
          {...{ onPointerDown: follow, onPointerMove: follow }}
          onPointerLeave={() => point(null)}
        >
          {days.map((day, at) => (
            <rect
              {...{ x: at + 0.15, y: most - of(day), width: 0.7, height: of(day) }}
              opacity={day['date'] === today ? 0.4 : at === pointed ? 0.7 : 1}
            />
          ))}
          <polyline
            {...{ points: line.join(' '), fill: 'none', stroke: 'var(--text)' }}
            {...{ 'stroke-width': 2, 'stroke-dasharray': '6 4', 'vector-effect': 'non-scaling-stroke' }}
          />
        </svg>
        <span class="bar">
          {[days[0], days.at(-1)].map((day) => (
            <span>{dayName(textOf(day?.['date']))}</span>
          ))}
        </span>
      </div>
      <details>
        <summary>{t.asTable}</summary>
        <Table label={titleOf(figure)} columns={columns} rows={days} />
      </details>
    </figure>
  );
}
