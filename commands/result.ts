/** What a command gives back: plain values that output.ts renders for a terminal, a pipe or `--json`. */
import { isoTimeOfMs } from '../src/values/dates.js';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export type JsonRecord = { readonly [name: string]: JsonValue };

export type Result = ListResult | RecordResult | TextResult | DoneResult | NothingResult;

interface AnyResult {
  /** 1 when the work was done but its finding is bad, as with `doctor`. Default 0. */
  readonly exitCode?: 0 | 1;
  /** Lines for people on standard error, such as "The key is shown only now." Not shown with --quiet. */
  readonly notes?: readonly string[];
}

export type Marks = Readonly<Record<string, Readonly<Record<string, 'warning' | 'past'>>>>;

/** Many records: a table on a terminal, one tab-separated line each in a pipe, `{data: [...], meta: {total}}`. */
export interface ListResult extends AnyResult {
  readonly kind: 'list';
  /** Members that tables and pipes show, in order; JSON has all members. */
  readonly columns: readonly string[];
  readonly rows: readonly JsonRecord[];
  /** Number of records there are, when `rows` is one page of them. Default: the number of rows. */
  readonly total?: number;
  /** Rows before the first one, of a list that is shown in parts: a pipe notes then that rows are left. */
  readonly offset?: number;
  /** What a terminal that is too narrow for all columns does without, the first to go first. */
  readonly spare?: readonly string[];
  /** By column and value: what is highlighted on a terminal, and what is dimmed. */
  readonly marks?: Marks;
  /** Said on a terminal instead of an empty table. */
  readonly empty?: string;
}

/** One record: a line `name value` per member, `{data: {...}}`. */
export interface RecordResult extends AnyResult {
  readonly kind: 'record';
  readonly record: JsonRecord;
  /** Members to show, in order; default all. JSON has all members. */
  readonly fields?: readonly string[];
}

/** Text that is the result itself, such as a script; printed as it is. */
export interface TextResult extends AnyResult {
  readonly kind: 'text';
  readonly text: string;
  readonly data: JsonValue;
}

/** Something was done. The sentence is for people (not with --quiet), the data for `--json`. */
export interface DoneResult extends AnyResult {
  readonly kind: 'done';
  readonly message: string;
  readonly data: JsonValue;
}

/** A long-running command ended; `{data: null}`. */
export interface NothingResult extends AnyResult {
  readonly kind: 'nothing';
  /** With `--json` it has written its results itself, as they came, one JSON object a line. */
  readonly hasWritten?: boolean;
}

/** `2026-11-21T09:30:00Z` of Unix milliseconds, as records have it; null stays null. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTimeOfMs(milliseconds);
}
