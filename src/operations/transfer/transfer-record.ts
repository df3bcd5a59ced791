/** What the engine takes from a container of records and gives to one: objects with their records, and what is wrong. */
import { AppError } from '../../errors/app-error.js';
import type { Param, Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { Store } from '../../store/open/open.js';
import { partsOf } from '../../values/batches.js';
import type { JsonObject } from '../../values/json.js';

export interface Readers {
  readonly content: Reader;
  readonly own: Reader;
}

/** What is read in a transaction sees what it has written. */
export function readersOf(
  { content, own }: Store,
  within: { readonly tx: Tx; readonly database: 'content' | 'own' } | null,
): Readers {
  if (within === null) return { content: content.primary, own: own.primary };
  const { tx, database } = within;
  if (own === content) return { content: tx, own: tx };
  return database === 'content' ? { content: tx, own: own.primary } : { content: content.primary, own: tx };
}

export interface Filter {
  readonly contexts?: readonly string[] | undefined;
  readonly since?: number | undefined;
}

export interface OutRecord {
  readonly object: string;
  /** Of its row, for what is left out. */
  readonly key: number | string;
  readonly record: JsonObject;
}

export interface Line {
  /** From 1. */
  readonly line: number;
  /** For messages: `line 12`, with the name of the file where there are several. */
  readonly at: string;
  readonly file?: string;
}

export interface TransferRecord extends Line {
  readonly object: string;
  readonly record: JsonObject;
  readonly places: Readonly<Record<string, TextPlace>>;
  readonly objectColumn: number;
  /** The id that the record had elsewhere, and gets here if no row has it. */
  readonly id?: WantedId;
  /** Values of template variables that are their defaults: a store may keep them, and need not. */
  readonly usual?: JsonObject;
}

export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Of a member; one that is not there is where its record begins. */
export function placeOf({ line, at, file, places }: Line & Pick<TransferRecord, 'places'>, member: string) {
  const place = places[member] ?? { line, column: 1 };
  return file === undefined ? { ...place, at } : { ...place, at: `${file} line ${place.line}`, file };
}

export interface WantedId {
  readonly wanted: number | null;
  /** Other ids begin above it, so that they never take one that a later record wants. */
  readonly highest: number;
}

/** After this many wrong lines, something other than single lines is wrong. */
const most = { lines: 100, problems: 20 };

export interface Problem extends Line {
  readonly problem: string;
  readonly column?: number;
  readonly object?: string;
  readonly field?: string;
}

export class LineProblems {
  readonly #lines = new Map<string, string[]>();
  #first: Problem | undefined;

  add(one: Problem): void {
    const { at, object, field, problem } = one;
    const name = [object, field].filter((word) => word !== undefined).join('.');
    const text = name === '' ? problem : `${name}: ${problem}`;
    const known = this.#lines.get(at);
    if (known && known.length < most.problems) known.push(text);
    else if (!known) this.#lines.set(at, [text]);
    this.#first ??= { ...one, problem: text };
    if (this.#lines.size >= most.lines) throw this.refusal();
  }

  refuseAny(): void {
    if (this.#first !== undefined) throw this.refusal();
  }

  refusal(): AppError {
    const { line = 0, at = '', problem = '', column = 1, file, object, field } = this.#first ?? {};
    const more = this.#lines.size > 1 ? `; ${this.#lines.size} lines are wrong in all` : '';
    const named = Object.entries({ file, object, field }).filter(([, name]) => name !== undefined);
    return new AppError('refused', {
      message: `${at}: ${problem}${more}`,
      details: {
        fields: Object.fromEntries(this.#lines),
        place: { line, column, ...Object.fromEntries(named) },
      },
    });
  }
}

/** Refusals of the database that a row causes. */
const causedByRows: ReadonlySet<string> = new Set(['payload_too_large', 'validation_failed', 'conflict']);

/** The error with the lines whose rows the database refused; `said` replaces the message of a code. */
export function atLines(error: unknown, lines: readonly Line[], said: Readonly<Record<string, string>> = {}): unknown {
  if (!(error instanceof AppError) || !causedByRows.has(error.code) || error.details.place) return error;
  const { code, details, message } = error;
  const [{ line, at, file } = { line: 1, at: '', file: undefined }, last] = [lines[0], lines.at(-1)?.at];
  const place = last === at ? at : `${at} to ${last}`;
  return new AppError(code, {
    message: `${place}: ${said[code] ?? message}`,
    details: { ...details, place: { line, column: 1, ...(file === undefined ? {} : { file }) } },
    cause: error,
  });
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000_000;
}

/** What reading a member of a record may throw. */
export class WrongValue extends Error {}

/** A later line of the file may have the name. */
export class Missing extends WrongValue {}

/** Resources may refer to each other in circles. */
export class MissingResource extends Missing {}

interface MissingName {
  readonly member: string;
  readonly message: string;
  /** The record can be written without it first. */
  readonly isSoft: boolean;
}

export type Warned = readonly [kind: WarningKind, field: string, problem: string];

export type WarningKind = 'rule' | 'picture' | 'edit';

export class Findings {
  readonly missing: MissingName[] = [];
  readonly problems: (readonly [member: string, problem: string])[] = [];

  async read<T>(
    member: string,
    work: () => T | Promise<T>,
    isSoft: (error: Missing) => boolean = () => false,
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      if (error instanceof Missing) this.missing.push({ member, message: error.message, isSoft: isSoft(error) });
      else this.problems.push([member, error.message]);
      return undefined;
    }
  }
}

const mostTogether = 32;

interface Waiting {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: { readonly values: Readonly<Record<string, Param>>; readonly line: Line }[];
}

export class RowWriter {
  readonly #tx: Tx;
  readonly #waiting = new Map<string, Waiting>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** `table` is the real name. The row is there after the next `flush`, which each batch of records ends with. */
  insert(table: string, values: Readonly<Record<string, Param>>, line: Line): void {
    const columns = Object.keys(values);
    const key = `${table} ${columns.join(' ')}`;
    const waiting = this.#waiting.get(key) ?? { table, columns, rows: [] };
    this.#waiting.set(key, waiting);
    waiting.rows.push({ values, line });
  }

  async flush(): Promise<void> {
    for (const waiting of this.#waiting.values())
      for (const rows of partsOf(waiting.rows, mostTogether)) await this.#write(waiting, rows);
    this.#waiting.clear();
  }

  async #write({ table, columns }: Waiting, rows: Readonly<Waiting['rows']>): Promise<void> {
    const { quote } = dialectOf(this.#tx.dialect);
    const row = `(${columns.map(() => '?').join(', ')})`;
    const sql = `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES ${rows.map(() => row).join(', ')}`;
    const params = rows.flatMap(({ values }) => columns.map((column) => values[column] ?? null));
    try {
      await this.#tx.run({ sql, params });
    } catch (error) {
      const lines = rows.map(({ line }) => line);
      throw atLines(error, lines, { conflict: `two rows of ${table} would be the same` });
    }
  }
}
