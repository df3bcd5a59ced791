/** Typed values of template variables for filters and sorts, defaults included, made from the content alone. */
import { Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { double, integer, key, orNull, text } from '../../store/models/columns.js';
import { defineModel, type RowOf, upsertRows } from '../../store/models/model.js';

export const tvParts = Object.freeze({
  /** A list is one text. */
  value: 0,
  member: 1,
  /** Marks a resource that inherits values; belongs to no variable. */
  inherits: 2,
  /** Of no resource: says what a variable was when its entries were made. */
  made: 3,
});

export const tvIndex = defineModel('hcd_tv_values', {
  resource: key(integer()),
  tv: key(integer()),
  part: key(integer()),
  place: key(integer()),
  number: orNull(double()),
  text: orNull(text(255)),
  /** Null when `text` holds all of it. */
  whole: orNull(text()),
});

export type TvIndexRow = RowOf<typeof tvIndex>;

const keys = ['resource', 'tv', 'part', 'place'] as const;
const columns = [...keys, 'number', 'text', 'whole'] as const;

type Only = ReadonlySet<number> | null;

export function readTvIndex(reader: Reader, resources: readonly number[], only: Only = null): Promise<TvIndexRow[]> {
  const order = ['resource', 'tv', 'part', 'place'] as const;
  const key = only === null ? { resource: resources } : { resource: resources, tv: [...only] };
  return tvIndex.on(reader).lookUpAll(key, { order });
}

export async function readIndexedIds(
  reader: Reader,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<readonly number[]> {
  const where = { resource: { [Op.gt]: after, [Op.lte]: upTo } };
  const rows = await tvIndex.on(reader).findAll({ attributes: ['resource'], where });
  return [...new Set(rows.map(({ resource }) => resource))];
}

export async function replaceTvIndex(
  tx: Tx,
  resources: readonly number[],
  { rows, only = null }: { readonly rows: readonly TvIndexRow[]; readonly only?: Only },
): Promise<void> {
  const ofThese = only === null ? {} : { tv: { [Op.in]: [...only] } };
  if (resources.length > 0) {
    await tvIndex.on(tx).destroy({ where: { resource: { [Op.in]: [...resources] }, ...ofThese } });
  }
  // Another process may write the same rows meanwhile: they follow from the content.
  await upsertRows(tx, { table: tvIndex.table, columns, key: keys }, rows);
}

const inheriting = { tv: 0, part: tvParts.inherits } as const;

export function inheritingRow(resource: number): TvIndexRow {
  return { resource, ...inheriting, place: 0, number: null, text: null, whole: null };
}

export async function hasInheriting(reader: Reader): Promise<boolean> {
  return (await tvIndex.on(reader).lookUpAll(inheriting, { attributes: ['resource'], limit: 1 })).length > 0;
}

export async function readInheriting(reader: Reader, resources: readonly number[]): Promise<readonly number[]> {
  const rows = await tvIndex.on(reader).lookUpAll({ ...inheriting, resource: resources }, { attributes: ['resource'] });
  return rows.map(({ resource }) => resource);
}
