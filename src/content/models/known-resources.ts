/** What was last seen of each resource, so that changes by other programs are noticed, named and announced. */
import { Op } from 'sequelize';
import type { Param, Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { flag, integer, key, orNull, text } from '../../store/models/columns.js';
import { defineModel, type RowOf, upsertRows } from '../../store/models/model.js';
import type { Store } from '../../store/open/open.js';
import { documentGroups } from './access.js';
import { contextResources } from './elements.js';
import { siteContent } from './resources.js';
import { tvValues } from './template-variables.js';

export const knownResources = defineModel('hcd_known_resources', {
  resource: key(integer()),
  /** Check sums of the row and of its rows in the other tables of `parts`, joined by dots. */
  digest: text(64),
  context_key: text(100),
  uri: orNull(text()),
  parent: integer(),
  published: flag(),
  deleted: flag(),
});

export type KnownResource = RowOf<typeof knownResources>;

const facts = ['context_key', 'uri', 'parent', 'published', 'deleted'] as const;
const columns = ['resource', 'digest', ...facts] as const;

interface Part {
  readonly table: string;
  /** Holds the resource. */
  readonly key: string;
  readonly digested: readonly string[];
}

const others: readonly Part[] = [
  { table: tvValues.table, key: 'contentid', digested: ['tmplvarid', 'value'] },
  { table: documentGroups.table, key: 'document', digested: ['document_group'] },
  { table: contextResources.table, key: 'resource', digested: ['context_key'] },
];

/** Without prefix. */
export const tablesOfResources: readonly string[] = [siteContent.table, ...others.map(({ table }) => table)];

export type SeenIn = Pick<Store, 'prefix' | 'tables'> & { readonly reader: Reader };

type Range = { readonly after: number; readonly upTo: number } | { readonly ids: readonly number[] };

/** As the resources are now, by id. One statement, so that all its parts are of one moment. */
export async function readSeen(
  { reader, prefix, tables }: SeenIn,
  range: Range,
): Promise<ReadonlyMap<number, KnownResource>> {
  if ('ids' in range && range.ids.length === 0) return new Map();
  const { digest, quote } = dialectOf(reader.dialect);
  const within = (name: string) =>
    'ids' in range ? `${name} IN (${range.ids.map(() => '?').join(', ')})` : `${name} > ? AND ${name} <= ?`;
  const own = tables.get(prefix + siteContent.table)?.columns;
  const digested = Object.keys(siteContent.columns).filter((name) => name !== 'id' && (own?.has(name) ?? true));
  const first = `SELECT id, 0, ${digest(digested.map(quote))}, ${facts.map(quote).join(', ')} FROM ${quote(prefix + siteContent.table)} WHERE ${within('id')}`;
  const there = others.filter(({ table }) => tables.has(prefix + table));
  const rest = there.map(
    (part) =>
      `SELECT ${quote(part.key)}, ${others.indexOf(part) + 1}, SUM(${digest(part.digested.map(quote))}), NULL, NULL, NULL, NULL, NULL FROM ${quote(prefix + part.table)} WHERE ${within(quote(part.key))} GROUP BY ${quote(part.key)}`,
  );
  const params: readonly Param[] = 'ids' in range ? range.ids : [range.after, range.upTo];
  const rows = await reader.select({
    sql: [first, ...rest].join(' UNION ALL '),
    params: [first, ...rest].flatMap(() => params),
    // MariaDB answers beside the program, and searches must not hold this up.
    ...('ids' in range || reader.dialect !== 'sqlite' ? {} : { heavy: { over: prefix + siteContent.table } }),
  });
  const sums = new Map<number, (number | bigint)[]>();
  for (const [id, part, sum] of rows) {
    const found = sums.get(Number(id)) ?? Array.from({ length: others.length + 1 }, () => 0);
    sums.set(Number(id), found);
    found[Number(part)] = Number(sum);
  }
  const seen = new Map<number, KnownResource>();
  for (const [id, part, , context, uri, parent, published, deleted] of rows) {
    if (Number(part) !== 0) continue;
    seen.set(Number(id), {
      resource: Number(id),
      digest: (sums.get(Number(id)) ?? []).join('.'),
      context_key: String(context),
      uri: uri === null || uri === undefined ? null : String(uri),
      parent: Number(parent),
      published: Number(published) !== 0,
      deleted: Number(deleted) !== 0,
    });
  }
  return seen;
}

/** A check sum of all rows of each table, by name with prefix. */
export async function readTableSums(
  { reader, tables }: SeenIn,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { digest, quote } = dialectOf(reader.dialect);
  const sums = new Map<string, string>();
  for (const name of names) {
    const columnsOf = tables.get(name)?.columns;
    if (columnsOf === undefined) continue;
    const sql = `SELECT COUNT(*), SUM(${digest([...columnsOf.keys()].map(quote))}) FROM ${quote(name)}`;
    const heavy = reader.dialect === 'sqlite' ? { over: name } : false;
    const [row = []] = await reader.select({ sql, params: [], heavy });
    sums.set(name, row.map(Number).join('.'));
  }
  return sums;
}

export async function readKnown(own: Reader, range: Range): Promise<ReadonlyMap<number, KnownResource>> {
  const rows =
    'ids' in range
      ? await knownResources.on(own).lookUpAll({ resource: range.ids })
      : await knownResources
          .on(own)
          .findAll({ where: { resource: { [Op.gt]: range.after, [Op.lte]: range.upTo } }, order: ['resource'] });
  return new Map(rows.map((row) => [row.resource, row]));
}

export function writeKnown(tx: Pick<Tx, 'dialect' | 'run'>, rows: readonly KnownResource[]): Promise<void> {
  const stored = rows.map((row) => ({ ...row, published: row.published ? 1 : 0, deleted: row.deleted ? 1 : 0 }));
  return upsertRows(tx, { table: knownResources.table, columns, key: ['resource'] }, stored);
}

export async function removeKnown(tx: Tx, resources: readonly number[]): Promise<void> {
  if (resources.length > 0) await knownResources.on(tx).destroy({ where: { resource: { [Op.in]: [...resources] } } });
}
