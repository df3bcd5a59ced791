/** One figure by day, drawn by uPlot, with the same as a table. A day that is not over is drawn apart. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { JsonObject } from '../api.js';
import { language, texts } from '../texts.js';
import { Table, textOf } from '../values.js';
import { dayName, type FigureName, figureColumn, figureNames, figureText } from './banner-view.js';

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
  const t = texts.banners;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null || days.length === 0) return;
    const draw = (): uPlot => {
      element.textContent = '';
      return new uPlot(optionsOf(props, element), dataOf(props), element);
    };
    let plot = draw();
    const redraw = (): void => {
      plot.destroy();
      plot = draw();
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
  const title = t.figures[figure];
  const dayText = ({ date }: JsonObject) => dayName(textOf(date)) + (date === today ? ` (${t.todayOpen})` : '');
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

function dataOf(props: DayChartProps): uPlot.AlignedData {
  const { figure, days, compared, today } = props;
  const figureOf = (day: JsonObject | undefined): number | null => {
    const value = day?.[figure];
    return typeof value === 'number' ? value : null;
  };
  const isToday = ({ date }: JsonObject): boolean => date === today;
  return [
    days.map((_, index) => index),
    days.map((day) => (isToday(day) ? null : figureOf(day))),
    ...(days.some(isToday) ? [days.map((day) => (isToday(day) ? figureOf(day) : null))] : []),
    ...(compared.length > 0 ? [days.map((_, index) => figureOf(compared[index]))] : []),
  ];
}

function optionsOf(props: DayChartProps, element: HTMLElement): uPlot.Options {
  const { figure, days, compared, today } = props;
  const t = texts.banners;
  // As the scheme of the browser has it, for the canvas.
  const colour = (name: string): string => {
    element.style.color = `var(${name})`;
    return getComputedStyle(element).color;
  };
  const [base, dim, line, text] = [colour('--chart'), colour('--chart-open'), colour('--line'), colour('--text')];
  const bars = uPlot.paths.bars?.({ size: [0.7, 48] });
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
  const value = (_: uPlot, shown: number | null): string => figureText(figure, shown);
  const bar = { ...(bars && { paths: bars }), points: { show: false }, value };
  const dateAt = (index: number | null): string => textOf(days[index ?? -1]?.['date']);
  return {
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
        values: (_, at) => at.map((index) => shortDay(dateAt(index))),
      },
      { ...axis, size: 64, values: (_, at) => at.map((one) => short.format(one) + (figure === 'ctr' ? ' %' : '')) },
    ],
    series: [
      { label: t.day, value: (_, index) => (index === null ? '' : dayName(dateAt(index))) },
      { ...bar, label: t.figures[figure], fill: base, stroke: base },
      ...(days.some(({ date }) => date === today)
        ? [{ ...bar, label: t.todayOpen, fill: dim, stroke: base, dash: [4, 3] }]
        : []),
      ...(compared.length > 0
        ? [{ label: t.before, value, stroke: text, width: 2, dash: [6, 4], points: { show: days.length === 1 } }]
        : []),
    ],
  };
}

const short = new Intl.NumberFormat(language, { notation: 'compact' });
const dayAndMonth = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });

function shortDay(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) ? '' : dayAndMonth.format(time);
}
