/** The words by which resources are searched. SQLite triggers copy each row into an FTS5 table. */
import { Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { integer, key, text } from '../../store/models/columns.js';
import { defineModel, type RowOf, upsertRows } from '../../store/models/model.js';

export const searchIndex = defineModel('hcd_search', {
  resource: key(integer()),
  /** In order, a space around each. */
  title: text(),
  /** Each word once. */
  words: text(),
  digest: text(64),
});

export type SearchRow = RowOf<typeof searchIndex>;

const columns = ['resource', 'title', 'words', 'digest'] as const;

/** FTS5 writes at the end of each statement: one per row takes three times as long as one per fifty. */
export function writeSearchRows(tx: Pick<Tx, 'dialect' | 'run'>, rows: readonly SearchRow[]): Promise<void> {
  return upsertRows(tx, { table: searchIndex.table, columns, key: ['resource'] }, rows);
}

export async function removeSearchRows(tx: Tx, resources: readonly number[]): Promise<void> {
  if (resources.length === 0) return;
  await searchIndex.on(tx).destroy({ where: { resource: { [Op.in]: [...resources] } } });
}

export async function readDigests(
  own: Reader,
  of: readonly number[] | { readonly after: number; readonly upTo: number },
): Promise<ReadonlyMap<number, string>> {
  const how = { attributes: ['resource', 'digest'] } as const;
  const rows =
    'upTo' in of
      ? await searchIndex.on(own).findAll({ ...how, where: { resource: { [Op.gt]: of.after, [Op.lte]: of.upTo } } })
      : await searchIndex.on(own).lookUpAll({ resource: of }, how);
  return new Map(rows.map(({ resource, digest }) => [resource, digest]));
}

const fewRows = 1000;
const samples = { places: 12, rows: 25 };

/** Rows from all over the index; null for a small one. */
export async function readSearchSample(own: Reader): Promise<readonly Pick<SearchRow, 'title' | 'words'>[] | null> {
  const rows = searchIndex.on(own);
  const first = { resource: { [Op.gt]: 0 } };
  const [beyond] = await rows.findAll({
    attributes: ['resource'],
    where: first,
    order: ['resource'],
    limit: 1,
    offset: fewRows,
  });
  if (beyond === undefined) return null;
  const last = (await rows.max('resource')) ?? 0;
  const found = new Map<number, SearchRow>();
  for (let place = 0; place < samples.places; place += 1) {
    const where = { resource: { [Op.gt]: Math.floor((last * place) / samples.places) } };
    const some = await rows.findAll({ where, order: ['resource'], limit: samples.rows });
    for (const row of some) found.set(row.resource, row);
  }
  return [...found.values()];
}
