/** The rows that an answer depends on, as a cache compares them with changed rows. */

import { foldText } from '../../store/sqlite/fold.js';
import { perObject } from '../../values/kept-values.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { type Cells, essentialValues, type MayMatch, mayMatch } from '../query/may-match.js';
import type { Scalar } from '../query/predicate.js';
import type { ContentReader, RowSet } from './select-rows.js';

interface RowDependency {
  readonly set: string;
  /** Equal for equal conditions. */
  readonly text: string;
  /** No row without one of these values meets the condition; null = it names none, or too many. */
  readonly only: { readonly column: string; readonly values: readonly Scalar[] } | null;
  readonly includes: (row: Cells) => boolean;
}

const mostValues = 64;

export function dependenciesOf(
  reader: Pick<ContentReader, 'table'>,
  sets: readonly RowSet[],
): () => readonly RowDependency[] {
  return () => sets.map((set) => dependencyOf(reader, set));
}

function dependencyOf(reader: Pick<ContentReader, 'table'>, { definition, where }: RowSet): RowDependency {
  const table = reader.table(definition);
  const set = table.name;
  const essential = essentialValues(where, telling(definition));
  let matcher: MayMatch | null = null;
  return {
    set,
    text: `${set} ${JSON.stringify(where)}`,
    only: essential !== null && essential.values.length <= mostValues ? essential : null,
    includes(row) {
      matcher ??= mayMatch(where, { fold: foldText, mayHoldNull: table.mayHoldNull });
      return matcher(row);
    },
  };
}

/** The most distinctive columns first. Flags and contexts are the same for most rows. */
const telling = perObject(({ fields, primaryKey, visibility }: ObjectDefinition): readonly string[] => {
  const rest = Object.keys(fields).filter((name) => name !== visibility.context && fields[name]?.type !== 'boolean');
  return [...new Set([primaryKey, 'uri', ...rest])].flatMap((name) => fields[name]?.column ?? []);
});
