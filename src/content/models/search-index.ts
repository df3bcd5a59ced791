/** The words by which resources are searched. SQLite triggers copy each row into an FTS5 table. */
import { Op } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import { integer, key, text } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export const searchIndex = defineModel('hcd_search', {
  resource: key(integer()),
  /** In order, a space around each. */
  title: text(),
  /** Each word once. */
  words: text(),
  digest: text(64),
});

export type SearchRow = RowOf<typeof searchIndex>;

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
