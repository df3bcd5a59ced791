/**
 * The inside of a backup: one JSON value a line. The first line says what it is a backup of, each table is a line with
 * its columns and a line for each row, and the last line is the manifest with the rows and the SHA-256 digest of each
 * table:
 *
 *     {"backup": {"version", "created", "migrations": []}}
 *     {"table": {"name", "group", "columns", ...}}
 *     [1, "Home", null]
 *     {"manifest": {"version", "migrations", "tables": [{"name", "rows", "sha256"}], "rows"}}
 */
import { startSha256 } from '../../crypto/hash.js';
import { AppError } from '../../errors/app-error.js';
import type { RawRow } from '../../store/base/database.js';
import { isJsonObject, isSameJson } from '../../values/json.js';
import { readStrictJson } from '../../values/strict-json.js';
import type { Bytes } from './container.js';
import {
  decodeRow,
  decodeTable,
  encodeRow,
  encodeTable,
  LineFault,
  type StoredTable,
  storedColumns,
} from './stored-table.js';

export interface BackupHead {
  readonly version: string;
  /** ISO 8601 UTC. */
  readonly created: string;
  readonly migrations: readonly string[];
}

export interface BackupTotals {
  readonly tables: number;
  readonly rows: number;
}

export type BackupPart =
  | { readonly kind: 'head'; readonly head: BackupHead }
  | { readonly kind: 'table'; readonly table: StoredTable }
  /** Rows of the last table; `line` is the line of the first one. */
  | { readonly kind: 'rows'; readonly rows: readonly RawRow[]; readonly line: number }
  | ({ readonly kind: 'end' } & BackupTotals);

/** So that a hostile file cannot fill the memory. */
const longestLine = 64 * 1024 * 1024;
/** Parts of 2 MB would make a restore need 50 MB more. */
const partBytes = 100_000;
const mostPartRows = 1000;

interface TableEntry {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
}

export async function* writeLines(parts: AsyncIterable<BackupPart>): AsyncGenerator<Buffer> {
  let head: BackupHead | undefined;
  let table: { readonly name: string; readonly digest: ReturnType<typeof startSha256>; rows: number } | undefined;
  const entries: TableEntry[] = [];
  const endTable = (): void => {
    if (table !== undefined) entries.push({ name: table.name, rows: table.rows, sha256: table.digest.hex() });
  };
  for await (const part of parts) {
    if (part.kind === 'head') {
      head = part.head;
      yield lineOf({ backup: head });
    } else if (part.kind === 'table') {
      endTable();
      table = { name: part.table.name, digest: startSha256(), rows: 0 };
      const line = tableLine(part.table);
      table.digest.add(line);
      yield line;
    } else if (part.kind === 'rows') {
      if (table === undefined) throw new Error('rows before their table');
      for (const row of part.rows) {
        const line = Buffer.from(`${encodeRow(row)}\n`);
        if (line.length > longestLine) throw tooLong(table.name);
        table.digest.add(line);
        yield line;
      }
      table.rows += part.rows.length;
    }
  }
  endTable();
  const rows = entries.reduce((sum, entry) => sum + entry.rows, 0);
  yield lineOf({ manifest: { version: head?.version, migrations: head?.migrations, tables: entries, rows } });
}

function tableLine(table: StoredTable): Buffer {
  try {
    return lineOf({ table: encodeTable(table) });
  } catch (error) {
    if (!(error instanceof LineFault)) throw error;
    throw new AppError('refused', { message: `The table ${table.name} cannot be backed up: ${error.message}` });
  }
}

function lineOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function tooLong(table: string): AppError {
  return new AppError('refused', {
    message: `A row of the table ${table} is larger than ${longestLine / 1024 / 1024} MiB, which is the limit of a backup`,
  });
}

/** The backup is known to be whole only after the last part. Throws backup_invalid with the number of the line. */
export async function* readLines(content: Bytes): AsyncGenerator<BackupPart> {
  const reading = new Reading();
  for await (const { bytes, line } of linesOf(content)) {
    let part: BackupPart | null;
    try {
      part = reading.take(bytes, line);
    } catch (error) {
      throw error instanceof LineFault ? invalid(error.message, line) : error;
    }
    const rows = part === null && !reading.isFull ? null : reading.takeRows();
    if (rows !== null) yield rows;
    if (part !== null) yield part;
  }
  if (!reading.isComplete) {
    throw new AppError('backup_invalid', { message: 'The backup has no manifest at its end: it was cut off' });
  }
}

function invalid(problem: string, line: number): AppError {
  return new AppError('backup_invalid', { message: `Line ${line} of the backup: ${problem}` });
}

class Reading {
  #head: BackupHead | undefined;
  #table:
    | { readonly name: string; readonly width: number; readonly digest: ReturnType<typeof startSha256> }
    | undefined;
  #count = 0;
  #rows: RawRow[] = [];
  #rowBytes = 0;
  #firstLine = 0;
  readonly #entries = new Map<string, TableEntry>();
  isComplete = false;

  get isFull(): boolean {
    return this.#rows.length >= mostPartRows || this.#rowBytes >= partBytes;
  }

  take(bytes: Buffer, line: number): BackupPart | null {
    if (this.isComplete) throw new LineFault('something follows the manifest');
    if (bytes[0] === 0x5b) return this.#takeRow(bytes, line);
    const { backup, table, manifest } = jsonOf(bytes);
    if (backup !== undefined && this.#head === undefined) {
      this.#head = decodeHead(backup);
      return { kind: 'head', head: this.#head };
    }
    if (this.#head === undefined) throw new LineFault('the backup does not begin with its first line');
    this.#endTable();
    if (table !== undefined) return { kind: 'table', table: this.#beginTable(decodeTable(table), bytes) };
    if (manifest !== undefined) return this.#end(manifest, this.#head);
    throw new LineFault('it is neither a table nor a row nor the manifest');
  }

  takeRows(): BackupPart | null {
    if (this.#rows.length === 0) return null;
    const part: BackupPart = { kind: 'rows', rows: this.#rows, line: this.#firstLine };
    this.#rows = [];
    this.#rowBytes = 0;
    return part;
  }

  #takeRow(bytes: Buffer, line: number): null {
    if (this.#table === undefined) throw new LineFault('a row stands before its table');
    if (this.#rows.length === 0) this.#firstLine = line;
    this.#rows.push(decodeRow(parse(bytes), this.#table.width));
    this.#rowBytes += bytes.length;
    this.#count += 1;
    addLine(this.#table.digest, bytes);
    return null;
  }

  #beginTable(table: StoredTable, bytes: Buffer): StoredTable {
    const isKnown = [...this.#entries.keys()].some((name) => name.toLowerCase() === table.name.toLowerCase());
    if (isKnown) throw new LineFault(`the table ${table.name} is there twice`);
    this.#table = { name: table.name, width: storedColumns(table.shape).length, digest: startSha256() };
    addLine(this.#table.digest, bytes);
    return table;
  }

  #endTable(): void {
    if (this.#table === undefined) return;
    const { name, digest } = this.#table;
    this.#entries.set(name, { name, rows: this.#count, sha256: digest.hex() });
    this.#table = undefined;
    this.#count = 0;
  }

  #end(manifest: unknown, { version, migrations }: BackupHead): BackupPart {
    const tables = [...this.#entries.values()];
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const found = { version, migrations, tables, rows };
    if (!isSameJson(manifest, found)) throw new LineFault('the manifest does not fit the tables and rows before it');
    this.isComplete = true;
    return { kind: 'end', tables: tables.length, rows };
  }
}

function addLine(digest: ReturnType<typeof startSha256>, bytes: Buffer): void {
  digest.add(bytes);
  digest.add('\n');
}

const limits = { members: 20, values: 100_000, depth: 8 };

function jsonOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  const read = readStrictJson(bytes.toString('utf8'), limits);
  if (!read.ok) throw new LineFault(read.problem);
  if (!isJsonObject(read.value)) throw new LineFault('it is not an object');
  return read.value;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new LineFault('the row is not JSON');
  }
}

function decodeHead(value: unknown): BackupHead {
  const { version, created, migrations } = isJsonObject(value) ? value : {};
  const isText = (one: unknown): one is string => typeof one === 'string' && /^\P{Cc}{1,100}$/u.test(one);
  if (!isText(version) || !isText(created) || !Array.isArray(migrations) || !migrations.every(isText)) {
    throw new LineFault('the first line lacks the version, the time or the migrations');
  }
  return { version, created, migrations };
}

/** Without their ends, counted from 1. */
async function* linesOf(content: Bytes): AsyncGenerator<{ bytes: Buffer; line: number }> {
  let parts: Buffer[] = [];
  let length = 0;
  let line = 1;
  for await (const chunk of content) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield { bytes: Buffer.concat([...parts, rest.subarray(0, end)]), line };
      rest = rest.subarray(end + 1);
      parts = [];
      length = 0;
      line += 1;
    }
    if (rest.length > 0) parts.push(rest);
    length += rest.length;
    if (length > longestLine) throw invalid(`the line is longer than ${longestLine / 1024 / 1024} MiB`, line);
  }
  if (length > 0) throw invalid('the backup ends in the middle of the line', line);
}
