/** The only place that turns results and errors into text: tables, tab-separated lines, or one JSON object. */
import { AppError, type ErrorDetails } from '../src/errors/app-error.js';
import { catalogue, type ErrorCode } from '../src/errors/catalogue.js';
import { errorChain } from '../src/log/observation.js';
import { escapeControls } from '../src/values/text.js';
import { cellOf, type ListResult, type Result, tabLine } from './command.js';
import { Interrupted } from './exit-codes.js';
import { paintFor } from './paint.js';
import { withValue } from './parameters.js';
import { type Io, type Output, writeJson } from './streams.js';
import { missedColumns, renderRecord, renderTable } from './table.js';
import { proseWidth, wrapNote } from './terminal-text.js';

export interface OutputMode {
  readonly io: Io;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly now: number;
}

export function writeResult(result: Result, mode: OutputMode): void {
  const { io, json, quiet } = mode;
  const hasWritten = result.kind === 'nothing' && result.hasWritten === true;
  if (json && !hasWritten) writeJson(io.stdout, jsonOf(result));
  else if (!json && !(quiet && result.kind === 'done')) io.stdout.write(textOf(result, mode));
  if (quiet) return;
  for (const note of notesOf(result, mode)) writeNote(io.stderr, note);
}

export function writeNote(output: Output, note: string): void {
  output.write(`${wrapped(note, output)}\n`);
}

function wrapped(text: string, output: Output): string {
  return output.isTerminal ? wrapNote(output.harmless(text), proseWidth(output)) : text;
}

/** JSON to standard output, or text to standard error, where a fault also leaves its stack. */
export function writeError(error: unknown, mode: OutputMode & { readonly helpLine: string }): void {
  const { io, json } = mode;
  if (json) writeJson(io.stdout, { error: errorObject(error) });
  else io.stderr.write(errorText(error, mode), 'error');
  if (isFault(error)) io.stderr.write(traceOf(error), 'error');
}

export function traceOf(error: unknown): string {
  const [, ...causes] = errorChain(error);
  const lines = [
    error instanceof Error ? (error.stack ?? String(error)) : String(error),
    ...causes.map((cause) => `Caused by ${escapeControls(cause)}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function jsonOf(result: Result): object {
  switch (result.kind) {
    case 'list':
      return { data: result.rows, meta: { total: totalOf(result) } };
    case 'record':
      return { data: result.record };
    case 'text':
    case 'done':
      return { data: result.data };
    case 'nothing':
      return { data: null };
    default:
      return result satisfies never;
  }
}

function textOf(result: Result, { io: { stdout }, now }: OutputMode): string {
  switch (result.kind) {
    case 'list': {
      if (stdout.isTerminal) return result.rows.length === 0 ? '' : renderTable(result, { output: stdout, now });
      return result.rows.map((row) => tabLine(result.columns.map((column) => cellOf(row, column)))).join('');
    }
    case 'record': {
      const fields = result.fields ?? Object.keys(result.record);
      if (stdout.isTerminal) return renderRecord(fields, result.record, { output: stdout, now });
      return fields.map((field) => tabLine([field, cellOf(result.record, field)])).join('');
    }
    case 'text':
      return result.text;
    case 'done':
      return `${wrapped(escapeControls(result.message), stdout)}\n`;
    case 'nothing':
      return '';
    default:
      return result satisfies never;
  }
}

function notesOf(result: Result, { io, json, now }: OutputMode): readonly string[] {
  const notes = (result.notes ?? []).filter((note) => note !== false);
  if (result.kind !== 'list' || json) return notes;
  const total = totalOf(result);
  const shown = `${result.rows.length} of ${total} shown.`;
  const isSaid = notes.length > 0 && !io.stdout.isTerminal;
  if (result.rows.length === 0 && !isSaid) notes.unshift(result.empty ?? 'Nothing found.');
  if (!io.stdout.isTerminal) {
    const isCut = result.offset !== undefined && result.offset + result.rows.length < total;
    return isCut ? [...notes, shown] : notes;
  }
  const missed = missedColumns(result, { output: io.stdout, now });
  if (missed.length > 0)
    notes.unshift(`Columns that do not fit: ${missed.join(', ')}. Use a wider terminal or --json.`);
  if (result.rows.length > 0 && total > result.rows.length) notes.unshift(shown);
  return notes;
}

function totalOf(result: ListResult): number {
  return result.total ?? result.rows.length;
}

export function isFault(error: unknown): boolean {
  return error instanceof AppError ? error.kind === 'internal' : !(error instanceof Interrupted);
}

export function errorObject(error: unknown): object {
  if (error instanceof Interrupted) return { code: 'interrupted', message: error.message, details: {} };
  if (!(error instanceof AppError)) {
    return { code: 'internal_error', message: catalogue.internal_error.title, details: {} };
  }
  return { code: error.code, message: error.message, details: detailsOf(error.details) };
}

function detailsOf({ fields, given, place, kept, allow, usedBy, newer, cause, retryAfter }: ErrorDetails): object {
  return {
    ...place,
    ...{ fields, given },
    kept: kept && { records: kept.records, before_line: kept.beforeLine },
    ...{ allow, used_by: usedBy, migration: newer?.migration, written_by: newer?.writtenBy, cause, retryAfter },
  };
}

/** Their message already says what to do; the catalogue's text is for callers of the APIs. */
const saidByMessage: ReadonlySet<ErrorCode> = new Set([
  'refused',
  'validation_failed',
  'not_found',
  'conflict',
  'database_newer',
  'unsupported_media_type',
]);

function says({ message }: AppError, field: string): boolean {
  return message.toLowerCase().includes(field.replace(/^--/, '').toLowerCase());
}

function errorText(error: unknown, { io, helpLine }: OutputMode & { readonly helpLine: string }): string {
  const name = paintFor(io.stderr).red('hcd:');
  if (error instanceof Interrupted) return `${name} interrupted\n`;
  if (!(error instanceof AppError)) return `${name} ${catalogue.internal_error.title}\n`;
  const fields = Object.entries(error.details.fields ?? {});
  // An error without its own message has that of its first problem, which does not always name its field.
  const [owner] = fields.find(([field, problems]) => problems.includes(error.message) && !says(error, field)) ?? [];
  const lines = [`${name} ${escapeControls(owner === undefined ? error.message : `${owner}: ${error.message}`)}`];
  for (const [field, problems] of fields) {
    for (const problem of problems) {
      if (error.code === 'usage' || problem === error.message) continue;
      const line = `${withValue(field, error.details.given?.[field])}: ${problem}`;
      if (!error.message.startsWith(line)) lines.push(`  ${escapeControls(line)}`);
    }
  }
  if (error.details.cause !== undefined) lines.push(`  The database says: ${escapeControls(error.details.cause)}`);
  if (error.code === 'usage') lines.push(helpLine);
  else if (isFault(error)) lines.push('This is a bug in hcd. Report it with the lines below.');
  else if (!saidByMessage.has(error.code)) lines.push(catalogue[error.code].fix);
  return `${wrapped(lines.join('\n'), io.stderr)}\n`;
}
