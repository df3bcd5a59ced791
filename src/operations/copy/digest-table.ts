/** Reads back a table and gives the digest of its rows. */

import type { Reader } from '../../store/base/database.js';
import { readBatches } from '../copy-tables/read-rows.js';
import type { TableShape, ValueKind } from '../copy-tables/table-shape.js';
import { RowDigest } from './row-digest.js';
import { canonicalRow } from './row-form.js';

export interface DigestInput {
  readonly table: TableShape;
  readonly columns: readonly string[];
  /** Kinds under which the values are compared, one per column. */
  readonly kinds: readonly ValueKind[];
  readonly onRows?: (rows: number) => void;
}

/** The digest of all rows of the table, of the given columns. */
export async function digestTable(reader: Reader, input: DigestInput): Promise<RowDigest> {
  const digest = new RowDigest();
  for await (const { rows } of readBatches(reader, { table: input.table, columns: input.columns })) {
    for (const row of rows) digest.add(canonicalRow(input.kinds, row));
    input.onRows?.(rows.length);
  }
  return digest;
}
