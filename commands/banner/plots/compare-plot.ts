/** Two periods side by side: figures with their change, and both curves. */
import { sparkline } from './day-plot.js';
import { changeText, countText, joinLines, type PlotStyle, percentText, shortDate } from './plot-style.js';

export interface Figures {
  readonly impressions: number;
  readonly clicks: number;
  readonly ctr: number | null;
  readonly conversions: number;
  readonly cvr: number | null;
}

interface ComparedPeriod {
  readonly name: string;
  readonly figures: Figures;
  readonly days: readonly { readonly date: string; readonly impressions: number; readonly clicks: number }[];
}

export interface Comparison {
  readonly base: ComparedPeriod;
  readonly compare: ComparedPeriod;
  /** Null where compare has nothing. */
  readonly delta: Readonly<Record<keyof Figures, number | null>>;
  /** The day that is not over; marked where it is the last one of a period. */
  readonly today?: string;
}

const rows: readonly {
  readonly key: keyof Figures;
  readonly label: string;
  readonly text: (value: number | null) => string;
}[] = [
  { key: 'impressions', label: 'Impressions', text: (value) => countText(value ?? 0) },
  { key: 'clicks', label: 'Clicks', text: (value) => countText(value ?? 0) },
  { key: 'ctr', label: 'CTR', text: percentText },
  { key: 'conversions', label: 'Conversions', text: (value) => countText(value ?? 0) },
  { key: 'cvr', label: 'CVR', text: percentText },
];

const labelWidth = 13;
const gap = 3;

export function comparePlot(comparison: Comparison, style: PlotStyle): string {
  const { base, compare, delta } = comparison;
  const { paint } = style;
  const values = rows.map(({ key, text }) => ({
    key,
    base: text(base.figures[key]),
    compare: text(compare.figures[key]),
  }));
  const spans = [spanText(base), spanText(compare)] as const;
  const widths = [
    Math.max(base.name.length, spans[0].length, ...values.map((row) => row.base.length)),
    Math.max(compare.name.length, spans[1].length, ...values.map((row) => row.compare.length)),
  ] as const;
  const line = (label: string, [one, other]: readonly [string, string]): string =>
    `${label.padEnd(labelWidth)}${one.padStart(widths[0])}${other.padStart(gap + widths[1])}`;
  const changes = rows.map(({ key }) => changeText(delta[key]));
  const changeWidth = gap + 2 + Math.max('CHANGE'.length - 2, ...changes.map((text) => text.length));
  const width = labelWidth + widths[0] + gap + widths[1] + changeWidth;
  if (width > style.width) return belowEachOther(comparison, style);
  const figures = rows.map(({ key, label }, index) => {
    const value = values[index] ?? { base: '', compare: '' };
    const change = `${markOf(delta[key], style)} ${changes[index] ?? ''}`;
    return `${line(label, [value.base, value.compare])}${tinted(change.padStart(changeWidth), delta[key], style)}`;
  });
  return joinLines([
    paint.bold(`${line('', [base.name, compare.name])}${'CHANGE'.padStart(changeWidth)}`),
    paint.dim(line('', spans)),
    ...figures,
    ...courses([base, compare], comparison.today, style),
  ]);
}

function belowEachOther({ base, compare, delta, today }: Comparison, style: PlotStyle): string {
  const { paint, width } = style;
  const line = (left: string, right: string): string => `${left}${right.padStart(Math.max(1, width - left.length))}`;
  const figures = rows.flatMap(({ key, label, text }) => [
    paint.bold(label),
    line(`  ${base.name}`, text(base.figures[key])),
    line(`  ${compare.name}`, text(compare.figures[key])),
    tinted(line('  change', `${markOf(delta[key], style)} ${changeText(delta[key])}`), delta[key], style),
  ]);
  return joinLines([
    paint.dim(line(base.name, spanText(base))),
    paint.dim(line(compare.name, spanText(compare))),
    ...figures,
    ...courses([base, compare], today, style),
  ]);
}

/** `9 Nov - 15 Nov`. */
function spanText({ days }: ComparedPeriod): string {
  const first = days[0]?.date;
  const last = days.at(-1)?.date;
  if (first === undefined || last === undefined) return '-';
  return first === last ? shortDate(first) : `${shortDate(first)} - ${shortDate(last)}`;
}

function markOf(change: number | null, { unicode }: PlotStyle): string {
  if (change === null || change === 0) return ' ';
  if (change > 0) return unicode ? '▲' : '^';
  return unicode ? '▼' : 'v';
}

function tinted(text: string, change: number | null, { paint }: PlotStyle): string {
  if (change === null || change === 0) return paint.dim(text);
  return change > 0 ? paint.green(text) : paint.red(text);
}

/** On one scale, if each period has a few days and fits. */
function courses(periods: readonly ComparedPeriod[], today: string | undefined, style: PlotStyle): readonly string[] {
  const nameWidth = Math.max(...periods.map(({ name }) => name.length)) + 2;
  const room = style.width - labelWidth - nameWidth;
  const longest = Math.max(...periods.map(({ days }) => days.length));
  if (longest < 2 || longest > room) return [];
  const cell = Math.min(4, Math.floor(room / longest));
  const { green, yellow } = style.paint;
  const kinds = [
    { label: 'Impressions', of: (day: ComparedPeriod['days'][number]) => day.impressions, paint: yellow },
    { label: 'Clicks', of: (day: ComparedPeriod['days'][number]) => day.clicks, paint: green },
  ];
  return kinds.flatMap(({ label, of, paint }) => {
    const most = Math.max(...periods.flatMap(({ days }) => days.map(of)));
    if (most === 0) return [];
    const lines = periods.map(({ name, days }, index) => {
      const course = [...sparkline(days.map(of), most, style)].map((glyph) =>
        glyph.repeat(Math.max(1, cell - 1)).padEnd(cell),
      );
      const text = course.join('').trimEnd();
      const mark = today !== undefined && days.at(-1)?.date === today ? markOfToday(room - text.length, style) : '';
      return `${(index === 0 ? label : '').padEnd(labelWidth)}${name.padEnd(nameWidth)}${paint(text)}${mark === '' ? '' : style.paint.dim(mark)}`;
    });
    return ['', ...lines];
  });
}

function markOfToday(room: number, { unicode }: Pick<PlotStyle, 'unicode'>): string {
  const arrow = unicode ? '←' : '<';
  return [` ${arrow} today so far`, ` ${arrow} today`, ` ${arrow}`].find((text) => text.length <= room) ?? '';
}
