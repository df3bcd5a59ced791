/** The plot of a period: its name, its totals, its days, its top banners. */
import { type BarRow, barPlot } from './bar-plot.js';
import type { Figures } from './compare-plot.js';
import { dayPlot, marginOf } from './day-plot.js';
import { countText, joinLines, type PlotStyle, percentText } from './plot-style.js';

export interface Statistics {
  readonly summary: Figures & { readonly period: string; readonly from: string | null; readonly to: string | null };
  readonly days: readonly (Figures & { readonly date: string })[];
  /** Null for a removed banner without an audit entry. */
  readonly top: readonly (Omit<BarRow, 'name'> & { readonly name: string | null })[];
  readonly banners: number;
  readonly zone: string;
  readonly today?: string;
}

export function statisticsPlot({ summary, days, top, banners, zone, today }: Statistics, style: PlotStyle): string {
  const { paint } = style;
  const rows = top.map((row) => ({ ...row, name: row.name ?? `banner ${row.id}` }));
  const daysOf = (name: 'impressions' | 'clicks') => days.map((day) => ({ date: day.date, value: day[name] }));
  const impressions = daysOf('impressions');
  const clicks = daysOf('clicks');
  const leastMargin = Math.max(marginOf(impressions, style), marginOf(clicks, style));
  const unfinished = today === undefined ? {} : { today };
  const more = banners - top.length;
  return [
    heading({ summary, zone }, style),
    totalsLine(summary, style),
    dayPlot({ title: 'Impressions', days: impressions, tint: 'yellow', leastMargin, ...unfinished }, style),
    dayPlot({ title: 'Clicks', days: clicks, tint: 'green', leastMargin, ...unfinished }, style),
    barPlot(rows, style) + (more > 0 ? joinLines([paint.dim(`and ${countText(more)} more: --top ${banners}`)]) : ''),
  ].join('\n');
}

function heading({ summary, zone }: Pick<Statistics, 'summary' | 'zone'>, { paint, width }: PlotStyle): string {
  const span = spanText(summary);
  const [name, ...rest] = summary.period === 'custom' ? [span, zone] : [summary.period, span, zone];
  const one = rest.join(', ');
  if (name.length + 2 + one.length <= width) return joinLines([`${paint.bold(name)}  ${paint.dim(one)}`]);
  return joinLines([paint.bold(name), ...rest.map((text) => paint.dim(text))]);
}

function spanText({ from, to }: Statistics['summary']): string {
  if (from === null && to === null) return 'days with events';
  if (from === to) return `${from}`;
  if (from === null) return `up to ${to}`;
  return to === null ? `from ${from}` : `${from} to ${to}`;
}

const gap = 3;

export function totalsLine(figures: Figures, { paint, width }: PlotStyle): string {
  const cells = [
    ['IMPRESSIONS', countText(figures.impressions)],
    ['CLICKS', countText(figures.clicks)],
    ['CTR', percentText(figures.ctr)],
    ['CONVERSIONS', countText(figures.conversions)],
    ['CVR', percentText(figures.cvr)],
  ] as const;
  const widths = cells.map(([head, value]) => Math.max(head.length, value.length) + gap);
  const lineOf = (texts: readonly string[]): string =>
    texts
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('')
      .trimEnd();
  const heads = lineOf(cells.map(([head]) => head));
  const values = lineOf(cells.map(([, value]) => value));
  if (Math.max(heads.length, values.length) <= width) return joinLines([paint.dim(heads), paint.bold(values)]);
  const longestHead = Math.max(...cells.map(([head]) => head.length));
  const longestValue = Math.max(...cells.map(([, value]) => value.length));
  return joinLines(
    cells.map(
      ([head, value]) => `${paint.dim(head.padEnd(longestHead + gap))}${paint.bold(value.padStart(longestValue))}`,
    ),
  );
}
