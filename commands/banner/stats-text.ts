/** What `hcd banner stats` shows on a terminal: the days of a period as plots, all other figures as tables. */
import type { Environment } from '../../src/config/definitions.js';
import type { Output } from '../host.js';
import { renderTable } from '../table.js';
import { countText, dayPlot, joinLines, marginOf, type PlotStyle, plotStyle, shortDate } from './day-plot.js';

export interface Figures {
  readonly impressions: number;
  readonly clicks: number;
  readonly ctr: number | null;
  readonly conversions: number;
  readonly cvr: number | null;
}

interface Terminal {
  readonly output: Pick<Output, 'columns' | 'hasColour'>;
  readonly env: Environment;
  readonly now: number;
}

interface Statistics {
  readonly summary: Figures & { readonly period: string; readonly from: string | null; readonly to: string | null };
  readonly days: readonly (Figures & { readonly date: string })[];
  /** The name is null for a removed banner without an audit entry. */
  readonly top: readonly (Figures & { readonly id: number; readonly name: string | null })[];
  readonly banners: number;
  readonly zone: string;
  readonly today: string;
}

export function statisticsText({ summary, days, top, banners, zone, today }: Statistics, terminal: Terminal): string {
  const style = plotStyle(terminal.output, terminal.env);
  const { bold, dim } = style.paint;
  const daysOf = (name: 'impressions' | 'clicks') => days.map((day) => ({ date: day.date, value: day[name] }));
  const [impressions, clicks] = [daysOf('impressions'), daysOf('clicks')];
  const shared = { today, leastMargin: Math.max(marginOf(impressions, style), marginOf(clicks, style)) };
  const more = banners - top.length;
  return [
    heading({ summary, zone }, style),
    renderTable({ columns: figureNames, rows: [textsOf(summary)] }, terminal),
    dayPlot({ title: 'Impressions', days: impressions, tint: 'yellow', ...shared }, style),
    dayPlot({ title: 'Clicks', days: clicks, tint: 'green', ...shared }, style),
    top.length === 0 ? joinLines([`${bold('Top banners')}  ${dim('none')}`]) : topBanners(top, terminal),
  ]
    .join('\n')
    .concat(more > 0 ? joinLines([dim(`and ${countText(more)} more: --top ${banners}`)]) : '');
}

function topBanners(top: Statistics['top'], terminal: Terminal): string {
  const rows = top.map((row) => ({ id: row.id, 'top banners': row.name ?? `banner ${row.id}`, ...textsOf(row) }));
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

interface ComparedPeriod {
  readonly name: string;
  readonly figures: Figures;
  readonly days: readonly { readonly date: string }[];
}

export interface Comparison {
  readonly base: ComparedPeriod;
  readonly compare: ComparedPeriod;
  readonly delta: Readonly<Record<keyof Figures, number | null>>;
}

export function comparisonText({ base, compare, delta }: Comparison, terminal: Omit<Terminal, 'env'>): string {
  const [one, other] = [textsOf(base.figures), textsOf(compare.figures)];
  const figures = figureNames.map((figure) => ({
    figure,
    [base.name]: one[figure],
    [compare.name]: other[figure],
    change: changeText(delta[figure]),
  }));
  const days = { figure: 'days', [base.name]: daysText(base), [compare.name]: daysText(compare) };
  return renderTable({ columns: ['figure', base.name, compare.name, 'change'], rows: [days, ...figures] }, terminal);
}

/** `9 Nov - 15 Nov`. */
function daysText({ days }: ComparedPeriod): string {
  const first = days[0]?.date;
  const last = days.at(-1)?.date;
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
