/** The top banners as bars with their figures; columns that do not fit are left out. */
import { displayWidth } from '../../terminal-text.js';
import { countText, fitText, joinLines, type PlotStyle, percentText } from './plot-style.js';

export interface BarRow {
  readonly id: number;
  readonly name: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly conversions: number;
  readonly ctr: number | null;
}

interface Column {
  readonly head: string;
  readonly text: (row: BarRow) => string;
}

const columns: readonly Column[] = [
  { head: 'IMPRESSIONS', text: ({ impressions }) => countText(impressions) },
  { head: 'CLICKS', text: ({ clicks }) => countText(clicks) },
  { head: 'CTR', text: ({ ctr }) => percentText(ctr) },
  { head: 'CONVERSIONS', text: ({ conversions }) => countText(conversions) },
];

const gap = 2;
const leastBar = 8;
const widestName = 32;

export function barPlot(rows: readonly BarRow[], style: PlotStyle): string {
  const { paint, width } = style;
  if (rows.length === 0) return joinLines([`${paint.bold('Top banners')}  ${paint.dim('none')}`]);
  const byClicks = rows.every(({ impressions }) => impressions === 0);
  const title = `Top banners by ${byClicks ? 'clicks' : 'impressions'}`;
  const lengthOf = (row: BarRow): number => (byClicks ? row.clicks : row.impressions);
  const most = Math.max(1, ...rows.map(lengthOf));
  const idWidth = Math.max(...rows.map(({ id }) => String(id).length));
  const nameWidth = Math.min(
    widestName,
    Math.floor(width / 3),
    Math.max(12, ...rows.map(({ name }) => displayWidth(name))),
  );
  const left = idWidth + gap + nameWidth + gap;
  const shown = fitting(rows, width - left - leastBar);
  const figures = shown.reduce((sum, column) => sum + gap + widthOf(column, rows), 0);
  const barWidth = Math.max(leastBar, Math.min(48, width - left - figures));
  const heads = shown.map((column) => cellOf(column.head, column, rows)).join('');
  const lines = rows.map((row) => {
    const id = paint.dim(String(row.id).padStart(idWidth));
    const name = fitText(row.name, nameWidth, style);
    const bar = barOf((lengthOf(row) / most) * barWidth, style).padEnd(barWidth);
    const cells = shown.map((column) => cellOf(column.text(row), column, rows)).join('');
    return `${id}${' '.repeat(gap)}${name}${' '.repeat(gap)}${byClicks ? paint.green(bar) : paint.yellow(bar)}${cells}`;
  });
  const head = `${fitText(title, left + barWidth, style)}${heads}`;
  return joinLines([paint.bold(head), ...lines]);
}

function fitting(rows: readonly BarRow[], space: number): readonly Column[] {
  let left = space;
  return columns.filter((column) => {
    left -= gap + widthOf(column, rows);
    return left >= 0;
  });
}

function widthOf(column: Column, rows: readonly BarRow[]): number {
  return Math.max(column.head.length, ...rows.map((row) => column.text(row).length));
}

function cellOf(text: string, column: Column, rows: readonly BarRow[]): string {
  return text.padStart(gap + widthOf(column, rows));
}

const partial = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A value above 0 is never drawn empty. */
function barOf(length: number, { unicode }: PlotStyle): string {
  if (length <= 0) return '';
  if (!unicode) return '#'.repeat(Math.max(1, Math.round(length)));
  const eighths = Math.max(1, Math.round(length * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (partial[eighths % 8] ?? '');
}
