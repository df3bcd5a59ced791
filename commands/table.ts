/** Values as cells: aligned and readable on a terminal, one tab-separated line a record in a pipe. */
import Table from 'cli-table3';
import { escapeControls } from '../src/log/escape.js';
import type { Output } from './io.js';
import type { JsonRecord, JsonValue, ListResult, Marks } from './result.js';

/** Columns narrower than this are never cut. */
const narrow = 12;
const gap = 2;

type TableList = Pick<ListResult, 'columns' | 'rows' | 'spare' | 'marks'>;

/** Records as a table that fits the terminal: spare columns go, then wide ones are cut with an ellipsis. */
export function renderTable(list: TableList, output: Output): string {
  const left = new Set(leftOut(list, output));
  const columns = list.columns.filter((column) => !left.has(column));
  const texts = list.rows.map((row) => columns.map((column) => terminalCell(row[column])));
  const widths = columns.map((column, index) =>
    widthOf(
      column,
      texts.map((row) => row[index] ?? ''),
    ),
  );
  const cells = texts.map((row) =>
    row.map((text, index) => painted(text, { mark: list.marks?.[columns[index] ?? '']?.[text], output })),
  );
  const table = new Table({
    head: columns.map((column) => output.paint.bold(column.toUpperCase())),
    colWidths: fitWidths(widths, output.columns).map((width) => width + gap),
    chars: noBorders,
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] },
  });
  table.push(...cells);
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

/** The spare columns for which the terminal has no room: those without any value go first. */
export function leftOut({ columns, rows, spare = [] }: TableList, output: Output): readonly string[] {
  const least = (column: string): number =>
    gap +
    Math.min(
      narrow,
      widthOf(
        column,
        rows.map((row) => terminalCell(row[column])),
      ),
    );
  let excess = columns.reduce((sum, column) => sum + least(column), 0) - output.columns;
  const isEmpty = (column: string): boolean => rows.every((row) => terminalText(row[column]) === '-');
  const order = [...spare.filter(isEmpty), ...spare.filter((column) => !isEmpty(column))];
  return order.filter((column) => {
    if (excess <= 0) return false;
    excess -= least(column);
    return true;
  });
}

/** The names of those that hold something, for a note below the table. */
export function missedColumns(list: TableList, output: Output): readonly string[] {
  return leftOut(list, output).filter((column) => list.rows.some((row) => terminalText(row[column]) !== '-'));
}

function widthOf(column: string, texts: readonly string[]): number {
  return Math.max(column.length, ...texts.map(displayWidth));
}

function painted(
  text: string,
  { mark, output }: { readonly mark: Marks[string][string] | undefined; readonly output: Output },
): string {
  if (mark === undefined) return text;
  return mark === 'warning' ? output.paint.yellow(text) : output.paint.dim(text);
}

/** One record as lines of name and value. */
export function renderRecord(fields: readonly string[], record: JsonRecord, output: Output): string {
  const width = Math.max(0, ...fields.map((field) => field.length));
  const margin = `\n${' '.repeat(width + gap)}`;
  const lines = fields.map((field) => {
    const value = terminalText(record[field]).split('\n').map(escapeControls).join(margin);
    return `${output.paint.bold(field.padEnd(width))}${' '.repeat(gap)}${value}`.trimEnd();
  });
  return `${lines.join('\n')}\n`;
}

/** Values of one line in a pipe, separated by tabs. */
export function renderLine(values: readonly (JsonValue | undefined)[]): string {
  return `${values.map(pipeCell).join('\t')}\n`;
}

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/** Takes width from the widest column, again and again, until the line fits or only narrow columns are left. */
function fitWidths(widths: readonly number[], space: number): readonly number[] {
  const fitted = [...widths];
  let excess = fitted.reduce((sum, width) => sum + width + gap, 0) - space;
  while (excess > 0) {
    const widest = Math.max(...fitted);
    if (widest <= narrow) break;
    const index = fitted.indexOf(widest);
    const next = Math.max(narrow, ...fitted.filter((_, other) => other !== index));
    const cut = Math.min(excess, Math.max(1, widest - next));
    fitted[index] = widest - cut;
    excess -= cut;
  }
  return fitted;
}

/** Wide characters (CJK, emoji) take two columns. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text)
    width +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
        character,
      )
        ? 2
        : 1;
  return width;
}

function terminalText(value: JsonValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = value === null || value === undefined ? '' : plainText(value);
  return text === '' ? '-' : text;
}

function terminalCell(value: JsonValue | undefined): string {
  return escapeControls(terminalText(value));
}

const pipeEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function pipeCell(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  return plainText(value).replace(/[\\\t\n\r]/g, (character) => pipeEscapes[character] ?? character);
}

function plainText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((element) => typeof element !== 'object')) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
