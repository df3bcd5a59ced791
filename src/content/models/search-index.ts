/**
 * The words of resources, by which they are searched. On SQLite triggers bring each row into a table of FTS5, on MariaDB it has a
 * FULLTEXT index. It is made from the resources alone, and can be made again at any time.
 */
import { Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { integer, key, text } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export const searchIndex = defineModel('hcd_search', {
  resource: key(integer()),
  /** Words of the title in order, a space around each. */
  title: text(),
  /** Every word of the resource once. */
  words: text(),
  /** Of the texts that the words are from. */
  digest: text(64),
});

export type SearchRow = RowOf<typeof searchIndex>;

const columns = ['resource', 'title', 'words', 'digest'] as const;
/** Letters and rows of one statement at most, unless a single row has more. */
const mostLetters = 250_000;
const mostRows = 50;

/**
 * Adds or replaces the words of resources. FTS5 writes what it has gathered at the end of each statement, in a piece of
 * its own: a row in a statement of its own takes ten times as long as one of fifty.
 */
export async function writeSearchRows(tx: Pick<Tx, 'dialect' | 'run'>, rows: readonly SearchRow[]): Promise<void> {
  const { upsert } = dialectOf(tx.dialect);
  const spec = { table: searchIndex.table, columns, key: ['resource'], update: columns.slice(1) };
  for (const some of statementsOf(rows)) {
    const params = some.flatMap(({ resource, title, words, digest }) => [resource, title, words, digest]);
    await tx.run({ sql: upsert({ ...spec, rows: some.length }), params });
  }
}

function* statementsOf(rows: readonly SearchRow[]): Generator<readonly SearchRow[]> {
  let some: SearchRow[] = [];
  let letters = 0;
  for (const row of rows) {
    letters += row.title.length + row.words.length;
    if (some.length === mostRows || (some.length > 0 && letters > mostLetters)) {
      yield some;
      some = [];
      letters = row.title.length + row.words.length;
    }
    some.push(row);
  }
  if (some.length > 0) yield some;
}

export async function removeSearchRows(tx: Tx, resources: readonly number[]): Promise<void> {
  if (resources.length === 0) return;
  await searchIndex.on(tx).destroy({ where: { resource: { [Op.in]: [...resources] } } });
}

/** Digests by resource, of ids after the first and up to the last. */
export async function readDigests(
  own: Reader,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<ReadonlyMap<number, string>> {
  const rows = await searchIndex.on(own).findAll({
    attributes: ['resource', 'digest'],
    where: { resource: { [Op.gt]: after, [Op.lte]: upTo } },
  });
  return new Map(rows.map(({ resource, digest }) => [resource, digest]));
}
