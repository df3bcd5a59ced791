/** One figure per day as columns over an axis. */
import { type Environment, readVariable } from '../../src/config/definitions.js';
import { paintFor } from '../paint.js';
import type { Output } from '../streams.js';

export type PlotStyle = Readonly<ReturnType<typeof plotStyle>>;

const widest = 120;
const narrowest = 30;

export function plotStyle(output: Pick<Output, 'columns' | 'hasColour'>, env: Environment) {
  const width = Math.min(widest, Math.max(narrowest, output.columns));
  return { width, unicode: isUtf8(env), paint: paintFor(output) };
}

/** By the first variable that is set, as for every program. */
export function isUtf8(env: Environment): boolean {
  const locale = ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => readVariable(env, name)).find(Boolean) ?? '';
  // The text console has no blocks of an eighth.
  return readVariable(env, 'TERM') !== 'linux' && /utf-?8/i.test(locale);
}

export interface DayValue {
  readonly date: string;
  readonly value: number;
}

interface DayPlot {
  readonly title: string;
  /** In order, without gaps unless the period lists only days with events. */
  readonly days: readonly DayValue[];
  readonly tint: 'green' | 'yellow';
  readonly today?: string;
  readonly leastMargin?: number;
}

const height = 4;
/** Maximum width of the scale: nine digits with their commas. */
const reserved = 14;
const eighths = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const thirds = ['', '.', ':', '#'];

export function dayPlot({ title, days, tint, today, leastMargin = 0 }: DayPlot, style: PlotStyle): string {
  const { paint, width } = style;
  const total = days.reduce((sum, { value }) => sum + value, 0);
  const room = width - title.length - 2;
  const head = `${paint.bold(title)}  ${headText({ days, total, room }, style)}`;
  if (total === 0) return joinLines([head]);
  const { size, buckets, top } = columnsFor(days, style);
  const margin = Math.max(leastMargin, marginOf(days, style));
  const cell = Math.max(1, Math.min(8, Math.floor((width - margin - 2) / buckets.length)));
  const lines = Array.from({ length: height }, (_, row) => {
    const label = row === 0 ? countText(top) : row * 2 === height ? countText(top / 2) : '';
    return `${scale(label, { margin, style })}${paint[tint](columnsOf(row, { buckets, top, cell, style }).trimEnd())}`;
  });
  const [cross, line] = style.unicode ? ['┼', '─'] : ['+', '-'];
  const axis = paint.dim(`${'0'.padStart(margin - 1)} ${cross}${line.repeat(cell * buckets.length)}`);
  return joinLines([
    head,
    ...lines,
    axis,
    paint.dim(`${' '.repeat(margin + 1)}${datesOf({ buckets, cell, size, room: width - margin - 1 })}`),
    ...(days.at(-1)?.date === today ? [paint.dim(markOfLast({ margin, cell, count: buckets.length }, style))] : []),
    ...(size === 1 ? [] : [paint.dim(`${' '.repeat(margin + 1)}each ${size} days`)]),
  ]);
}

function markOfLast(
  { margin, cell, count }: { readonly margin: number; readonly cell: number; readonly count: number },
  { unicode }: Pick<PlotStyle, 'unicode'>,
): string {
  const arrow = unicode ? '↑' : '^';
  const place = margin + 1 + cell * (count - 1);
  const before = `today so far ${arrow}`;
  return place + 1 >= before.length ? before.padStart(place + 1) : `${' '.repeat(place)}${arrow} today so far`;
}

export function marginOf(days: readonly DayValue[], style: PlotStyle): number {
  return countText(columnsFor(days, style).top).length + 1;
}

type Bucket = readonly DayValue[];

function columnsFor(days: readonly DayValue[], { width }: Pick<PlotStyle, 'width'>) {
  const size = bucketSize(days.length, width - reserved);
  const buckets = inBuckets(days, size);
  return { size, buckets, top: roundAbove(Math.max(0, ...buckets.map(sumOf))) };
}

function headText(
  { days, total, room }: { readonly days: readonly DayValue[]; readonly total: number; readonly room: number },
  { unicode, paint }: PlotStyle,
): string {
  if (total === 0) return paint.dim('none');
  const most = days.reduce((best, day) => (day.value > best.value ? day : best));
  const inAll = `${countText(total)} in ${days.length === 1 ? '1 day' : `${countText(days.length)} days`}`;
  if (days.length === 1) return inAll;
  const withMost = `${inAll}${unicode ? ' · ' : ', '}most ${countText(most.value)} on ${shortDate(most.date)}`;
  return withMost.length <= room ? withMost : inAll;
}

/** One day if it fits, else whole weeks if they fit. */
function bucketSize(days: number, space: number): number {
  if (days <= space) return 1;
  const least = Math.ceil(days / space);
  return least <= 7 ? 7 : Math.ceil(least / 7) * 7;
}

function inBuckets(days: readonly DayValue[], size: number): readonly Bucket[] {
  const buckets: Bucket[] = [];
  for (let end = days.length; end > 0; end -= size) buckets.unshift(days.slice(Math.max(0, end - size), end));
  return buckets;
}

function sumOf(bucket: Bucket): number {
  return bucket.reduce((sum, { value }) => sum + value, 0);
}

const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

export function roundAbove(value: number): number {
  const half = Math.max(1, value / 2);
  const power = 10 ** Math.floor(Math.log10(half));
  const found = steps.map((step) => step * power).find((one) => one >= half && Number.isInteger(one));
  return 2 * (found ?? half);
}

interface Columns {
  readonly buckets: readonly Bucket[];
  readonly cell: number;
}

function columnsOf(row: number, { buckets, top, cell, style }: Columns & { top: number; style: PlotStyle }): string {
  const glyphs = style.unicode ? eighths : thirds;
  const levels = glyphs.length - 1;
  const bar = Math.max(1, cell - 1);
  return buckets
    .map((bucket) => {
      const filled = (sumOf(bucket) / top) * height * levels;
      const below = (height - 1 - row) * levels;
      // A value above 0 is never drawn empty.
      const least = row === height - 1 && filled > 0 ? 1 : 0;
      const level = Math.min(levels, Math.max(least, Math.round(filled) - below));
      const glyph = glyphs[level] || ' ';
      return glyph.repeat(bar).padEnd(cell);
    })
    .join('');
}

function scale(label: string, { margin, style }: { readonly margin: number; readonly style: PlotStyle }): string {
  const [tick, line] = style.unicode ? ['┤', '│'] : ['+', '|'];
  return style.paint.dim(`${label.padStart(margin - 1)} ${label === '' ? line : tick}`);
}

function datesOf({ buckets, cell, size, room }: Columns & { readonly size: number; readonly room: number }): string {
  const choices = size === 1 ? [1, 7, 14, 28, 56, 112, 364] : [1, 2, 4, 8, 16, 32];
  const widest = Math.max(...buckets.map(([first]) => shortDate(first?.date ?? '').length));
  const step = choices.find((one) => one * cell > widest) ?? buckets.length;
  const labels = buckets.filter((_, index) => index % step === 0).map(([first]) => shortDate(first?.date ?? ''));
  return labels
    .filter((label, index) => index * step * cell + label.length <= room)
    .map((label) => label.padEnd(step * cell))
    .join('')
    .trimEnd();
}

export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `19 Nov` for `2026-11-19`. */
export function shortDate(date: string): string {
  const [, month, day] = date.split('-').map(Number);
  return `${day} ${months[(month ?? 0) - 1] ?? ''}`;
}
