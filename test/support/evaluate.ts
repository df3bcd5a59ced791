/** A plan's condition and order over rows in memory, by the program's own evaluation: what SQL returns is held to it. */

import type { OrderTerm, Predicate } from '../../src/content/query/predicate.js';
import { compareCells, mayMatch } from '../../src/content/reading/may-match.js';
import { foldText } from '../../src/store/sqlite/fold.js';

export type Cell = string | number | null;
export type MemoryRow = Readonly<Record<string, Cell>>;

/** Of a row whose values are all known, so that nothing is left to chance. */
export function matches(predicate: Predicate, row: MemoryRow): boolean {
  return mayMatch(predicate, { fold: foldText, mayHoldNull: () => true })(new Map(Object.entries(row)));
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
