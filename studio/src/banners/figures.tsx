/** Names and figures of banners as texts and columns, and one figure by day as a chart, drawn by uPlot. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Json, JsonObject } from '../api.js';
import { fill, language, texts } from '../texts.js';
import { type Column, dayName, Table, textOf, titleOf } from '../values.js';

const t = texts.banners;

export const figureNames = ['clicks', 'impressions', 'ctr', 'conversions'] as const;
export type FigureName = (typeof figureNames)[number];

export function nameOf(row: JsonObject): string {
  return textOf(row['name']) || fill(t.nameless, textOf(row['id']));
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
  const rateOf = ({ ctr, clicks, impressions }: JsonObject) =>
    ctr ?? (Number(impressions) > 0 ? (100 * Number(clicks)) / Number(impressions) : null);
  return { name, isNumber: true, show: (row) => figureText(name, name === 'ctr' ? rateOf(row) : row[name]) };
}

interface DayChartProps {
  readonly figure: FigureName;
  readonly days: readonly JsonObject[];
  /** Of the period before, day by day; empty: none. */
  readonly compared: readonly JsonObject[];
  readonly today: string;
}

const height = 260;

export function DayChart(props: DayChartProps) {
  const { figure, days, compared, today } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null || days.length === 0) return;
    let plot = draw(props, element);
    const redraw = (): void => {
      plot.destroy();
      plot = draw(props, element);
    };
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', redraw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [JSON.stringify(props)]);
  const title = titleOf(figure);
  const dayText = ({ date }: JsonObject) =>
    dayName(textOf(date), 'short') + (date === today ? ` (${t.todayOpen})` : '');
  const before = {
    ...{ name: 'before', title: `${title}, ${t.before}`, isNumber: true },
    show: (day: JsonObject) => figureText(figure, compared[days.indexOf(day)]?.[figure]),
  };
  return (
    <figure class="chart">
      <div ref={place} aria-hidden="true" />
      <details>
        <summary>{t.asTable}</summary>
        <Table
          label={title}
          columns={[
            { name: 'date', title: t.day, show: dayText },
            ...figureNames.map(figureColumn),
            ...(compared.length === 0 ? [] : [before]),
          ]}
          rows={days}
        />
      </details>
    </figure>
  );
}

function draw(props: DayChartProps, element: HTMLElement): uPlot {
  const { figure, days, compared, today } = props;
  // As the scheme of the browser has it, for the canvas.
  const colour = (name: string): string => {
    element.style.color = name;
    return getComputedStyle(element).color;
  };
  const [base, line, text] = [colour('var(--link)'), colour('var(--line)'), colour('CanvasText')];
  const bars = uPlot.paths.bars?.({ size: [0.7, 48] });
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
  const value = (_: uPlot, shown: number | null): string => figureText(figure, shown);
  const bar = { ...(bars && { paths: bars }), points: { show: false }, value, stroke: base };
  const dateAt = (index: number | null): string => textOf(days[index ?? -1]?.['date']);
  const over = days.map((day) => (day['date'] === today ? undefined : day));
  const open = days.map((day) => (day['date'] === today ? day : undefined));
  const before = days.map((_, index) => compared[index]);
  const point = { show: days.length === 1 };
  const lines = [
    { of: over, line: { ...bar, label: titleOf(figure), fill: base } },
    { of: open, line: { ...bar, label: t.todayOpen, fill: line, dash: [4, 3] } },
    { of: before, line: { label: t.before, value, stroke: text, width: 2, dash: [6, 4], points: point } },
  ].filter(({ of }) => of.some((day) => day !== undefined));
  const figureOf = (day: JsonObject | undefined) => (typeof day?.[figure] === 'number' ? day[figure] : null);
  const options: uPlot.Options = {
    ...{ width: element.clientWidth, height, cursor: { y: false } },
    scales: {
      x: { time: false, range: (_, first, last) => [first - 0.6, last + 0.6] },
      y: { range: (_, __, most) => [0, Math.max(most * 1.05, figure === 'ctr' ? 1 : 4)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        incrs: [1, 2, 7, 14, 28, 56, 112, 364],
        values: (_, at) => at.map((index) => dayName(dateAt(index))),
      },
      { ...axis, size: 64, values: (_, at) => at.map((one) => short.format(one) + (figure === 'ctr' ? ' %' : '')) },
    ],
    series: [
      { label: t.day, value: (_, index) => (index === null ? '' : dayName(dateAt(index), 'short')) },
      ...lines.map(({ line }) => line),
    ],
  };
  element.textContent = '';
  return new uPlot(options, [days.map((_, index) => index), ...lines.map(({ of }) => of.map(figureOf))], element);
}

const short = new Intl.NumberFormat(language, { notation: 'compact', maximumSignificantDigits: 3 });
