/** Rows of the table of a kind, and of its parts. */

import type { FieldDefinition } from '../../content/objects/definition.js';
import { valueProblem } from '../../content/resources/check-values.js';
import type { Column } from '../../store/base/columns.js';
import type { Param, RawValue, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { padded } from '../../values/batches.js';
import type { RowKey, Scope } from './kind.js';
import type { Part, RawValues, Values } from './members.js';
import { type RecordKind, rowOf } from './record-kind.js';

export function tableRows(kind: RecordKind) {
  const isOwn = kind.table.startsWith('hcd_');
  const { members, primary } = kind;

  const readerOf = ({ readers }: Scope): Reader => (isOwn ? readers.own : readers.content);
  const realName = ({ prefix }: Scope, table: string): string =>
    isOwn || kind.hasNoPrefix === true ? table : `${prefix}${table}`;
  const columnsOf = (scope: Scope, table: string) => scope.tables.get(realName(scope, table))?.columns;
  const has = (scope: Scope, table: string, column: string): boolean => columnsOf(scope, table)?.has(column) ?? true;
  const whereOf = (key: RowKey): Values => {
    if (primary === undefined) return { id: Number(key) };
    const values: readonly Param[] = JSON.parse(String(key));
    return Object.fromEntries(primary.map((column, at) => [column, values[at] ?? null]));
  };
  const keyOf = (row: RawValues): RowKey =>
    primary === undefined ? Number(row['id']) : JSON.stringify(primary.map((column) => plainValue(row[column])));

  async function selectRows(
    scope: Scope,
    from: {
      readonly table: string;
      readonly columns: readonly string[];
      readonly where: string;
      readonly params: readonly Param[];
    },
  ): Promise<RawValues[]> {
    const { table, columns, where, params } = from;
    const { quote } = dialectOf(readerOf(scope).dialect);
    const sql = `SELECT ${columns.map(quote).join(', ')} FROM ${quote(realName(scope, table))} WHERE ${where}`;
    return (await readerOf(scope).select({ sql, params })).map((raw) => rowOf(columns, raw));
  }

  const allEqual = (where: Values): string =>
    Object.keys(where)
      .map((column) => `\`${column}\` = ?`)
      .join(' AND ');

  async function findRow(scope: Scope, where: Values): Promise<RawValues | undefined> {
    const columns = [...new Set([...(primary ?? ['id']), ...Object.keys(where)])];
    const params = Object.values(where);
    const rows = await selectRows(scope, { table: kind.table, columns, where: allEqual(where), params });
    // The collation of a column may take other texts for the same.
    return rows.find((one) => Object.entries(where).every(([column, value]) => String(one[column]) === String(value)));
  }

  async function readRows(scope: Scope, keys: readonly RowKey[]): Promise<RawValues[]> {
    if (keys.length === 0) return [];
    const all = [...(primary ?? ['id']), ...Object.values(members).map(({ column }) => column)];
    const columns = [...new Set(all)].filter((column) => has(scope, kind.table, column));
    const wheres = padded(keys).map(whereOf);
    const where =
      primary === undefined
        ? `\`id\` IN (${wheres.map(() => '?').join(', ')})`
        : wheres.map((one) => `(${allEqual(one)})`).join(' OR ');
    const params = wheres.flatMap((one) => Object.values(one));
    const rows = await selectRows(scope, { table: kind.table, columns, where, params });
    const wanted = new Set(keys);
    // The collation of a column may take other texts for the same.
    return rows.filter((row) => wanted.has(keyOf(row)));
  }

  async function readPart(
    scope: Scope,
    part: Part,
    owners: readonly RowKey[],
  ): Promise<ReadonlyMap<number, readonly RawValues[]>> {
    if (owners.length === 0) return new Map();
    const asked = padded(owners);
    const { table } = part;
    const constants = spelled(scope, part.constants ?? {});
    const isOfOwner = `\`${part.owner}\` IN (${asked.map(() => '?').join(', ')})`;
    const order = part.order.length === 0 ? '' : ` ORDER BY ${part.order.map((column) => `\`${column}\``).join(', ')}`;
    const where = [isOfOwner, ...(part.constants ? [allEqual(constants)] : [])].join(' AND ') + order;
    const params = [...asked, ...Object.values(constants)];
    const byOwner = new Map<number, RawValues[]>();
    for (const row of await selectRows(scope, { table, columns: [part.owner, ...part.columns], where, params })) {
      const owner = Number(row[part.owner]);
      const rows = byOwner.get(owner);
      if (rows) rows.push(row);
      else byOwner.set(owner, [row]);
    }
    return byOwner;
  }

  return { isOwn, readerOf, realName, columnsOf, has, whereOf, keyOf, findRow, readRows, readPart };
}

export function plainValue(value: RawValue | undefined): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : String(value);
}

const anyText: FieldDefinition = { column: '', type: 'string', nullable: false };

export function columnProblem(value: Param, column: Column): string | null {
  if (value === null) return column.nullable ? null : 'must not be null';
  if (typeof value === 'string') return column.type === 'text' ? valueProblem(value, { field: anyText, column }) : null;
  const [smallest, largest] = column.range ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const fits = typeof value !== 'number' || (value >= smallest && value <= largest);
  return fits || column.type === 'text' ? null : `must be from ${smallest} to ${largest}`;
}

const classColumns = ['class_key', 'principal_class', 'object_class', 'hash_class'] as const;
const namespaced = /^MODX\\Revolution\\(?:(\w+)\\)?(\w+)$/;
const ofResources = /^mod(?:Document|WebLink|SymLink|StaticResource|Resource)$/;

export function spelled({ prefix, tables }: Scope, values: Values): Values {
  const isVersion2 = tables.get(`${prefix}site_templates`)?.columns.has('preview_file') === false;
  const classes = classColumns.flatMap((column) => {
    const name = values[column];
    return typeof name === 'string' ? [[column, isVersion2 ? shortName(name) : longName(name)]] : [];
  });
  return classes.length === 0 ? values : { ...values, ...Object.fromEntries(classes) };
}

function shortName(name: string): string {
  const [, folder, own] = namespaced.exec(name) ?? [];
  if (own === undefined) return name;
  return folder === undefined ? own : `${folder.toLowerCase()}.${own}`;
}

function longName(name: string): string {
  return ofResources.test(name) ? `MODX\\Revolution\\${name}` : name;
}
