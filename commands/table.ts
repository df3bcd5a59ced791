/** Records on a terminal: aligned and readable. */
import Table from 'cli-table3';
import { escapeControls } from '../src/values/text.js';
import { cellOf, type ListResult, type Marks, plainText } from './command.js';
import { type Paint, paintFor } from './paint.js';
import type { Output } from './streams.js';
import { breakToWidth, cutToWidth, displayWidth, wrapWords } from './terminal-text.js';

/** Columns are cut to the first width, to the second only if necessary, and never below it. */
const leasts = [12, 8] as const;
const [narrow] = leasts;
const gap = 2;

interface Surroundings {
  readonly output: Pick<Output, 'columns' | 'hasColour'>;
  readonly now: number;
}

type TableList = Pick<ListResult, 'columns' | 'rows' | 'spare' | 'marks'>;

/** Leaves out optional columns, then cuts wide ones; if that is not enough, each record is a block of lines. */
export function renderTable(list: TableList, { output, now }: Surroundings): string {
  const layout = layoutOf(list, { output, now });
  if (layout === null) return renderBlocks(list, { output, now });
  const { columns, texts, fitted } = layout;
  const paint = paintFor(output);
  const cut = (text: string, index: number): string => cutToWidth(text, fitted[index] ?? 0);
  const table = new Table({
    head: columns.map((column, index) => paint.bold(cut(column.toUpperCase(), index))),
    colWidths: fitted.map((width) => width + gap),
    chars: noBorders,
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] },
  });
  table.push(
    ...texts.map((row) =>
      row.map((text, index) => painted(cut(text, index), { mark: list.marks?.[columns[index] ?? '']?.[text], paint })),
    ),
  );
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  // Terminals may draw some characters wider than the table counts them.
  if (lines.some((line) => displayWidth(line) > output.columns)) return renderBlocks(list, { output, now });
  return lines.map((line) => `${line}\n`).join('');
}

function layoutOf(list: TableList, { output, now }: Surroundings) {
  const left = new Set(leftOut(list, { output, now }));
  const columns = list.columns.filter((column) => !left.has(column));
  const texts = list.rows.map((row) => columns.map((column) => terminalCell(cellOf(row, column), now)));
  const widths = columns.map((column, index) => widthOf([column, ...texts.map((row) => row[index] ?? '')]));
  const fitted = leasts
    .map((least) => fitWidths(widths, { space: output.columns, least }))
    .find((candidate) => lineWidth(candidate) <= output.columns);
  return fitted === undefined ? null : { columns, texts, fitted, left };
}

function renderBlocks({ columns, rows, marks }: TableList, { output, now }: Surroundings): string {
  const width = output.columns;
  const paint = paintFor(output);
  const blocks = rows.map((row) =>
    columns.flatMap((column) => {
      const text = terminalCell(cellOf(row, column), now);
      const name = cutToWidth(column.toUpperCase(), width);
      const paintValue = (part: string): string => painted(part, { mark: marks?.[column]?.[text], paint });
      if (displayWidth(`${name} ${text}`) <= width) return [`${paint.bold(name)} ${paintValue(text)}`];
      return [paint.bold(name), ...breakToWidth(text, width).map(paintValue)];
    }),
  );
  return blocks.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n');
}

/** Columns without any value go first. */
function leftOut({ columns, rows, spare = [] }: TableList, { output, now }: Surroundings): readonly string[] {
  const least = (column: string): number =>
    gap + Math.min(narrow, widthOf([column, ...rows.map((row) => terminalCell(cellOf(row, column), now))]));
  let excess = columns.reduce((sum, column) => sum + least(column), 0) - output.columns;
  const isEmpty = (column: string): boolean => rows.every((row) => terminalText(cellOf(row, column)) === '-');
  const order = [...spare.filter(isEmpty), ...spare.filter((column) => !isEmpty(column))];
  return order.filter((column) => {
    if (excess <= 0) return false;
    excess -= least(column);
    return true;
  });
}

/** Columns that hold something, for a note below the table. */
export function missedColumns(list: TableList, { output, now }: Surroundings): readonly string[] {
  const left = [...(layoutOf(list, { output, now })?.left ?? [])];
  return left.filter((column) => list.rows.some((row) => terminalText(cellOf(row, column)) !== '-'));
}

function widthOf(texts: readonly string[]): number {
  return Math.max(...texts.map(displayWidth));
}

function painted(
  text: string,
  { mark, paint }: { readonly mark: Marks[string][string] | undefined; readonly paint: Paint },
): string {
  if (mark === undefined) return text;
  return mark === 'warning' ? paint.yellow(text) : paint.dim(text);
}

/** A word that is wider than the terminal stays whole, as it may be a secret to copy. */
export function renderRecord(fields: readonly string[], record: object, { output, now }: Surroundings): string {
  const width = Math.max(0, ...fields.map((field) => field.length));
  const room = output.columns - width - gap;
  const { bold } = paintFor(output);
  const lines = fields.flatMap((field) => {
    const text = terminalText(cellOf(record, field));
    const distance = shortTime(text, now);
    const value = text.split('\n').map(escapeControls);
    if (distance !== null && !text.startsWith(distance)) value[0] = `${text} (${distance})`;
    const isNarrow = value.some((line) => line.split(' ').some((word) => displayWidth(word) > room));
    if (isNarrow) return [bold(field), ...value.flatMap((line) => wrapLine(line, output.columns))];
    const [first = '', ...more] = value.flatMap((line) => wrapLine(line, room));
    const margin = ' '.repeat(width + gap);
    return [`${bold(field.padEnd(width))}${' '.repeat(gap)}${first}`, ...more.map((line) => `${margin}${line}`)];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function wrapLine(text: string, room: number): readonly string[] {
  return displayWidth(text) <= room ? [text] : wrapWords(text, room);
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + gap, 0);
}

/** Narrows the widest column until the line fits or only narrow columns are left. */
function fitWidths(
  widths: readonly number[],
  { space, least }: { readonly space: number; readonly least: number },
): readonly number[] {
  const fitted = [...widths];
  let excess = lineWidth(fitted) - space;
  while (excess > 0) {
    const widest = Math.max(...fitted);
    if (widest <= least) break;
    const index = fitted.indexOf(widest);
    const next = Math.max(least, ...fitted.filter((_, other) => other !== index));
    const cut = Math.min(excess, Math.max(1, widest - next));
    fitted[index] = widest - cut;
    excess -= cut;
  }
  return fitted;
}

function terminalText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = value === null || value === undefined ? '' : plainText(value);
  return text === '' ? '-' : text;
}

function terminalCell(value: unknown, now: number): string {
  const text = terminalText(value);
  return shortTime(text, now) ?? escapeControls(text);
}

const noBorders = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '' },
};

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const units = [
  { name: 's', seconds: 1, until: 60 },
  { name: 'min', seconds: 60, until: 3600 },
  { name: 'h', seconds: 3600, until: 2 * 86_400 },
  { name: 'd', seconds: 86_400, until: 300 * 86_400 },
] as const;

/** `3 min ago`, `in 89 d`, `2037-01-01`; null for a text that is not a whole ISO 8601 time. */
export function shortTime(text: string, now: number): string | null {
  if (!isoTime.test(text)) return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) return null;
  const distance = Math.floor(Math.abs(time - now) / 1000);
  if (distance === 0) return 'now';
  const unit = units.find(({ until }) => distance < until);
  if (unit === undefined) return text.slice(0, 10);
  const amount = `${Math.round(distance / unit.seconds)} ${unit.name}`;
  return time > now ? `in ${amount}` : `${amount} ago`;
}
