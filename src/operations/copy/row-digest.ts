/** A digest of rows in any order: the sum of their digests. Two databases sort text differently. */
import { sha256Bytes } from '../../crypto/primitives.js';
import type { Reader } from '../../store/base/database.js';
import { readBatches } from '../copy-tables/read-rows.js';
import type { TableShape, ValueKind } from '../copy-tables/table-shape.js';
import { canonicalRow } from './row-form.js';

const mask = (1n << 64n) - 1n;

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

  /** 32 hexadecimal digits. */
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
