/** What `hcd banner stats` shows on a terminal: the days of a period as plots, all other figures as tables. */
import type { Figures } from '../../src/banners/rules/figures.js';
import type { comparePeriods, readStatistics, readTop } from '../../src/banners/statistics/statistics.js';
import type { Environment } from '../../src/config/definitions.js';
import type { Output } from '../streams.js';
import { renderTable } from '../table.js';
import { countText, dayPlot, joinLines, marginOf, type PlotStyle, plotStyle, shortDate } from './day-plot.js';

interface Terminal {
  readonly output: Pick<Output, 'columns' | 'hasColour'>;
  readonly env: Environment;
  readonly now: number;
}

type Found = Awaited<ReturnType<typeof readStatistics>>;

interface Statistics extends Found {
  readonly top: Awaited<ReturnType<typeof readTop>>;
  readonly zone: string;
  readonly today: string;
}

export function statisticsText({ summary, by_day, top, zone, today }: Statistics, terminal: Terminal): string {
  const style = plotStyle(terminal.output, terminal.env);
  const { bold, dim } = style.paint;
  const daysOf = (name: 'impressions' | 'clicks') => by_day.map((day) => ({ date: day.date, value: day[name] }));
  const [impressions, clicks] = [daysOf('impressions'), daysOf('clicks')];
  const shared = { today, leastMargin: Math.max(marginOf(impressions, style), marginOf(clicks, style)) };
  const more = top.total - top.rows.length;
  return [
    heading({ summary, zone }, style),
    renderTable({ columns: figureNames, rows: [textsOf(summary)] }, terminal),
    dayPlot({ title: 'Impressions', days: impressions, tint: 'yellow', ...shared }, style),
    dayPlot({ title: 'Clicks', days: clicks, tint: 'green', ...shared }, style),
    top.rows.length === 0 ? joinLines([`${bold('Top banners')}  ${dim('none')}`]) : topBanners(top, terminal),
  ]
    .join('\n')
    .concat(more > 0 ? joinLines([dim(`and ${countText(more)} more: --top ${top.total}`)]) : '');
}

function topBanners(top: Statistics['top'], terminal: Terminal): string {
  const rows = top.rows.map((row) => ({ id: row.id, 'top banners': row.name ?? `banner ${row.id}`, ...textsOf(row) }));
  const columns = ['id', 'top banners', 'impressions', 'clicks', 'ctr', 'conversions'];
  return renderTable({ columns, rows, spare: ['conversions', 'ctr', 'clicks'] }, terminal);
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

export type Comparison = Awaited<ReturnType<typeof comparePeriods>>;

export function comparisonText({ base, compare, delta }: Comparison, terminal: Omit<Terminal, 'env'>): string {
  const [one, other] = [textsOf(base.summary), textsOf(compare.summary)];
  const [name, otherName] = [nameOf(base), nameOf(compare)];
  const figures = figureNames.map((figure) => ({
    figure,
    [name]: one[figure],
    [otherName]: other[figure],
    change: changeText(delta[figure]),
  }));
  const days = { figure: 'days', [name]: daysText(base), [otherName]: daysText(compare) };
  return renderTable({ columns: ['figure', name, otherName, 'change'], rows: [days, ...figures] }, terminal);
}

function nameOf({ summary: { period, from, to } }: Found): string {
  return period === 'custom' ? `${from ?? ''}..${to ?? ''}` : period;
}

/** `9 Nov - 15 Nov`. */
function daysText({ by_day }: Found): string {
  const first = by_day[0]?.date;
  const last = by_day.at(-1)?.date;
  if (first === undefined || last === undefined) return '-';
  return first === last ? shortDate(first) : `${shortDate(first)} - ${shortDate(last)}`;
}

const figureNames = ['impressions', 'clicks', 'ctr', 'conversions', 'cvr'] as const;

function textsOf({ impressions, clicks, ctr, conversions, cvr }: Figures): Record<keyof Figures, string> {
  const counts = {
    impressions: countText(impressions),
    clicks: countText(clicks),
    conversions: countText(conversions),
  };
  return { ...counts, ctr: percentText(ctr), cvr: percentText(cvr) };
}

/** `3.69 %`; a dash where the divisor is 0. */
export function percentText(percent: number | null): string {
  return percent === null ? '-' : `${percent.toFixed(2)} %`;
}

/** `+12.20 %`; a dash without a value to compare with. */
export function changeText(percent: number | null): string {
  return percent !== null && percent > 0 ? `+${percentText(percent)}` : percentText(percent);
}
