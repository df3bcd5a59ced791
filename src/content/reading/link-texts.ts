/** Contents of the resources that lead elsewhere: weblinks and symlinks. */
import type { RowPlan } from '../query/plan.js';
import { hasAnyKey } from '../query/predicate.js';
import { type ContentReader, type LoadedRow, selectRows } from './select-rows.js';

const linkClass = /(?:^|\\)mod(?:Web|Sym)Link$/;

/** With the tag of a link for an id. */
export async function readLinkTexts(
  reader: ContentReader,
  { definition }: RowPlan,
  rows: readonly LoadedRow[],
): Promise<ReadonlyMap<LoadedRow, string>> {
  const linking = rows.filter((row) => linkClass.test(String(row.raw('class_key') ?? '')));
  if (linking.length === 0) return new Map();
  const idOf = (row: LoadedRow) => Number(row.raw(definition.primaryKey));
  const where = hasAnyKey(definition, linking.map(idOf));
  const found = await selectRows(reader, definition, { needed: [definition.primaryKey, 'content'], where });
  const texts = new Map(found.map((row) => [idOf(row), String(row.raw('content') ?? '').trim()]));
  return new Map(
    linking.map((row) => {
      const text = texts.get(idOf(row)) ?? '';
      return [row, /^\d{1,10}$/.test(text) ? `[[~${text}]]` : text];
    }),
  );
}
