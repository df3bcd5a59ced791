/**
 * Where the index of words is in another database than the resources, its best hits are looked up first, and the statement on
 * the resources names them.
 */
import { compileHits, type Rank } from '../query/compile.js';
import type { ListPlan } from '../query/plan.js';
import { all, type Predicate } from '../query/predicate.js';
import type { ContentReader } from './select-rows.js';

/** Hits that such a statement can name; of more, the best are found. */
const mostHits = 1000;

/** The condition and the rank of a plan as the database of the resources can decide them. */
export async function findWords(
  reader: Pick<ContentReader, 'db' | 'words'>,
  { words, isRanked, where }: ListPlan,
): Promise<{ readonly where: Predicate; readonly rank: Rank | null }> {
  const rank = isRanked && words !== null ? { terms: words } : null;
  if (words === null || reader.words === null) return { where, rank };
  const hits = await reader.words.select(compileHits(words, { dialect: reader.words.dialect, limit: mostHits }));
  const places = [...new Set(hits.map(([, place]) => Number(place)))];
  const classes = places.map((place) => hits.filter((hit) => Number(hit[1]) === place).map(([id]) => Number(id)));
  const named = all((where.kind === 'all' ? where.of : [where]).map((part) => atHits(part, classes.flat())));
  return { where: named, rank: rank === null ? null : { classes } };
}

function atHits(part: Predicate, ids: readonly number[]): Predicate {
  if (part.kind !== 'words') return part;
  return ids.length === 0 ? { kind: 'nothing' } : { kind: 'in', ref: part.ref, values: ids, negated: false };
}
