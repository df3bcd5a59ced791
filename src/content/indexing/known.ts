/** Keeps what was last seen of resources and other tables: what differs was changed by another program. */
import type { Param, RawValue, Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { upsertRows } from '../../store/models/model.js';
import { readState, writeState } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import { isJsonObject, parseJson } from '../../values/json.js';
import type { FieldValues, RowChange } from '../live/mutation.js';
import { type KnownResource, knownResources } from '../models/known-resources.js';
import { partsOfResources, siteContent, tablesOfResources } from '../models/resources.js';
import type { ContentIndex, Range, Source } from './content-index.js';

/** Each id is a value of a statement once for each table, and SQLite takes 32,766 values. */
const atOnce = 1000;

/** Marks what is known as complete. No resource has this id. The number is the version of the digests. */
const whole: KnownResource = {
  ...{ resource: 0, digest: 'whole 1', context_key: '', uri: null },
  ...{ parent: 0, published: false, deleted: false },
};

export const known: ContentIndex = {
  async compare(own, source, { ids }) {
    const changes = await compareSeen(own, source, ids);
    return { ids: changes.map(({ id }) => id), write: (tx) => writeSeen(tx, changes) };
  },
  findUnseen: async (own) => ((await isWhole(own)) ? null : { ...known, finish: (tx) => writeKnown(tx, [whole]) }),
};

export async function isWhole(own: Reader): Promise<boolean> {
  return (await knownResources.on(own).lookUp({ resource: whole.resource }))?.digest === whole.digest;
}

interface SeenChange {
  readonly id: number;
  readonly before: KnownResource | undefined;
  readonly after: KnownResource | undefined;
}

export async function compareSeen(own: Reader, source: Source, ids: readonly number[]): Promise<readonly SeenChange[]> {
  const changes: SeenChange[] = [];
  for (const some of batchesOf(ids, atOnce)) {
    const rows = await knownResources.on(own).lookUpAll({ resource: some });
    const before = new Map(rows.map((row) => [row.resource, row]));
    const after = await readSeen(source, some);
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const change = { id, before: before.get(id), after: after.get(id) };
      if (change.before?.digest !== change.after?.digest) changes.push(change);
    }
  }
  return changes;
}

export async function noteSeen(tx: Tx, source: Source, ids: readonly number[]): Promise<readonly RowChange[]> {
  const changes = await compareSeen(tx, source, ids);
  await writeSeen(tx, changes);
  return changes.map(({ id, before, after }) => ({
    ...{ object: 'resources', key: id },
    ...{ before: factsOf(before), after: factsOf(after) },
  }));
}

async function writeSeen(tx: Tx, changes: readonly SeenChange[]): Promise<void> {
  for (const some of batchesOf(changes, atOnce)) {
    await writeKnown(
      tx,
      some.flatMap(({ after }) => after ?? []),
    );
    const gone = some.flatMap(({ id, after }) => (after === undefined ? id : []));
    if (gone.length > 0) await knownResources.on(tx).destroy({ where: { resource: gone } });
  }
}

function factsOf(row: KnownResource | undefined): FieldValues | null {
  if (row === undefined) return null;
  const { resource: _id, digest: _digest, ...facts } = row;
  return facts;
}

const tablesKey = 'known_tables';

/** Names of the tables that differ; a table that is not known is among them. */
export async function differingTables(own: Reader, source: Source, names: readonly string[]) {
  const known = await readKnownTables(own);
  const sums = await readTableSums(source, names);
  return [...sums.keys()].filter((name) => known.get(name) !== sums.get(name));
}

/** In the transaction of a change by this program, so that it is not noticed as another's. */
export async function noteTables(tx: Tx, source: Source, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const sums = new Map([...(await readKnownTables(tx)), ...(await readTableSums(source, names))]);
  await writeState(tx, tablesKey, JSON.stringify(Object.fromEntries(sums)));
}

export async function readKnownTables(own: Reader): Promise<ReadonlyMap<string, string>> {
  const value = parseJson((await readState(own, tablesKey)) ?? '');
  return new Map(isJsonObject(value) ? Object.entries(value).map(([name, sum]) => [name, String(sum)]) : []);
}

const facts = ['context_key', 'uri', 'parent', 'published', 'deleted'] as const;
const columns = ['resource', 'digest', ...facts] as const;

/** One statement, so that all its parts are of one moment. */
async function readParts(
  { reader, prefix, tables }: Source,
  range: Range | { readonly ids: readonly number[] },
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
  const rest = partsOfResources.map((part, at) => {
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

async function readSeen(source: Source, ids: readonly number[]): Promise<ReadonlyMap<number, KnownResource>> {
  if (ids.length === 0) return new Map();
  const { rows, sums } = await readParts(source, { ids }, { which: tablesOfResources, also: facts });
  const seen = new Map<number, KnownResource>();
  for (const [id = null, part, , ...also] of rows) {
    if (Number(part) !== 0) continue;
    const digest = tablesOfResources.map((_table, at) => sums.get(Number(id))?.[at] ?? 0).join('.');
    seen.set(Number(id), knownResources.decode([id, digest, ...also]));
  }
  return seen;
}

/** Ids of resources whose rows in `which` (names without prefix) differ from what is known. */
export async function readDiffering(
  own: Reader,
  source: Source,
  { which, ...range }: Range & { readonly which: readonly string[] },
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
async function readTableSums(
  { reader, tables }: Source,
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

function writeKnown(tx: Pick<Tx, 'dialect' | 'run'>, rows: readonly KnownResource[]): Promise<void> {
  const stored = rows.map((row) => ({ ...row, published: row.published ? 1 : 0, deleted: row.deleted ? 1 : 0 }));
  return upsertRows(tx, { table: knownResources.table, columns, key: ['resource'] }, stored);
}
