/** Reads events from CSV as it streams. Problems of a row are returned; problems of the whole file are thrown. */

import { isIP } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { withoutGuard } from '../../../src/banners/rules/csv.js';
import { dayStart, localMoment, parseLocalTime } from '../../../src/banners/rules/local-time.js';
import type { ImportedEvent } from '../../../src/banners/tracking/import-events.js';
import { timeValue } from '../../../src/config/value-type.js';
import { AppError } from '../../../src/errors/app-error.js';
import { quoted } from '../../../src/values/reading.js';
import { isIdText, largestUnsigned } from '../../../src/values/unsigned.js';

export type EventLine = { readonly line: number } & (
  | { readonly event: ImportedEvent }
  | { readonly problems: readonly string[] }
);

/** A stray quote must not make the rest of the file one record. */
const longestRecord = 65_536;

const none: ImportedEvent = { id: null, ad: 0, position: 0, at: 0, referrer: '', ip: '', orderId: null };

/** Throws refused for a file that is not UTF-8 or CSV, or has the wrong header. */
export async function* readEventCsv(
  chunks: AsyncIterable<Uint8Array>,
  { type, zone }: { readonly type: EventType; readonly zone: string },
): AsyncGenerator<EventLine> {
  const { text, rest } = await readHead(decode(chunks));
  let overcounted = 0;
  const parser = parse({
    ...formOf(text),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRecord,
    // During parsing: when the parser fails later, it drops records that were not read yet.
    on_record(cells, { lines }) {
      overcounted += pairsIn(cells);
      return [String(lines - overcounted), ...cells];
    },
  });
  // An error of the source ends the parser with it.
  pipeline(Readable.from(rest), parser, () => undefined);
  let header: readonly EventColumn[] | null = null;
  try {
    for await (const [line, ...cells] of parser as AsyncIterable<readonly string[]>) {
      if (header === null) header = readHeader(cells, type, line);
      else yield { line: Number(line), ...readRow(cells, { header, zone }) };
    }
  } catch (error) {
    throw error instanceof CsvError ? notCsv(error, overcounted) : error;
  }
  if (header === null) throw new AppError('refused', { message: 'The file is empty; a header row is required' });
}

async function readHead(texts: AsyncGenerator<string>) {
  let text = '';
  while (text.length < longestRecord && !/[^\r\n][\r\n]/.test(text)) {
    const { value, done } = await texts.next();
    if (done) break;
    text += value;
  }
  const rest = async function* () {
    yield text;
    yield* texts;
  };
  return { text, rest: rest() };
}

/** From a line such as `sep=;`, as spreadsheets write it, or from the header. */
function formOf(text: string) {
  const line = /[^\r\n]+/.exec(text)?.[0] ?? '';
  const named = /^"?sep=(.)"?$/i.exec(line)?.[1];
  if (named === undefined) return { delimiter: line.includes(',') ? ',' : (/[;\t]/.exec(line)?.[0] ?? ',') };
  if (![',', ';', '\t'].includes(named)) {
    throw new AppError('refused', { message: `${line}: values must be separated by a comma, a semicolon or a tab` });
  }
  return { delimiter: named, from_line: text.slice(0, text.indexOf(line)).split(/\r\n?|\n/).length + 1 };
}

/** The parser counts a line break of two characters inside a quoted value as two lines. */
function pairsIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split('\r\n').length - 1, 0);
}

/** Decoded as UTF-8, text in another encoding would lose letters. */
async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Drops the mark that spreadsheets put before the text.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new AppError('refused', { message: 'The file is not UTF-8 text. Save it as UTF-8', cause });
  }
}

function readHeader(names: readonly string[], type: EventType, line = '1'): readonly EventColumn[] {
  const columns = eventColumns[type];
  const expected = columns.map(([name]) => name).join(', ');
  const found = names.map((name) => columns.find((column) => column[0] === name.trim()));
  const timesOf = (column: EventColumn): number => found.filter((one) => one === column).length;
  const missing = columns.filter((column) => requiredMembers.includes(column[1]) && timesOf(column) === 0);
  const problems = [
    ...names.filter((_, index) => found[index] === undefined).map((name) => `unknown column ${JSON.stringify(name)}`),
    ...columns.filter((column) => timesOf(column) > 1).map(([name]) => `${name} appears twice`),
    ...missing.map(([name]) => `${name} is missing`),
  ];
  if (problems.length === 0) return found.filter((column) => column !== undefined);
  const message = `Line ${line}: ${problems.join('; ')}. The columns of ${type} are: ${expected}`;
  throw new AppError('refused', { message });
}

function readRow(
  cells: readonly string[],
  { header, zone }: { readonly header: readonly EventColumn[]; readonly zone: string },
): { readonly event: ImportedEvent } | { readonly problems: readonly string[] } {
  if (cells.length !== header.length) {
    return { problems: [`has ${cells.length} values, the header has ${header.length}`] };
  }
  const problems: string[] = [];
  const members = header.flatMap(([name, member, read], index) => {
    const cell = read?.(withoutGuard(cells[index] ?? ''), zone);
    if (cell !== undefined && 'problem' in cell) problems.push(`${name} ${cell.problem}`);
    return member === undefined || cell === undefined || 'problem' in cell ? [] : [[member, cell.value] as const];
  });
  return problems.length > 0 ? { problems } : { event: { ...none, ...decodeMembers(members) } };
}

function decodeMembers(members: readonly (readonly [keyof ImportedEvent, unknown])[]): Partial<ImportedEvent> {
  return Object.fromEntries(members) as Partial<ImportedEvent>;
}

const faults: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'a quoted value has no closing quote'],
  ['CSV_MAX_RECORD_SIZE', 'a row is longer than 65,536 characters: is a quote missing?'],
  ['CSV_INVALID_CLOSING_QUOTE', 'a quote inside a quoted value is not doubled'],
  ['INVALID_OPENING_QUOTE', 'a value contains a quote but is not quoted'],
]);

function notCsv(error: CsvError, overcounted: number): AppError {
  const line: unknown = error['lines'];
  const fault = faults.get(error.code) ?? 'the file is not valid CSV';
  return new AppError('refused', {
    message: `${typeof line === 'number' ? `Line ${line - overcounted}: ` : ''}${fault}`,
    cause: error,
  });
}

export const eventTypes = ['clicks', 'impressions'] as const;
export type EventType = (typeof eventTypes)[number];

type CellValue = { readonly value: string | number | null } | { readonly problem: string };
type ReadCell = (text: string, zone: string) => CellValue;

type EventColumn = readonly [name: string, member?: keyof ImportedEvent, read?: ReadCell];

const orNull =
  (read: ReadCell): ReadCell =>
  (text, zone) =>
    text === '' ? { value: null } : read(text, zone);

const requiredMembers: readonly unknown[] = ['ad', 'position', 'at'];

const common: readonly EventColumn[] = [
  ['id', 'id', orNull(readId)],
  ['ad_id', 'ad', readId],
  ['ad_name'],
  ['position_id', 'position', readId],
  ['position_name'],
];

/** A file may have them in any order. What fills no member is ignored. */
const eventColumns: Readonly<Record<EventType, readonly EventColumn[]>> = Object.freeze({
  clicks: [
    ...common,
    ['clicked_at', 'at', readMoment],
    ['referrer', 'referrer', (text) => readText(text, 255)],
    ['ip', 'ip', readAddress],
    ['order_id', 'orderId', orNull((text) => readText(text, 64))],
  ],
  impressions: [...common, ['shown_at', 'at', readMoment], ['ip', 'ip', readAddress]],
});

function readId(text: string): CellValue {
  const isId = isIdText(text) && Number(text) <= largestUnsigned;
  return isId ? { value: Number(text) } : { problem: `must be an id, not ${quoted(text)}` };
}

/** Clocks that were set back show a time twice: the first one counts. */
function readMoment(text: string, zone: string): CellValue {
  const local = parseLocalTime(text.trim().replace(/[.,]\d{1,9}$/, ''));
  const at = local === null ? readUnixTime(text) : momentOfLocal(local, zone);
  if (Number.isNaN(at)) return { problem: `must be ${momentAccepts}, not ${quoted(text)}` };
  // Ranges of the statistics start in 1970.
  return at >= 0 ? { value: at } : { problem: `must be in 1970 or later, not ${quoted(text)}` };
}

const momentAccepts =
  'a time as ISO 8601 (2026-11-21T09:30:00Z; without Z or an offset in banners_timezone), a date, or Unix seconds';

function momentOfLocal(
  { day, sinceMidnight }: { readonly day: number; readonly sinceMidnight: number | null },
  zone: string,
) {
  return sinceMidnight === null ? dayStart(day, zone) : localMoment({ day, sinceMidnight, which: 'first' }, zone);
}

function readUnixTime(text: string): number {
  const parsed = timeValue.parse(text);
  return parsed.ok ? parsed.value * 1000 : Number.NaN;
}

function readAddress(text: string): CellValue {
  const isAddress = text === '' || (isIP(text) !== 0 && !text.includes('%'));
  return isAddress ? { value: text } : { problem: `must be an IP address or empty, not ${quoted(text)}` };
}

function readText(text: string, most: number): CellValue {
  if (text.includes('\0')) return { problem: 'must not have a NUL character' };
  const length = [...text].length;
  return length <= most ? { value: text } : { problem: `must have at most ${most} characters, not ${length}` };
}
