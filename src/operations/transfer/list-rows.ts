/** Which rows of a table an export has, and their order, which is the same in every store. */
import type { RawValue } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { Filter, Kind, RowKey, Scope } from './kind.js';
import type { RawValues } from './members.js';
import { isWanted, type RecordKind, rowOf } from './record-kind.js';
import { plainValue, tableRows } from './table-rows.js';

const together = 5000;

export function listRows(object: string, kind: RecordKind): Kind['list'] {
  const { members, primary } = kind;
  const { readerOf, realName, has, keyOf } = tableRows(kind);

  async function* list(scope: Scope, filter: Filter): AsyncGenerator<readonly RowKey[]> {
    if (object === 'resources') yield (await scope.names.resources.index()).ordered(filter);
    else if (object === 'categories') yield await orderCategories(scope);
    else if (kind.isOrderedByKey === true) yield* listByKey(scope, filter);
    else yield await listByName(scope, filter);
  }

  function listing(scope: Scope): { readonly sql: string; readonly columns: readonly string[] } {
    const { context, changed, hidden } = kind;
    const keyColumns = kind.key.flatMap((name) => members[name]?.column ?? []);
    const wanted = [...(primary ?? ['id']), ...keyColumns, ...(context === undefined ? [] : [context])];
    const more = [
      ...(changed?.columns ?? []),
      ...(hidden?.columns ?? []),
      ...(object === 'banner_links' ? ['idx'] : []),
    ];
    const columns = [...new Set([...wanted, ...more])].filter((column) => has(scope, kind.table, column));
    const { quote } = dialectOf(readerOf(scope).dialect);
    return { sql: `SELECT ${columns.map(quote).join(', ')} FROM ${quote(realName(scope, kind.table))}`, columns };
  }

  async function* listByKey(scope: Scope, filter: Filter): AsyncGenerator<readonly RowKey[]> {
    const { sql, columns } = listing(scope);
    const key = dialectOf(readerOf(scope).dialect).quote(primary?.[0] ?? 'id');
    let after: readonly RawValue[] = [];
    do {
      const condition = after.length === 0 ? '' : ` WHERE ${key} > ?`;
      const page = { sql: `${sql}${condition} ORDER BY ${key} LIMIT ${together}`, params: after };
      const rows = (await readerOf(scope).select(page)).map((row) => rowOf(columns, row));
      yield rows.filter((row) => isWanted(kind, row, filter)).map(keyOf);
      const last = rows.length < together ? undefined : rows.at(-1);
      after = last === undefined ? [] : [last[primary?.[0] ?? 'id'] ?? null];
    } while (after.length > 0);
  }

  async function listByName(scope: Scope, filter: Filter): Promise<readonly RowKey[]> {
    const { sql, columns } = listing(scope);
    const found: { key: RowKey; name: string }[] = [];
    for (const raw of await readerOf(scope).select({ sql, params: [] })) {
      const row = rowOf(columns, raw);
      if (kind.hidden?.isHidden(row) === true || !isWanted(kind, row, filter)) continue;
      const key = keyOf(row);
      found.push({ key, name: await sortName(scope, row, key) });
    }
    return found.sort((one, other) => (one.name < other.name ? -1 : 1)).map(({ key }) => key);
  }

  /** Names sort the same in every store. */
  async function sortName({ names }: Scope, row: RawValues, key: RowKey): Promise<string> {
    const parts: unknown[] = [];
    if (kind.named !== undefined)
      parts.push(await names.nameOf(kind.named, kind.named === 'contexts' ? (plainValue(row['key']) ?? '') : key));
    else if (object === 'banner_links') {
      parts.push(await names.nameOf('positions', Number(row['position'])), String(row['idx']).padStart(12, '0'));
      parts.push(await names.nameOf('banners', Number(row['ad'])));
    } else {
      for (const name of kind.key) {
        const member = members[name];
        const shown = member && (await member.show(row[member.column] ?? null, names, row));
        parts.push(typeof shown === 'number' ? String(shown).padStart(17, '0') : shown);
      }
    }
    return JSON.stringify(parts);
  }

  return list;
}

async function orderCategories({ names, onLost }: Scope): Promise<readonly number[]> {
  const why = 'it is in a circle, or another one has the same name and parent';
  const { paths, loose } = await names.categories();
  for (const key of loose) onLost?.({ object: 'categories', key, member: null, why });
  const sorted = [...paths].map(([id, path]) => ({ id, path, text: path.join('\n') }));
  sorted.sort((one, other) => one.path.length - other.path.length || (one.text < other.text ? -1 : 1));
  return sorted.map(({ id }) => id);
}
