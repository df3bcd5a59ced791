/** Resources are locked where a decision depends on them. An older release of the CMS lacks some columns. */
import { systemClock } from '../../clock/clock.js';
import type { Column as TableColumn } from '../../store/base/columns.js';
import type { Param, Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import {
  type Column,
  flag,
  id,
  integer,
  orEmpty,
  orNull,
  seconds,
  text,
  withDefaults,
} from '../../store/models/columns.js';
import {
  type ColumnValues,
  defineModel,
  deleteRows,
  insertRow,
  type RowOf,
  updateRows,
} from '../../store/models/model.js';
import { batchesOf } from '../../values/batches.js';
import { documentGroups } from './access.js';
import { contextResources } from './elements.js';
import { tvValues } from './template-variables.js';

export const siteContent = defineModel('site_content', {
  id: id(),
  ...withDefaults({ type: text(20), pagetitle: text(191), longtitle: text(191) }),
  description: text(),
  alias: orEmpty(text(191)),
  ...withDefaults({
    link_attributes: text(255),
    published: flag(),
    pub_date: seconds(),
    unpub_date: seconds(),
    parent: integer(),
    isfolder: flag(),
  }),
  introtext: orNull(text()),
  content: orNull(text()),
  ...withDefaults({
    richtext: flag(),
    template: integer(),
    menuindex: integer(),
    searchable: flag(),
    cacheable: flag(),
    createdby: integer(),
    createdon: seconds(),
    editedby: integer(),
    editedon: seconds(),
    deleted: flag(),
    deletedon: seconds(),
    deletedby: integer(),
    publishedon: seconds(),
    publishedby: integer(),
    menutitle: text(255),
    content_dispo: integer(),
    hidemenu: flag(),
    class_key: text(100),
    context_key: text(100),
    content_type: integer(),
  }),
  uri: orNull(text()),
  ...withDefaults({ uri_override: flag(), hide_children_in_tree: flag(), show_in_tree: flag() }),
  properties: orNull(text()),
  ...withDefaults({ alias_visible: flag() }),
});

/** Rows in other tables that belong to a resource, which is in the column `key`. */
export const partsOfResources = [
  { table: tvValues.table, key: 'contentid', digested: ['tmplvarid', 'value'] },
  { table: documentGroups.table, key: 'document', digested: ['document_group'] },
  { table: contextResources.table, key: 'resource', digested: ['context_key'] },
] as const;

/** Without prefix. */
export const tablesOfResources: readonly string[] = [siteContent.table, ...partsOfResources.map(({ table }) => table)];

export type ResourceState = Omit<RowOf<typeof siteContent>, 'content' | 'properties'>;
export type ResourceField = keyof ResourceState;

const { content: _content, properties: _properties, ...ofState } = siteContent.columns;
const columns: ReadonlyMap<string, Column> = new Map(Object.entries(ofState));

export function isResourceField(name: string): name is ResourceField {
  return columns.has(name);
}

export interface ResourceTable {
  readonly name: string;
  readonly columns: ReadonlyMap<
    string,
    Pick<TableColumn, 'charset' | 'collation' | 'maxLength' | 'maxBytes' | 'isOptional' | 'type'>
  >;
}

const onByDefault: readonly string[] = ['richtext', 'searchable', 'cacheable', 'show_in_tree', 'alias_visible'];

const batchSize = 200;

export async function lockResource(tx: Tx, table: ResourceTable, key: number): Promise<ResourceState | undefined> {
  const lock = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
  const [row] = await readWhere(tx, table, { where: `\`id\` = ?${lock}`, params: [key] });
  return row;
}

export function readResources(reader: Reader, table: ResourceTable, ids: readonly number[]): Promise<ResourceState[]> {
  return inBatches(ids, (some) =>
    readWhere(reader, table, { where: `\`id\` IN (${marksFor(some)}) ORDER BY \`id\``, params: some }),
  );
}

/** One parent may have tens of thousands of children: too many rows for one read. */
export async function readChildren(
  reader: Reader,
  table: ResourceTable,
  parents: readonly number[],
): Promise<ResourceState[]> {
  const ids = await inBatches(parents, async (some) => {
    const sql = `SELECT \`id\` FROM \`${table.name}\` WHERE \`parent\` IN (${marksFor(some)}) ORDER BY \`id\``;
    return (await reader.select({ sql, params: some })).map(([child]) => Number(child));
  });
  return readResources(reader, table, ids);
}

async function inBatches<V, T>(
  values: readonly V[],
  read: (some: readonly V[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (const [at, some] of [...batchesOf(values, batchSize)].entries()) {
    // SQLite answers at once: without a pause a large branch would block all other requests of this process.
    if (at > 0) await systemClock.sleep(0);
    // Not by spreading into push: a level of a large tree has more rows than a call may have arguments.
    for (const one of await read(some)) found.push(one);
  }
  return found;
}

function marksFor(values: readonly unknown[], mark = '?'): string {
  return values.map(() => mark).join(', ');
}

async function readWhere(
  reader: Reader,
  table: ResourceTable,
  asked: { readonly where: string; readonly params: readonly Param[] },
): Promise<ResourceState[]> {
  const list = [...columns.keys()].map((name) => {
    return table.columns.has(name) ? `\`${name}\`` : onByDefault.includes(name) ? '1' : 'NULL';
  });
  const sql = `SELECT ${list.join(', ')} FROM \`${table.name}\` WHERE ${asked.where}`;
  const rows = await reader.select({ sql, params: asked.params });
  return rows.map((row) => {
    const state: Record<string, unknown> = {};
    let at = 0;
    for (const [name, column] of columns) state[name] = column.decode(row[at++] ?? null);
    return state as ResourceState;
  });
}

export async function classIsStored(reader: Reader, table: ResourceTable, name: string): Promise<boolean> {
  const mark = textMark(reader, table, 'class_key');
  const sql = `SELECT DISTINCT \`class_key\` FROM \`${table.name}\` WHERE \`class_key\` = ${mark}`;
  return (await reader.select({ sql, params: [name] })).some(([stored]) => stored === name);
}

/** Deleted siblings count; null without siblings. */
export async function lastMenuindex(
  reader: Reader,
  table: ResourceTable,
  place: { readonly parent: number; readonly context: string },
): Promise<number | null> {
  const mark = textMark(reader, table, 'context_key');
  const sql = `SELECT MAX(\`menuindex\`) FROM \`${table.name}\` WHERE \`parent\` = ? AND \`context_key\` = ${mark}`;
  const [row] = await reader.select({ sql, params: [place.parent, place.context] });
  const last = row?.[0] ?? null;
  return last === null ? null : Number(last);
}

type UriRow = Pick<ResourceState, 'id' | 'uri' | 'context_key' | 'deleted'>;

/** Deleted rows are left out; URIs compare by the column's collation; null = any context. */
export function readUriHolders(
  reader: Reader,
  table: ResourceTable,
  { uris, context }: { readonly uris: readonly string[]; readonly context: string | null },
): Promise<UriRow[]> {
  const inContext = context === null ? '' : ` AND \`context_key\` = ${textMark(reader, table, 'context_key')}`;
  return inBatches(uris, async (some) => {
    const marks = marksFor(some, textMark(reader, table, 'uri'));
    const rows = await reader.select({
      sql: `SELECT \`id\`, \`uri\`, \`context_key\` FROM \`${table.name}\` WHERE \`uri\` IN (${marks})${inContext} AND \`deleted\` = 0`,
      params: context === null ? some : [...some, context],
    });
    return rows.map(([key, uri, context_key]) => ({
      id: Number(key),
      uri: uri === null ? null : String(uri),
      context_key: String(context_key),
      deleted: false,
    }));
  });
}

function textMark(reader: Reader, table: ResourceTable, column: string): string {
  const found = table.columns.get(column);
  return found ? dialectOf(reader.dialect).candidateMark(found) : '?';
}

export function encodeState(values: Partial<ResourceState>): ColumnValues {
  const encoded: Record<string, Param> = {};
  for (const [name, value] of Object.entries(values)) encoded[name] = columns.get(name)?.encode(value) ?? null;
  return encoded;
}

/** Long texts are left out; a null that the column cannot hold becomes its empty value. */
export function readGivenState(values: Readonly<Record<string, unknown>>): Partial<ResourceState> {
  const state: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const column = columns.get(name);
    if (column !== undefined) state[name] = column.decode(value === null ? null : column.encode(value));
  }
  return state as Partial<ResourceState>;
}

/** Columns that the table lacks are left out; additional columns get a value. */
export function insertResource(tx: Tx, table: ResourceTable, values: ColumnValues): Promise<number> {
  const row: Record<string, Param> = {};
  for (const [name, { isOptional, type }] of table.columns) {
    if (name === 'id') continue;
    const value = values[name];
    if (value !== undefined) row[name] = value;
    // Columns of extras without a default would make the CMS's own strict mode refuse the row.
    else if (!isOptional) row[name] = emptyValue(type);
  }
  return insertRow(tx, table.name, row);
}

function inTable({ columns: real }: ResourceTable, values: ColumnValues): ColumnValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => real.has(name)));
}

function emptyValue(type: string): Param {
  if (type === 'integer' || type === 'number') return 0;
  return type === 'datetime' ? '1970-01-01 00:00:00' : '';
}

export function updateResource(
  tx: Tx,
  table: ResourceTable,
  change: { readonly id: number; readonly values: ColumnValues },
): Promise<void> {
  return updateRows(tx, { table: table.name, where: { id: change.id } }, inTable(table, change.values));
}

export async function updateResources(
  tx: Tx,
  table: ResourceTable,
  change: {
    readonly rows: readonly Pick<ResourceState, 'id' | 'uri'>[];
    readonly values: ColumnValues;
    readonly setsUri: boolean;
  },
): Promise<void> {
  const shared = inTable(table, change.values);
  if (Object.keys(shared).length === 0 && !change.setsUri) return;
  await inBatches(change.rows, async (rows) => {
    const sets = Object.keys(shared).map((name) => `\`${name}\` = ?`);
    const params: Param[] = Object.values(shared);
    if (change.setsUri) {
      sets.push(`\`uri\` = CASE \`id\` ${rows.map(() => 'WHEN ? THEN ?').join(' ')} ELSE \`uri\` END`);
      for (const row of rows) params.push(row.id, row.uri);
    }
    await tx.run({
      sql: `UPDATE \`${table.name}\` SET ${sets.join(', ')} WHERE \`id\` IN (${marksFor(rows)})`,
      params: [...params, ...rows.map((row) => row.id)],
    });
    return rows;
  });
}

export async function deleteResource(
  tx: Tx,
  target: { readonly prefix: string; readonly id: number; readonly hasTable: (name: string) => boolean },
): Promise<void> {
  const { prefix, hasTable } = target;
  for (const { table: name, key } of [...partsOfResources, { table: siteContent.table, key: 'id' }]) {
    const table = prefix + name;
    if (hasTable(table)) await deleteRows(tx, { table, where: { [key]: target.id } });
  }
}
