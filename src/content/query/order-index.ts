/**
 * The index that a cursor page must walk. MariaDB reads such a page from the start of the index instead of from the
 * cursor (access by reference instead of range) unless it is told which index gives the order; cost would grow with
 * the table.
 */
import type { OrderTerm, Predicate } from './predicate.js';

export interface TableIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Name of the index that holds exactly the compared columns first and the order after them; null where there is none,
 * or where another condition may narrow the rows better than the order does.
 */
export function orderIndex(
  indexes: readonly TableIndex[],
  { where, order, key }: { readonly where: Predicate; readonly order: readonly OrderTerm[]; readonly key: string },
): string | null {
  const fixed = new Set<string>();
  for (const condition of where.kind === 'all' ? where.of : [where]) {
    if (condition.kind === 'resource_groups') continue;
    if (condition.kind !== 'compare' || condition.comparison !== 'eq') return null;
    fixed.add(condition.ref.column);
  }
  if (new Set(order.map((term) => term.direction)).size > 1) return null;
  const ordered = order.map((term) => term.ref.column);
  const fits = ({ columns }: TableIndex): boolean => {
    const rest = columns.slice(fixed.size);
    // Every index ends with the primary key, written out or not.
    const tail = rest.at(-1) === key || ordered.at(-1) !== key ? rest : [...rest, key];
    return (
      columns.slice(0, fixed.size).every((column) => fixed.has(column)) &&
      columns.length >= fixed.size &&
      ordered.every((column, index) => tail[index] === column)
    );
  };
  return indexes.find(fits)?.name ?? null;
}
