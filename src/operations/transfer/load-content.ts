/**
 * Writes the records of an export that belong to the content, in the transaction of the caller. A record may name
 * something further down in the file: such a record waits until the end.
 */

import type { FieldDefinition } from '../../content/objects/definition.js';
import { valueProblem } from '../../content/resources/check-values.js';
import { AppError } from '../../errors/app-error.js';
import type { Column, Tables } from '../../store/base/columns.js';
import type { Param, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { elementKinds } from './element-kinds.js';
import type { Owner, RecordKind, Row, Values } from './members.js';
import { Missing, Names, WrongValue } from './names.js';
import { peopleKinds } from './people-kinds.js';
import type { Problems, TransferRecord } from './read-records.js';
import { resourceKinds } from './resource-kinds.js';

/** By the name that records have as `object`. */
export const contentKinds: ReadonlyMap<string, RecordKind> = new Map(
  Object.entries({ ...elementKinds, ...peopleKinds, ...resourceKinds }),
);

interface ContentLoad {
  readonly prefix: string;
  /** As they are: what does not fit a column is refused. */
  readonly tables: Tables;
  readonly records: AsyncIterable<TransferRecord>;
  readonly problems: Problems;
  /** Called for each record. */
  readonly onRecord: () => void;
}

interface Entry {
  readonly at: string;
  readonly object: string;
  readonly kind: RecordKind;
  readonly owner: Owner;
}

/** Throws `refused` with all problems by line; then the transaction must not be kept. */
export async function loadContent(tx: Tx, { prefix, tables, records, problems, onRecord }: ContentLoad): Promise<void> {
  const names = new Names(tx, prefix);
  const store = { names, columnsOf: (table: string) => tables.get(`${prefix}${table}`)?.columns ?? new Map() };
  const writer = new RowWriter(tx, prefix);
  const waiting: Entry[] = [];
  for await (const { at, object, record } of records) {
    onRecord();
    const kind = contentKinds.get(object);
    if (kind === undefined) {
      problems.add(at, `object ${JSON.stringify(object)} is unknown; known are ${[...contentKinds.keys()].join(', ')}`);
      continue;
    }
    const owner = { id: kind.key === undefined ? await names.nextId(kind.table) : 0, record };
    const entry = { at, object, kind, owner };
    const isFree = (await kind.claim?.(owner, names)) ?? true;
    if (!isFree) problems.add(at, `${object}: the name is already in use`);
    const reading = await readEntry(entry, store);
    for (const problem of reading.problems) problems.add(at, `${object}.${problem}`);
    if (!isFree || reading.problems.length > 0) continue;
    if (reading.missing.length > 0) waiting.push(entry);
    else await write(entry, reading.rows, { names, writer });
  }
  for (const entry of waiting) {
    const { missing, problems: found, rows } = await readEntry(entry, store);
    for (const one of [...missing, ...found]) problems.add(entry.at, `${entry.object}.${one}`);
    if (missing.length + found.length === 0) await write(entry, rows, { names, writer });
  }
  problems.refuseAny();
  await writer.flush();
}

async function write(
  { at, kind: { key }, owner }: Entry,
  [own, ...others]: readonly Row[],
  { names, writer }: { readonly names: Names; readonly writer: RowWriter },
): Promise<void> {
  if (own && key === undefined) await writer.insert(own.table, { id: owner.id, ...own.values }, at);
  else if (own && key !== undefined) await writer.upsert(own.table, own.values, key);
  for (const { table, values, isCounted } of others) {
    await writer.insert(table, isCounted ? { id: await names.nextId(table), ...values } : values, at);
  }
}

interface Reading {
  /** The first is the record's own. */
  readonly rows: readonly Row[];
  /** What names nothing yet, by member. */
  readonly missing: readonly string[];
  readonly problems: readonly string[];
}

async function readEntry(
  { kind, owner }: Entry,
  { names, columnsOf }: { names: Names; columnsOf: (table: string) => ReadonlyMap<string, Column> },
): Promise<Reading> {
  const { record } = owner;
  const { members, parts = {}, constants, also } = kind;
  const columns = columnsOf(kind.table);
  const values: Record<string, Values[string]> = { ...constants };
  const rows: Row[] = [{ table: kind.table, values }];
  const missing: string[] = [];
  const problems: string[] = [];
  const tryTo = async (name: string, read: () => Promise<unknown>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      (error instanceof Missing ? missing : problems).push(`${name}: ${error.message}`);
    }
  };
  for (const [name, member] of Object.entries(members)) {
    const isGiven = Object.hasOwn(record, name);
    await tryTo(name, async () => {
      if (isGiven) values[member.column] = await member.read(record[name], names);
      else if (member.default === undefined) throw new WrongValue('is required');
      // An older site may lack the column.
      else if (columns.has(member.column)) values[member.column] = member.default;
    });
  }
  for (const name of Object.keys(record)) {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (part) await tryTo(name, async () => rows.push(...(await part(record[name], owner, names))));
    else if (!Object.hasOwn(members, name)) {
      const known = [...Object.keys(members), ...Object.keys(parts)];
      problems.push(`${name}: is unknown; known are ${known.join(', ')}`);
    }
  }
  if (also && problems.length === 0) {
    await tryTo(kind.table, async () => rows.push(...(await also(owner, names))));
  }
  for (const row of rows) {
    for (const [name, value] of Object.entries(row.values)) {
      const column = columnsOf(row.table).get(name);
      const problem = column ? columnProblem(value, column) : 'is not a column of this site';
      if (problem !== null) problems.push(`${memberOf(kind, row, name)}: ${problem}`);
    }
  }
  return { rows, missing, problems };
}

/** As the record has it; the column of a row of another table. */
function memberOf({ table, members }: RecordKind, row: Row, column: string): string {
  if (row.table !== table) return `${row.table} ${column}`;
  return Object.keys(members).find((name) => members[name]?.column === column) ?? column;
}

/** Rows and characters of one statement. */
const most = { rows: 50, characters: 1_000_000 };

interface Batch {
  readonly table: string;
  readonly columns: readonly string[];
  readonly params: Param[];
  /** The line of its first row. */
  readonly from: string;
  to: string;
  rows: number;
  characters: number;
}

class RowWriter {
  readonly #tx: Tx;
  readonly #prefix: string;
  readonly #batches = new Map<string, Batch>();

  constructor(tx: Tx, prefix: string) {
    this.#tx = tx;
    this.#prefix = prefix;
  }

  /** The row of a line; it is there after the next `flush`. */
  async insert(table: string, values: Values, at: string): Promise<void> {
    const columns = Object.keys(values);
    const key = `${table} ${columns.join(' ')}`;
    const batch = this.#batches.get(key) ?? { table, columns, params: [], from: at, to: at, rows: 0, characters: 0 };
    this.#batches.set(key, batch);
    for (const column of columns) {
      const param = values[column] ?? null;
      batch.params.push(param);
      if (typeof param === 'string') batch.characters += param.length;
    }
    batch.rows += 1;
    batch.to = at;
    if (batch.rows < most.rows && batch.characters < most.characters) return;
    this.#batches.delete(key);
    await this.#write(batch);
  }

  /** A row with the same values in the columns of the key is changed instead. */
  async upsert(table: string, values: Values, key: readonly string[]): Promise<void> {
    const columns = Object.keys(values);
    const update = columns.filter((column) => !key.includes(column));
    const sql = dialectOf(this.#tx.dialect).upsert({ table: `${this.#prefix}${table}`, columns, key, update });
    await this.#tx.run({ sql, params: Object.values(values) });
  }

  async flush(): Promise<void> {
    const batches = [...this.#batches.values()];
    this.#batches.clear();
    for (const batch of batches) await this.#write(batch);
  }

  async #write({ table, columns, params, rows, from, to }: Batch): Promise<void> {
    const { quote } = dialectOf(this.#tx.dialect);
    const row = `(${columns.map(() => '?').join(', ')})`;
    const sql = `INSERT INTO ${quote(`${this.#prefix}${table}`)} (${columns.map(quote).join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`;
    try {
      await this.#tx.run({ sql, params });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      const lines = from === to ? from : `${from} to ${to}`;
      throw new AppError('refused', { message: `${lines}: two rows of ${table} would be the same`, cause: error });
    }
  }
}

const anyText: FieldDefinition = { column: '', type: 'string', nullable: false };

/** Null when it does. */
function columnProblem(value: Param, column: Column): string | null {
  if (value === null) return column.nullable ? null : 'must not be null';
  if (typeof value === 'string') return valueProblem(value, { field: anyText, column });
  const [smallest, largest] = column.range ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const fits = typeof value !== 'number' || (value >= smallest && value <= largest);
  return fits || column.type === 'text' ? null : `must be from ${smallest} to ${largest}`;
}
