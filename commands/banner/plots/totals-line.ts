/** The five figures of a period in two lines: names above values. */
import type { Figures } from './compare-plot.js';
import { countText, percentText } from './figures-text.js';
import { joinLines, type PlotStyle } from './plot-style.js';

export function totalsLine(figures: Figures, { paint }: PlotStyle): string {
  const cells = [
    ['IMPRESSIONS', countText(figures.impressions)],
    ['CLICKS', countText(figures.clicks)],
    ['CTR', percentText(figures.ctr)],
    ['CONVERSIONS', countText(figures.conversions)],
    ['CVR', percentText(figures.cvr)],
  ] as const;
  const widths = cells.map(([head, value]) => Math.max(head.length, value.length) + 3);
  const heads = cells.map(([head], index) => head.padEnd(widths[index] ?? 0)).join('');
  const values = cells.map(([, value], index) => value.padEnd(widths[index] ?? 0)).join('');
  return joinLines([paint.dim(heads.trimEnd()), paint.bold(values.trimEnd())]);
}
