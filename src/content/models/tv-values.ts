/**
 * The values of template variables as filters and sorts compare them: typed, defaults included. They are made from the content alone,
 * and can be made again at any time.
 */
import { Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { double, integer, key, orNull, text } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { upsertRows } from '../../store/models/upsert-rows.js';

/** What a row says. */
export const tvParts = Object.freeze({
  /** The value; of a list its members in one text. */
  value: 0,
  /** A member of a list. */
  member: 1,
  /** Values of the resource come from those above it; of no variable in particular. */
  inherits: 2,
});

export const tvIndex = defineModel('hcd_tv_values', {
  resource: key(integer()),
  tv: key(integer()),
  part: key(integer()),
  place: key(integer()),
  number: orNull(double()),
  text: orNull(text(255)),
  /** The text, where `text` has not all of it. */
  whole: orNull(text()),
});

export type TvIndexRow = RowOf<typeof tvIndex>;

const keys = ['resource', 'tv', 'part', 'place'] as const;
const columns = [...keys, 'number', 'text', 'whole'] as const;

/** The rows of resources, in the order of their keys. */
export function readTvIndex(reader: Reader, resources: readonly number[]): Promise<TvIndexRow[]> {
  return tvIndex.on(reader).lookUpAll({ resource: resources }, { order: ['resource', 'tv', 'part', 'place'] });
}

/** The resources in a range of ids, after the first and up to the last, that have rows. */
export async function readIndexedIds(
  reader: Reader,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<readonly number[]> {
  const where = { resource: { [Op.gt]: after, [Op.lte]: upTo } };
  const rows = await tvIndex.on(reader).findAll({ attributes: ['resource'], where });
  return [...new Set(rows.map(({ resource }) => resource))];
}

/** Replaces all rows of these resources. */
export async function replaceTvIndex(tx: Tx, resources: readonly number[], rows: readonly TvIndexRow[]): Promise<void> {
  if (resources.length > 0) await tvIndex.on(tx).destroy({ where: { resource: { [Op.in]: [...resources] } } });
  await writeTvIndex(tx, rows);
}

/** Adds rows. Another process may write the same ones meanwhile: they follow from the content. */
export function writeTvIndex(tx: Pick<Tx, 'dialect' | 'run'>, rows: readonly TvIndexRow[]): Promise<void> {
  return upsertRows(tx, { table: tvIndex.table, columns, key: keys }, rows);
}

const inheriting = { tv: 0, part: tvParts.inherits } as const;

/** The row that says so of a resource. */
export function inheritingRow(resource: number): TvIndexRow {
  return { resource, ...inheriting, place: 0, number: null, text: null, whole: null };
}

/** Whether any resource has values from those above it. */
export async function hasInheriting(reader: Reader): Promise<boolean> {
  return (await tvIndex.on(reader).lookUpAll(inheriting, { attributes: ['resource'], limit: 1 })).length > 0;
}

/** Those of the resources that do. */
export async function readInheriting(reader: Reader, resources: readonly number[]): Promise<readonly number[]> {
  const rows = await tvIndex.on(reader).lookUpAll({ ...inheriting, resource: resources }, { attributes: ['resource'] });
  return rows.map(({ resource }) => resource);
}
