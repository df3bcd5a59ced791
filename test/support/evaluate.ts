/** Evaluates a plan's condition and order in memory: the yardstick for what SQL returns. */
import type { OrderTerm, Predicate } from '../../src/query/predicate.js';

export type Cell = string | number | null;
export type MemoryRow = Readonly<Record<string, Cell>>;

/** Compares text by code point and numbers by value; NULL sorts first. */
export function compareCells(left: Cell, right: Cell): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  if (typeof left === 'string' && typeof right === 'string') {
    return Math.sign(Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8')));
  }
  return Number(left) - Number(right);
}

export function matches(predicate: Predicate, row: MemoryRow): boolean {
  switch (predicate.kind) {
    case 'nothing':
      return false;
    case 'all':
      return predicate.of.every((part) => matches(part, row));
    case 'any':
      return predicate.of.some((part) => matches(part, row));
    case 'null': {
      const value = row[predicate.ref.column] ?? null;
      const isUnset = predicate.unset === null ? value === null : value === predicate.unset;
      return isUnset !== predicate.negated;
    }
    case 'compare': {
      const value = row[predicate.ref.column] ?? null;
      if (value === null) return false;
      const order = compareCells(value, predicate.value);
      return { eq: order === 0, neq: order !== 0, gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[
        predicate.comparison
      ];
    }
    case 'in': {
      const value = row[predicate.ref.column] ?? null;
      if (value === null) return false;
      return predicate.values.some((one) => compareCells(value, one) === 0) !== predicate.negated;
    }
    case 'like':
      return isLike(row[predicate.ref.column] ?? null, predicate.pattern);
    case 'contains':
      return predicate.refs.some((ref) => {
        const value = row[ref.column] ?? null;
        return value !== null && String(value).toLowerCase().includes(predicate.text.toLowerCase());
      });
    case 'resource_groups':
      throw new Error('groups are not evaluated here');
  }
}

function isLike(value: Cell, pattern: string): boolean {
  if (value === null) return false;
  const source = [...pattern.toLowerCase()]
    .map((sign) => (sign === '%' ? '[^]*' : sign === '_' ? '[^]' : sign.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`, 'u').test(String(value).toLowerCase());
}

export function compareRows(order: readonly OrderTerm[]): (left: MemoryRow, right: MemoryRow) => number {
  return (left, right) => {
    for (const { ref, direction } of order) {
      const compared = compareCells(left[ref.column] ?? null, right[ref.column] ?? null);
      if (compared !== 0) return direction === 'asc' ? compared : -compared;
    }
    return 0;
  };
}
