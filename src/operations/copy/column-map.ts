/** Maps the columns of the source to those of the target, and handles columns that only one of them has. */
import type { DialectName, Param, RawValue } from '../../store/base/database.js';
import { hasDoubleEncoding, repairedText } from '../../values/double-encoding.js';
import { type CopyColumn, readingKey, type TableShape, uniqueKeys } from '../copy-tables/table-shape.js';
import { emptyValue, toParam } from './row-form.js';

export type ColumnMap = ReturnType<typeof mapColumns>;

/** Pairs columns by name; columns that the source lacks get their default. */
export function mapColumns(source: TableShape, target: TableShape, repairsEncoding = false) {
  const targets = new Map([...target.columns.values()].map((column) => [column.name.toLowerCase(), column]));
  const pairs: { from: CopyColumn; to: CopyColumn }[] = [];
  const lost: string[] = [];
  for (const from of source.columns.values()) {
    const to = targets.get(from.name.toLowerCase());
    targets.delete(from.name.toLowerCase());
    if (to === undefined || to.kind === 'unknown' || from.kind === 'unknown') lost.push(from.name);
    else if (!to.computed) pairs.push({ from, to });
  }
  // The database fills in columns without a source, except where an insert must name the column.
  const added = [...targets.values()].filter(
    (column) => !column.nullable && !column.counts && !column.computed && column.fallback.kind === 'none',
  );
  const extra = added.map(emptyValue);
  const repairs = repairsEncoding ? noRepairs() : undefined;
  const keyed = pairs.findIndex(({ from }) => from.name === readingKey(source)?.[0]);
  return {
    sourceColumns: pairs.map(({ from }) => from.name),
    targetColumns: [...pairs.map(({ to }) => to.name), ...added.map(({ name }) => name)],
    kinds: [...pairs.map(({ to }) => to.kind), ...added.map(({ kind }) => kind)],
    lost,
    repairs,
    convert(row: readonly RawValue[]) {
      // How many NULLs had to become a value.
      let filled = 0;
      const converted = pairs.map(({ to }, at): Param => {
        const stored = row[at] ?? null;
        const value = repairs === undefined ? stored : repair(stored, repairs, `${to.name} of ${row[keyed]}`);
        if (value !== null || to.nullable) return toParam(to.kind, value);
        filled += 1;
        return emptyValue(to);
      });
      return { row: [...converted, ...extra], filled };
    },
    distinct: findDoubtfulKeys(source, { target, copied: new Map(pairs.map(({ from, to }) => [to.name, from.name])) }),
  };
}

const mostUnclear = 20;

interface Repairs {
  texts_repaired: number;
  texts_unclear: string[];
}

export function noRepairs(): Repairs {
  return { texts_repaired: 0, texts_unclear: [] };
}

function repair(value: RawValue, repairs: Repairs, place: string): RawValue {
  if (typeof value !== 'string') return value;
  const repaired = repairedText(value);
  const { texts_unclear: unclear } = repairs;
  if (repaired !== null) repairs.texts_repaired += 1;
  else if (unclear.length < mostUnclear && hasDoubleEncoding(value)) unclear.push(place);
  return repaired ?? value;
}

/** Columns of the target's unique keys in which the source may hold the same values twice. */
function findDoubtfulKeys(
  source: TableShape,
  { target, copied }: { target: TableShape; copied: ReadonlyMap<string, string> },
): string[][] {
  // Without one ordering column it is unknown which of two rows comes first; the database then refuses.
  if (readingKey(source)?.length !== 1) return [];
  const held = uniqueKeys(source);
  return uniqueKeys(target)
    .map((columns) => columns.flatMap((name) => copied.get(name) ?? []))
    .filter((columns) => !held.some((one) => one.every((name) => columns.includes(name))));
}

export function addedColumns(
  source: TableShape,
  { target, dialect }: { readonly target: TableShape; readonly dialect: DialectName },
): CopyColumn[] {
  const there = new Set([...target.columns.keys()].map((name) => name.toLowerCase()));
  return [...source.columns.values()]
    .filter(({ name, kind }) => kind !== 'unknown' && !there.has(name.toLowerCase()))
    .map((column) => ({ ...column, counts: false, computed: false, fallback: fallbackOf(column, dialect) }));
}

/** SQLite adds a column only with a constant default; MariaDB in its strict mode takes no date of zeros. */
function fallbackOf(column: CopyColumn, dialect: DialectName): CopyColumn['fallback'] {
  const { fallback, kind, nullable } = column;
  if (dialect === 'mariadb') {
    const isZero = kind === 'time' && fallback.kind === 'value' && fallback.value?.startsWith('0000') === true;
    return isZero ? { kind: 'none' } : fallback;
  }
  if (fallback.kind === 'value' && (fallback.value !== null || nullable)) return fallback;
  return { kind: 'value', value: nullable ? null : String(emptyValue(column)) };
}
