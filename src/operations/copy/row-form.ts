/** The form of values in a copy: how they are written, and one spelling by which rows are compared. */

import { sha256Bytes } from '../../crypto/primitives.js';
import type { Param, RawValue, Reader } from '../../store/base/database.js';
import { trimEndOf, trimStartOf } from '../../values/text.js';
import { readBatches } from '../copy-tables/rows.js';
import type { CopyColumn, TableShape, ValueKind } from '../copy-tables/table-shape.js';

/** Exact, or left as it is for the database to refuse. */
export function toParam(kind: ValueKind, value: RawValue): Param {
  if (value === null) return null;
  switch (kind) {
    case 'decimal':
      return typeof value === 'number' ? plainNumber(String(value)) : value;
    case 'float':
    case 'double':
      return typeof value === 'bigint' ? Number(value) : value;
    case 'text':
      return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
    case 'time':
      return typeof value === 'string' ? plainTime(value) : value;
    case 'binary':
      return typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
    case 'integer':
      return Buffer.isBuffer(value) && /^\d{19,20}$/.test(value.toString('latin1'))
        ? BigInt(value.toString('latin1'))
        : value;
    case 'any':
    case 'unknown':
      return value;
  }
}

export const largestInteger = 9_223_372_036_854_775_807n;

/** As digits, which no column of SQLite makes a number of. */
export function largeToBytes(value: Param): Param {
  return typeof value === 'bigint' && value > largestInteger ? Buffer.from(String(value)) : value;
}

/** For a NOT NULL column: its default, else the empty value of its kind. */
export function emptyValue(column: CopyColumn): Param {
  const { fallback, kind } = column;
  if (fallback.kind === 'value' && fallback.value !== null) return fallback.value;
  if (kind === 'time') return '0000-00-00 00:00:00';
  return ['integer', 'decimal', 'float', 'double'].includes(kind) ? 0 : '';
}

/** Rows are equal exactly when their texts are. `kinds` are those of the target's columns. */
export function canonicalRow(kinds: readonly ValueKind[], row: readonly (Param | RawValue)[]): string {
  let text = '';
  for (const [at, value] of row.entries()) {
    const one = canonicalValue(kinds[at] ?? 'any', value);
    text += `${one.length}:${one}`;
  }
  return text;
}

/** Begins with a letter for the kind: the text "1" and the number 1 differ where the column stores both. */
function canonicalValue(kind: ValueKind, value: Param | RawValue): string {
  if (value === null) return 'N';
  if (Buffer.isBuffer(value)) return `B${value.toString('latin1')}`;
  switch (kind) {
    case 'integer':
      return `I${typeof value === 'string' ? plainNumber(value) : String(value)}`;
    case 'decimal':
      return `D${plainNumber(String(value))}`;
    case 'float':
      return `F${Math.fround(Number(value)) || 0}`;
    case 'double':
      return `F${Number(value) || 0}`;
    case 'any':
    case 'unknown':
      return typeof value === 'string' ? `T${value}` : `I${String(value)}`;
    case 'text':
    case 'time':
    case 'binary':
      return `T${String(value)}`;
  }
}

/** Without exponent, leading or trailing zeros; any other text comes back unchanged. */
function plainNumber(text: string): string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text.trim());
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (match === null || whole + fraction === '' || Math.abs(Number(exponent)) > 400) return text;
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const left = point <= 0 ? '' : digits.slice(0, point).padEnd(point, '0');
  const right = point >= digits.length ? '' : digits.slice(Math.max(point, 0)).padStart(digits.length - point, '0');
  const integer = trimStartOf(left, '0') || '0';
  const rest = trimEndOf(right, '0');
  const number = rest === '' ? integer : `${integer}.${rest}`;
  return sign === '-' && number !== '0' ? `-${number}` : number;
}

/** Date and time as MariaDB writes it; SQLite takes any text, also with a T and a Z. */
function plainTime(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)Z?$/.exec(text);
  return match === null ? text : `${match[1]} ${match[2]}`;
}

const mask = (1n << 64n) - 1n;

/** A digest of rows in any order: the sum of their digests. Two databases sort text differently. */
export class RowDigest {
  #high = 0n;
  #low = 0n;
  #rows = 0;

  /** Continues a digest from the text of `toString` and its number of rows. */
  static from(text: string, rows: number): RowDigest {
    const digest = new RowDigest();
    digest.#high = BigInt(`0x${text.slice(0, 16) || '0'}`);
    digest.#low = BigInt(`0x${text.slice(16) || '0'}`);
    digest.#rows = rows;
    return digest;
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: string): void {
    const bytes = sha256Bytes(row);
    this.#high = (this.#high + bytes.readBigUInt64BE(0)) & mask;
    this.#low = (this.#low + bytes.readBigUInt64BE(8)) & mask;
    this.#rows += 1;
  }

  copy(): RowDigest {
    return RowDigest.from(this.toString(), this.#rows);
  }

  isSame(other: RowDigest): boolean {
    return this.#rows === other.#rows && this.toString() === other.toString();
  }

  toString(): string {
    return this.#high.toString(16).padStart(16, '0') + this.#low.toString(16).padStart(16, '0');
  }
}

interface DigestInput {
  readonly table: TableShape;
  readonly columns: readonly string[];
  readonly kinds: readonly ValueKind[];
  readonly onRows?: (rows: number) => void;
}

export async function digestTable(reader: Reader, input: DigestInput): Promise<RowDigest> {
  const digest = new RowDigest();
  for await (const { rows } of readBatches(reader, { table: input.table, columns: input.columns })) {
    for (const row of rows) digest.add(canonicalRow(input.kinds, row));
    input.onRows?.(rows.length);
  }
  return digest;
}
