/**
 * Rows of resources as mutations see them: every field but the long texts, decoded; read by id or by parent, with a
 * lock where a decision rests on them. Columns that an older CMS lacks have their later default.
 */
import { systemClock } from '../../clock/clock.js';
import type { Column } from '../../store/base/columns.js';
import type { Param, RawRow, RawValue, Reader, Tx } from '../../store/base/database.js';

/** The real table of the resources. */
export interface ResourceTable {
  readonly name: string;
  readonly columns: ReadonlyMap<
    string,
    Pick<Column, 'charset' | 'collation' | 'maxLength' | 'maxBytes' | 'isOptional' | 'type'>
  >;
}

const kinds = {
  id: 'integer',
  type: 'text',
  pagetitle: 'text',
  longtitle: 'text',
  description: 'text',
  alias: 'text',
  link_attributes: 'text',
  published: 'flag',
  pub_date: 'time',
  unpub_date: 'time',
  parent: 'integer',
  isfolder: 'flag',
  introtext: 'optional text',
  richtext: 'flag',
  template: 'integer',
  menuindex: 'integer',
  searchable: 'flag',
  cacheable: 'flag',
  createdby: 'integer',
  createdon: 'time',
  editedby: 'integer',
  editedon: 'time',
  deleted: 'flag',
  deletedon: 'time',
  deletedby: 'integer',
  publishedon: 'time',
  publishedby: 'integer',
  menutitle: 'text',
  content_dispo: 'integer',
  hidemenu: 'flag',
  class_key: 'text',
  context_key: 'text',
  content_type: 'integer',
  uri: 'optional text',
  uri_override: 'flag',
  hide_children_in_tree: 'flag',
  show_in_tree: 'flag',
  alias_visible: 'flag',
} as const;

type Kinds = typeof kinds;
type Kind = Kinds[keyof Kinds];
interface KindValues {
  integer: number;
  flag: boolean;
  /** Unix seconds; null = not set. */
  time: number | null;
  text: string;
  'optional text': string | null;
}

/** A resource without content and properties, by column name. */
export type ResourceState = { readonly [Name in keyof Kinds]: KindValues[Kinds[Name]] };

export type ResourceField = keyof ResourceState;

const fields = Object.keys(kinds).filter(isResourceField);

export function isResourceField(name: string): name is ResourceField {
  return Object.hasOwn(kinds, name);
}

/** Flags that are on where the column does not exist. */
const onByDefault: readonly string[] = ['richtext', 'searchable', 'cacheable', 'show_in_tree', 'alias_visible'];

/** Ids in one statement. */
const batchSize = 200;

/** The row, locked against other writers until the end of the transaction; undefined when there is none. */
export async function lockResource(tx: Tx, table: ResourceTable, id: number): Promise<ResourceState | undefined> {
  const lock = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
  const [row] = await readWhere(tx, table, { where: `\`id\` = ?${lock}`, params: [id] });
  return row;
}

/** The rows with these ids, in no particular order. */
export async function readResources(
  db: Reader,
  table: ResourceTable,
  ids: readonly number[],
): Promise<ResourceState[]> {
  return readBatches(db, table, ids);
}

/**
 * All children of these resources, in the order of their ids within a batch of parents. Their ids first, which an index
 * gives: one parent may have tens of thousands, whose rows must not come in one piece.
 */
export async function readChildren(
  db: Reader,
  table: ResourceTable,
  parents: readonly number[],
): Promise<ResourceState[]> {
  const ids = await inBatches(parents, async (some) => {
    const sql = `SELECT \`id\` FROM \`${table.name}\` WHERE \`parent\` IN (${marksFor(some)}) ORDER BY \`id\``;
    return (await db.select({ sql, params: some })).map(([id]) => Number(id));
  });
  return readBatches(db, table, ids);
}

function readBatches(db: Reader, table: ResourceTable, ids: readonly number[]): Promise<ResourceState[]> {
  return inBatches(ids, (some) =>
    readWhere(db, table, { where: `\`id\` IN (${marksFor(some)}) ORDER BY \`id\``, params: some }),
  );
}

/** What is found for the values, so many of them at a time. */
async function inBatches<T>(
  values: readonly number[],
  read: (some: readonly number[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < values.length; at += batchSize) {
    // SQLite answers at once: without a pause a large branch would hold up everybody else in this process.
    if (at > 0) await systemClock.sleep(0);
    // Not by spreading into push: a level of a large tree has more rows than a call may have arguments.
    for (const one of await read(values.slice(at, at + batchSize))) found.push(one);
  }
  return found;
}

function marksFor(values: readonly number[]): string {
  return values.map(() => '?').join(', ');
}

async function readWhere(
  db: Reader,
  table: ResourceTable,
  asked: { readonly where: string; readonly params: readonly Param[] },
): Promise<ResourceState[]> {
  const columns = fields.map((name) => (table.columns.has(name) ? `\`${name}\`` : missingColumn(name)));
  const rows = await db.select({
    sql: `SELECT ${columns.join(', ')} FROM \`${table.name}\` WHERE ${asked.where}`,
    params: asked.params,
  });
  return rows.map(decodeState);
}

function missingColumn(name: ResourceField): string {
  if (onByDefault.includes(name)) return '1';
  return kinds[name] === 'text' ? "''" : '0';
}

function decodeState(row: RawRow): ResourceState {
  const state: Record<string, string | number | boolean | null> = {};
  fields.forEach((name, at) => {
    state[name] = decodeValue(kinds[name], row[at] ?? null);
  });
  return state as ResourceState;
}

function decodeValue(kind: Kind, raw: RawValue): string | number | boolean | null {
  switch (kind) {
    case 'integer':
      return Number(raw ?? 0);
    case 'flag':
      return Number(raw ?? 0) !== 0;
    case 'time':
      return Number(raw ?? 0) || null;
    case 'text':
      return raw === null ? '' : String(raw);
    case 'optional text':
      return raw === null ? null : String(raw);
  }
}

/** Values as the columns hold them. */
export function encodeState(values: Partial<ResourceState>): Record<string, Param> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, Param] => [name, encodeValue(name, value)]),
  );
}

function encodeValue(name: string, value: string | number | boolean | null): Param {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null) return isResourceField(name) && kinds[name] === 'optional text' ? null : 0;
  return value;
}

/** Given values of fields, typed; null becomes the empty value where the field has no null. */
export function readGivenState(entries: readonly (readonly [name: string, value: unknown])[]): Partial<ResourceState> {
  const state: Record<string, string | number | boolean | null> = {};
  for (const [name, value] of entries) if (isResourceField(name)) state[name] = givenValue(kinds[name], value);
  return state as Partial<ResourceState>;
}

function givenValue(kind: Kind, value: unknown): string | number | boolean | null {
  switch (kind) {
    case 'integer':
      return Number(value ?? 0);
    case 'flag':
      return value === true || value === 1;
    case 'time':
      return Number(value ?? 0) || null;
    case 'text':
      return value === null ? '' : String(value);
    case 'optional text':
      return value === null ? null : String(value);
  }
}
