/** The five figures of a period in two lines, names above values; one below the other where they find no room. */
import type { Figures } from './compare-plot.js';
import { countText, percentText } from './figures-text.js';
import { joinLines, type PlotStyle } from './plot-style.js';

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
