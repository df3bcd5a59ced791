/** What was last seen of each resource, so that changes by other programs are noticed, named and announced. */
import { Op } from 'sequelize';
import type { Param, RawValue, Reader, Tx } from '../../store/base/database.js';
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

/** `key` holds the resource. */
const others = [
  { table: tvValues.table, key: 'contentid', digested: ['tmplvarid', 'value'] },
  { table: documentGroups.table, key: 'document', digested: ['document_group'] },
  { table: contextResources.table, key: 'resource', digested: ['context_key'] },
] as const;

/** Without prefix. */
export const tablesOfResources: readonly string[] = [siteContent.table, ...others.map(({ table }) => table)];

type SeenIn = Pick<Store, 'prefix' | 'tables'> & { readonly reader: Reader };

/** One statement, so that all its parts are of one moment. */
async function readParts(
  { reader, prefix, tables }: SeenIn,
  range: { readonly after: number; readonly upTo: number } | { readonly ids: readonly number[] },
  { which, also }: { readonly which: readonly string[]; readonly also: readonly string[] },
): Promise<{
  readonly rows: readonly (readonly RawValue[])[];
  readonly sums: ReadonlyMap<number, readonly (number | undefined)[]>;
}> {
  const { digest, quote } = dialectOf(reader.dialect);
  const within = (name: string) =>
    'ids' in range ? `${name} IN (${range.ids.map(() => '?').join(', ')})` : `${name} > ? AND ${name} <= ?`;
  const own = tables.get(prefix + siteContent.table)?.columns;
  const digested = Object.keys(siteContent.columns).filter((name) => name !== 'id' && (own?.has(name) ?? true));
  const shown = ['id', 0, digest(digested.map(quote)), ...also.map(quote)].join(', ');
  const first = `SELECT ${shown} FROM ${quote(prefix + siteContent.table)} WHERE ${within('id')}`;
  const rest = others.map((part, at) => {
    const columns = [quote(part.key), at + 1, `SUM(${digest(part.digested.map(quote))})`, ...also.map(() => 'NULL')];
    const from = `FROM ${quote(prefix + part.table)} WHERE ${within(quote(part.key))} GROUP BY ${quote(part.key)}`;
    return `SELECT ${columns.join(', ')} ${from}`;
  });
  const asked = [first, ...rest].filter((_sql, at) => {
    const table = tablesOfResources[at] ?? '';
    return which.includes(table) && (at === 0 || tables.has(prefix + table));
  });
  if (asked.length === 0) return { rows: [], sums: new Map() };
  const params: readonly Param[] = 'ids' in range ? range.ids : [range.after, range.upTo];
  const rows = await reader.select({
    sql: asked.join(' UNION ALL '),
    params: asked.flatMap(() => params),
    // On MariaDB it takes no time of this process, and must not wait behind searches.
    ...('ids' in range || reader.dialect !== 'sqlite' ? {} : { heavy: { over: prefix + siteContent.table } }),
  });
  const sums = new Map<number, (number | undefined)[]>();
  for (const [id, part, sum] of rows) {
    const found = sums.get(Number(id)) ?? [];
    sums.set(Number(id), found);
    found[Number(part)] = Number(sum);
  }
  return { rows, sums };
}

export async function readSeen(source: SeenIn, ids: readonly number[]): Promise<ReadonlyMap<number, KnownResource>> {
  if (ids.length === 0) return new Map();
  const { rows, sums } = await readParts(source, { ids }, { which: tablesOfResources, also: facts });
  const seen = new Map<number, KnownResource>();
  for (const [id, part, , context, uri, parent, published, deleted] of rows) {
    if (Number(part) !== 0) continue;
    seen.set(Number(id), {
      resource: Number(id),
      digest: tablesOfResources.map((_table, at) => sums.get(Number(id))?.[at] ?? 0).join('.'),
      context_key: String(context),
      uri: uri === null || uri === undefined ? null : String(uri),
      parent: Number(parent),
      published: Number(published) !== 0,
      deleted: Number(deleted) !== 0,
    });
  }
  return seen;
}

/** Ids of resources whose rows in `which` (names without prefix) differ from what is known. */
export async function readDiffering(
  own: Reader,
  source: SeenIn,
  { which, ...range }: { readonly which: readonly string[]; readonly after: number; readonly upTo: number },
): Promise<readonly number[]> {
  const { sums } = await readParts(source, range, { which, also: [] });
  const sql = `SELECT resource, digest FROM ${knownResources.table} WHERE resource > ? AND resource <= ?`;
  const heavy = own.dialect === 'sqlite' ? { over: knownResources.table } : false;
  const known = new Map(
    (await own.select({ sql, params: [range.after, range.upTo], heavy })).map(([id, digest]) => [
      Number(id),
      String(digest).split('.'),
    ]),
  );
  const looksAtRows = which.includes(siteContent.table);
  const parts = [...tablesOfResources.keys()].filter((at) => which.includes(tablesOfResources[at] ?? ''));
  const differs = (id: number, before: readonly string[]): boolean => {
    const after = sums.get(id) ?? [];
    return (looksAtRows && after[0] === undefined) || parts.some((at) => `${after[at] ?? 0}` !== before[at]);
  };
  const isNew = (id: number): boolean => looksAtRows && sums.get(id)?.[0] !== undefined && !known.has(id);
  return [
    ...[...known].flatMap(([id, before]) => (differs(id, before) ? id : [])),
    ...[...sums.keys()].filter(isNew),
  ].sort((one, other) => one - other);
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

export async function readKnown(own: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, KnownResource>> {
  return new Map((await knownResources.on(own).lookUpAll({ resource: ids })).map((row) => [row.resource, row]));
}

export function writeKnown(tx: Pick<Tx, 'dialect' | 'run'>, rows: readonly KnownResource[]): Promise<void> {
  const stored = rows.map((row) => ({ ...row, published: row.published ? 1 : 0, deleted: row.deleted ? 1 : 0 }));
  return upsertRows(tx, { table: knownResources.table, columns, key: ['resource'] }, stored);
}

export async function removeKnown(tx: Tx, resources: readonly number[]): Promise<void> {
  if (resources.length > 0) await knownResources.on(tx).destroy({ where: { resource: { [Op.in]: [...resources] } } });
}
