/** One figure by day, drawn by uPlot, with the same as a table. A day that is not over is drawn apart. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { JsonObject } from '../api.js';
import { DataTable } from '../data-table.js';
import { language, texts } from '../texts.js';
import { dayName, figureColumn, figureNames, figureText, figureTitle, isRate, textOf } from './banner-view.js';

interface DayChartProps {
  readonly figure: string;
  readonly days: readonly JsonObject[];
  /** Of the period before, day by day; empty: none. */
  readonly compared: readonly JsonObject[];
  readonly today: string;
}

const height = 260;

export function DayChart({ figure, days, compared, today }: DayChartProps) {
  const t = texts.banners;
  const place = useRef<HTMLDivElement>(null);
  const isOpen = days.at(-1)?.['date'] === today;
  useEffect(() => {
    const element = place.current;
    if (element === null || days.length === 0) return;
    const draw = (): uPlot => {
      element.textContent = '';
      return new uPlot(optionsOf({ figure, days, isOpen, width: element.clientWidth, element }), dataOf(), element);
    };
    const dataOf = (): uPlot.AlignedData => {
      const values = days.map((day) => figureOf(day, figure));
      const last = values.length - 1;
      return [
        days.map((_, index) => index),
        values.map((value, index) => (isOpen && index === last ? null : value)),
        values.map((value, index) => (isOpen && index === last ? value : null)),
        days.map((_, index) => figureOf(compared[index], figure)),
      ];
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
  }, [JSON.stringify([figure, days, compared, today])]);
  const title = figureTitle(figure);
  return (
    <figure class="chart">
      <figcaption>
        <span class="key base">{title}</span>
        {isOpen ? <span class="key open">{t.todayOpen}</span> : null}
        {compared.length === 0 ? null : <span class="key compared">{t.before}</span>}
      </figcaption>
      <div ref={place} aria-hidden="true" />
      <details>
        <summary>{t.asTable}</summary>
        <DataTable
          label={title}
          columns={[
            {
              ...{ name: 'date', title: t.day },
              show: (day) => dayName(textOf(day['date'])) + (day['date'] === today ? ` (${t.todayOpen})` : ''),
            },
            ...figureNames.map(figureColumn),
            ...(compared.length === 0
              ? []
              : [
                  {
                    ...{ name: 'before', title: `${title}, ${t.before}`, isNumber: true },
                    show: (day: JsonObject) => figureText(figure, compared[days.indexOf(day)]?.[figure]),
                  },
                ]),
          ]}
          rows={days}
        />
      </details>
    </figure>
  );
}

function figureOf(day: JsonObject | undefined, figure: string): number | null {
  const value = day?.[figure];
  return typeof value === 'number' ? value : null;
}

interface Plotted extends Pick<DayChartProps, 'figure' | 'days'> {
  readonly isOpen: boolean;
  readonly width: number;
  readonly element: HTMLElement;
}

function optionsOf({ figure, days, width, element }: Plotted): uPlot.Options {
  // As the scheme of the browser has it, for the canvas.
  const colour = (name: string): string => {
    element.style.color = `var(${name})`;
    return getComputedStyle(element).color;
  };
  const [base, dim, line, text] = [colour('--chart'), colour('--chart-open'), colour('--line'), colour('--text')];
  const bars = uPlot.paths.bars?.({ size: [0.7, 48] });
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
  const bar = { ...(bars && { paths: bars }), points: { show: false } };
  return {
    ...{ width, height, legend: { show: false }, cursor: { y: false } },
    scales: {
      x: { time: false, range: (_, first, last) => [first - 0.6, last + 0.6] },
      y: { range: (_, __, most) => [0, Math.max(most * 1.05, isRate(figure) ? 1 : 4)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        incrs: [1, 2, 7, 14, 28, 56, 112, 364],
        values: (_, at) => at.map((index) => shortDay(textOf(days[index]?.['date']))),
      },
      { ...axis, size: 64, values: (_, at) => at.map((value) => short.format(value) + (isRate(figure) ? ' %' : '')) },
    ],
    series: [
      {},
      { ...bar, fill: base, stroke: base },
      { ...bar, fill: dim, stroke: base, dash: [4, 3] },
      { stroke: text, width: 2, dash: [6, 4], points: { show: days.length === 1 } },
    ],
  };
}

const short = new Intl.NumberFormat(language, { notation: 'compact' });
const dayAndMonth = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });

function shortDay(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) ? '' : dayAndMonth.format(time);
}
