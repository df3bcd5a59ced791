/** How plots are drawn: their width, Unicode or ASCII, color, and figures and dates as people read them. */
import { type Environment, readVariable } from '../../../src/config/definitions.js';
import { escapeControls } from '../../../src/log/escape.js';
import type { Output } from '../../host.js';
import { type Paint, paintFor } from '../../paint.js';
import { displayWidth } from '../../terminal-text.js';

export interface PlotStyle {
  readonly width: number;
  readonly unicode: boolean;
  readonly paint: Paint;
}

export type Tint = 'green' | 'yellow';

const widest = 120;
const narrowest = 30;

export function plotStyle(output: Pick<Output, 'columns' | 'hasColour'>, env: Environment): PlotStyle {
  const width = Math.min(widest, Math.max(narrowest, output.columns));
  return { width, unicode: isUtf8(env), paint: paintFor(output) };
}

/** By the first variable that is set, as for every program. */
export function isUtf8(env: Environment): boolean {
  const locale = ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => readVariable(env, name)).find(Boolean) ?? '';
  // The text console has no blocks of an eighth.
  return readVariable(env, 'TERM') !== 'linux' && /utf-?8/i.test(locale);
}

export function fitText(text: string, width: number, { unicode }: Pick<PlotStyle, 'unicode'>): string {
  const safe = escapeControls(text);
  const space = width - displayWidth(safe);
  if (space >= 0) return safe + ' '.repeat(space);
  const mark = unicode ? '…' : '~';
  let kept = '';
  for (const character of safe) {
    if (displayWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return kept + mark + ' '.repeat(width - 1 - displayWidth(kept));
}

export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** `3.69 %`; a dash where the divisor is 0. */
export function percentText(percent: number | null): string {
  return percent === null ? '-' : `${percent.toFixed(2)} %`;
}

/** `+12.20 %`; a dash without a value to compare with. */
export function changeText(percent: number | null): string {
  return percent !== null && percent > 0 ? `+${percentText(percent)}` : percentText(percent);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `19 Nov` for `2026-11-19`. */
export function shortDate(date: string): string {
  const [, month, day] = date.split('-').map(Number);
  return `${day} ${months[(month ?? 0) - 1] ?? ''}`;
}
