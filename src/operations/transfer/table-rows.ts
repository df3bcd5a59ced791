/** Rows of the table of a kind, and of its parts. */
import { isResourceClass, ownClass, spellClass } from '../../content/models/elements.js';
import type { FieldDefinition } from '../../content/objects/definition.js';
import { valueProblem } from '../../content/resources/check-values.js';
import type { Column } from '../../store/base/columns.js';
import type { Param, RawValue, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { groupBy, padded } from '../../values/batches.js';
import { isWanted, type Kind, type RecordKind, type RowKey, rowOf, type Scope } from './kind.js';
import type { Part, RawValues, Values } from './members.js';
import { isNamedKind } from './record-names.js';
import type { Filter } from './transfer-record.js';

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

  async function readRows(
    scope: Scope,
    keys: readonly RowKey[],
    asked = Object.values(members).map(({ column }) => column),
  ): Promise<RawValues[]> {
    if (keys.length === 0) return [];
    const columns = [...new Set([...(primary ?? ['id']), ...asked])].filter((column) => has(scope, kind.table, column));
    const wheres = padded(keys).map(whereOf);
    const where =
      primary === undefined
        ? `\`id\` IN (${wheres.map(() => '?').join(', ')})`
        : wheres.map((one) => `(${allEqual(one)})`).join(' OR ');
    const params = wheres.flatMap((one) => Object.values(one));
    const rows = await selectRows(scope, { table: kind.table, columns, where, params });
    const wanted = new Set(keys);
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
    const rows = await selectRows(scope, { table, columns: [part.owner, ...part.columns], where, params });
    return groupBy(rows, (row) => Number(row[part.owner]));
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

export const classColumns: ReadonlySet<string> = new Set(
  'class_key principal_class object_class hash_class'.split(' '),
);

export function spelled<T extends RawValues>({ prefix, tables }: Pick<Scope, 'prefix' | 'tables'>, values: T): T {
  const shortClassNames = tables.get(`${prefix}site_templates`)?.columns.has('preview_file') === false;
  const classes = [...classColumns].flatMap((column) => {
    const name = values[column];
    if (typeof name !== 'string' || (ownClass(name) === name && !isResourceClass(name))) return [];
    return [[column, spellClass(name, { shortClassNames })]];
  });
  return classes.length === 0 ? values : { ...values, ...Object.fromEntries(classes) };
}

const batchSize = 5000;

/** Which rows of a table an export has, and their order, which is the same in every store. */
export function listRows(object: string, kind: RecordKind): Kind['list'] {
  const { members, primary = ['id'], context, changed, hidden, order = kind.key, isOrderedByKey = false } = kind;
  const { readerOf, realName, has, keyOf } = tableRows(kind);

  async function* list(scope: Scope, filter: Filter): AsyncGenerator<readonly RowKey[]> {
    if (object === 'resources') {
      yield await scope.names.resources.list(filter);
      return;
    }
    const named: { readonly key: RowKey; readonly name: string }[] = [];
    for await (const rows of readPages(scope)) {
      const wanted = rows.filter((row) => hidden?.isHidden(row) !== true && isWanted(kind, row, filter));
      if (isOrderedByKey) yield wanted.map(keyOf);
      for (const row of isOrderedByKey ? [] : wanted) {
        const name = await sortName(scope, row, keyOf(row));
        if (name !== null) named.push({ key: keyOf(row), name });
      }
    }
    if (!isOrderedByKey) yield named.sort((one, other) => (one.name < other.name ? -1 : 1)).map(({ key }) => key);
  }

  async function* readPages(scope: Scope): AsyncGenerator<readonly RawValues[]> {
    const [first = 'id'] = primary;
    const sorting = order.flatMap((name) => members[name]?.column ?? []);
    const more = [context ?? first, ...(changed?.columns ?? []), ...(hidden?.columns ?? [])];
    const all = [...new Set([...primary, ...sorting, ...more])];
    const columns = all.filter((column) => has(scope, kind.table, column));
    const reader = readerOf(scope);
    const { quote } = dialectOf(reader.dialect);
    const start = `SELECT ${columns.map(quote).join(', ')} FROM ${quote(realName(scope, kind.table))}`;
    const end = `ORDER BY ${quote(first)}${isOrderedByKey ? ` LIMIT ${batchSize}` : ''}`;
    let after: readonly RawValue[] = [];
    do {
      const condition = after.length === 0 ? '' : `WHERE ${quote(first)} > ?`;
      const raw = await reader.select({ sql: `${start} ${condition} ${end}`, params: after });
      const rows = raw.map((row) => rowOf(columns, row));
      yield rows;
      // Rows whose key is NULL come first.
      after = isOrderedByKey && rows.length === batchSize ? [rows.at(-1)?.[first] ?? Number.MIN_SAFE_INTEGER] : [];
    } while (after.length > 0);
  }

  /** Names sort the same in every store. Null for a record that exports leave out. */
  async function sortName({ names, onLost }: Scope, row: RawValues, key: RowKey): Promise<string | null> {
    const parts: unknown[] = [];
    if (object === 'categories') {
      const path = await names.nameOf(object, key);
      if (Array.isArray(path)) return `${String(path.length).padStart(12, '0')}${path.join('\n')}`;
      onLost?.({ object, key, member: null, why: 'it is in a circle, or another one has the same name and parent' });
      return null;
    }
    if (isNamedKind(object))
      parts.push(await names.nameOf(object, object === 'contexts' ? (plainValue(row['key']) ?? '') : key));
    else {
      for (const name of order) {
        const member = members[name];
        const shown = member && (await member.show(row[member.column] ?? null, names, row));
        parts.push(typeof shown === 'number' ? String(shown).padStart(17, '0') : shown);
      }
    }
    return JSON.stringify(parts);
  }

  return list;
}
