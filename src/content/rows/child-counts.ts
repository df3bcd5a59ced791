/** Counts the children of resources in one statement, for trees that show only a part of them. */
import type { Reader } from '../../store/base/database.js';

/** Number of children by parent; parents without children are absent. */
export async function readChildCounts(
  reader: Reader,
  prefix: string,
  asked: {
    readonly parents: readonly number[];
    readonly withDeleted: boolean;
    /** Only children of this context; null = of all. */
    readonly context: string | null;
  },
): Promise<ReadonlyMap<number, number>> {
  const { parents, withDeleted, context } = asked;
  if (parents.length === 0) return new Map();
  const conditions = [
    `\`parent\` IN (${parents.map(() => '?').join(', ')})`,
    ...(withDeleted ? [] : ['`deleted` = 0']),
    ...(context === null ? [] : ['`context_key` = ?']),
  ];
  const rows = await reader.select({
    sql: `SELECT \`parent\`, COUNT(*) FROM \`${prefix}site_content\` WHERE ${conditions.join(' AND ')} GROUP BY \`parent\``,
    params: [...parents, ...(context === null ? [] : [context])],
  });
  return new Map(rows.map((row) => [Number(row[0]), Number(row[1])]));
}
