/** One figure by day, drawn by uPlot, with the same as a table. A day that is not over is drawn apart. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { JsonObject } from '../api.js';
import { language, texts } from '../texts.js';
import { dayName, Table, textOf, titleOf } from '../values.js';
import { type FigureName, figureColumn, figureNames, figureText } from './figures.js';

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
  const t = texts.banners;
  // As the scheme of the browser has it, for the canvas.
  const colour = (name: string): string => {
    element.style.color = name;
    return getComputedStyle(element).color;
  };
  const [base, line, text] = [colour('var(--link)'), colour('var(--line)'), colour('CanvasText')];
  const bars = uPlot.paths.bars?.({ size: [0.7, 48] });
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
  const value = (_: uPlot, shown: number | null): string => figureText(figure, shown);
  const bar = { ...(bars && { paths: bars }), points: { show: false }, value };
  const dateAt = (index: number | null): string => textOf(days[index ?? -1]?.['date']);
  const isToday = (day: JsonObject): boolean => day['date'] === today;
  const drawn: readonly (uPlot.Series & { readonly of: readonly (JsonObject | undefined)[] })[] = [
    {
      ...bar,
      label: titleOf(figure),
      fill: base,
      stroke: base,
      of: days.map((day) => (isToday(day) ? undefined : day)),
    },
    {
      ...{ ...bar, label: t.todayOpen, fill: line, stroke: base, dash: [4, 3] },
      of: days.map((day) => (isToday(day) ? day : undefined)),
    },
    {
      ...{ label: t.before, value, stroke: text, width: 2, dash: [6, 4], points: { show: days.length === 1 } },
      of: days.map((_, index) => compared[index]),
    },
  ];
  const lines = drawn.filter(({ of }) => of.some((day) => day !== undefined));
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
      ...lines.map(({ of: _, ...line }) => line),
    ],
  };
  element.textContent = '';
  return new uPlot(options, [days.map((_, index) => index), ...lines.map(({ of }) => of.map(figureOf))], element);
}

const short = new Intl.NumberFormat(language, { notation: 'compact' });
