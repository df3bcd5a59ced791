/** The columns that a known table of the source has and that of the target lacks, in a form that can be added to it. */

import type { DialectName } from '../../store/base/database.js';
import type { CopyColumn, TableShape } from '../copy-tables/table-shape.js';
import { emptyValue } from './row-form.js';

export function addedColumns(
  source: TableShape,
  { target, dialect }: { readonly target: TableShape; readonly dialect: DialectName },
): CopyColumn[] {
  const there = new Set([...target.columns.keys()].map((name) => name.toLowerCase()));
  return [...source.columns.values()]
    .filter(({ name, kind }) => kind !== 'unknown' && !there.has(name.toLowerCase()))
    .map((column) => ({ ...column, counts: false, computed: false, fallback: fallbackOf(column, dialect) }));
}

/** SQLite adds a column only with a constant default; MariaDB in its strict mode takes no date of zeros. */
function fallbackOf(column: CopyColumn, dialect: DialectName): CopyColumn['fallback'] {
  const { fallback, kind, nullable } = column;
  if (dialect === 'mariadb') {
    const isZero = kind === 'time' && fallback.kind === 'value' && fallback.value?.startsWith('0000') === true;
    return isZero ? { kind: 'none' } : fallback;
  }
  if (fallback.kind === 'value' && (fallback.value !== null || nullable)) return fallback;
  return { kind: 'value', value: nullable ? null : String(emptyValue(column)) };
}
