/** A table in a backup as JSON. Whatever comes from a file is checked before it becomes SQL. */
import type { RawRow, RawValue } from '../../store/base/database.js';
import { isJsonObject } from '../../values/json.js';
import { type ColumnDefault, type CopyColumn, kindOf, type TableShape } from '../copy-tables/table-shape.js';

/** core: made by the migrations; own: the same, of hcd itself; extra: made by an extra of the CMS. */
type TableGroup = 'core' | 'own' | 'extra';
const groups: readonly unknown[] = ['core', 'own', 'extra'] satisfies TableGroup[];

export interface StoredTable {
  readonly group: TableGroup;
  /** Without the prefix of the content tables; tables of hcd itself with theirs. */
  readonly name: string;
  readonly shape: TableShape;
}

export class LineFault extends Error {}

/** In the order of a row. */
export function storedColumns({ columns }: TableShape): readonly string[] {
  return [...columns.values()].filter(({ kind }) => kind !== 'unknown').map(({ name }) => name);
}

/** Throws LineFault for a type that could not be restored. */
export function encodeTable({ group, name, shape }: StoredTable): object {
  const table = {
    ...{ name, group, dialect: shape.dialect },
    columns: [...shape.columns.values()].map((column) => ({
      ...{ name: column.name, declared: column.declared, nullable: column.nullable, fallback: column.fallback },
      ...{ counts: column.counts, computed: column.computed, changesOnUpdate: column.changesOnUpdate },
    })),
    primaryKey: shape.primaryKey,
    indexes: shape.indexes,
    nextId: shape.nextId === null ? null : String(shape.nextId),
  };
  decodeTable(table);
  return table;
}

/** Throws LineFault for anything but a table that encodeTable could have made. */
export function decodeTable(value: unknown): StoredTable {
  const { name, group, dialect, columns, primaryKey, indexes, nextId } = record(value, 'table');
  if (typeof name !== 'string' || !isName(name)) throw new LineFault('the name of a table is not accepted');
  if (dialect !== 'sqlite' && dialect !== 'mariadb') throw new LineFault(`the database of table ${name} is unknown`);
  const list = items(columns, `columns of table ${name}`).map((column) => decodeColumn(column, dialect));
  const known = new Map(list.map((column) => [column.name, column]));
  const lower = new Set(list.map((column) => column.name.toLowerCase()));
  if (known.size === 0 || lower.size < list.length) throw new LineFault(`table ${name} has a column twice, or none`);
  const column = (one: unknown): string => {
    if (typeof one === 'string' && known.has(one)) return one;
    throw new LineFault(`a key of table ${name} names an unknown column`);
  };
  return {
    group: isGroup(group) ? group : fail(`the group of table ${name} is unknown`),
    name,
    shape: {
      name,
      dialect,
      engine: null,
      columns: known,
      primaryKey: items(primaryKey, `key of table ${name}`).map(column),
      indexes: items(indexes, `indexes of table ${name}`).map((index) => {
        const { name: indexName, unique, parts } = record(index, 'index');
        return {
          name:
            typeof indexName === 'string' && isName(indexName) ? indexName : fail(`an index of ${name} has no name`),
          unique: unique === true,
          parts: items(parts, `parts of an index of ${name}`).map((part) => {
            const { column: partColumn, length } = record(part, 'part of an index');
            return { column: column(partColumn), length: length === null ? null : smallNumber(length) };
          }),
        };
      }),
      specialIndexes: [],
      nextId: nextId === null ? null : wholeNumber(nextId, largestSigned),
    },
  };
}

function decodeColumn(value: unknown, dialect: TableShape['dialect']): CopyColumn {
  const { name, declared, nullable, fallback, counts, computed, changesOnUpdate } = record(value, 'column');
  if (typeof name !== 'string' || !isName(name)) throw new LineFault('the name of a column is not accepted');
  if (typeof declared !== 'string' || !isType(declared))
    throw new LineFault(`the type of column ${name} is not accepted`);
  return {
    ...{
      name,
      declared,
      kind: kindOf(declared, dialect),
      nullable: nullable === true,
      fallback: decodeDefault(fallback),
    },
    ...{ counts: counts === true, computed: computed === true, changesOnUpdate: changesOnUpdate === true },
    ...{ charset: null, collation: null, maxLength: null },
  };
}

function decodeDefault(value: unknown): ColumnDefault {
  const { kind, value: text } = record(value, 'default');
  if (kind === 'none' || kind === 'now') return { kind };
  if (kind === 'value' && (text === null || typeof text === 'string')) return { kind, value: text };
  throw new LineFault('the default of a column is not accepted');
}

function isGroup(value: unknown): value is TableGroup {
  return groups.includes(value);
}

function isName(text: string): boolean {
  return /^\P{Cc}{1,64}$/u.test(text);
}

/** Words of column types in both databases; the last line is of other programs that write to SQLite. */
const typeWords: ReadonlySet<string> = new Set(
  `tinyint smallint mediumint int integer bigint int1 int2 int3 int4 int8 year bit bool boolean decimal decimaltext dec
  numeric fixed float float4 float8 double precision real char character varchar nchar nvarchar varcharacter national
  varying tinytext text mediumtext longtext tinyblob blob mediumblob longblob binary varbinary date time datetime
  timestamp json uuid inet4 inet6 xmltype vector geometry point linestring polygon multipoint multilinestring
  multipolygon geometrycollection unsigned signed zerofill native tiny small medium big
  clob nclob string number money guid any none`.split(/\s+/),
);
const longestType = 200;
const longestEnumeration = 20_000;

/** Types become SQL as they are, so only known words, sizes and enumerations are accepted. */
function isType(text: string): boolean {
  if (text.length > longestEnumeration) return false;
  if (/^(enum|set)\('(?:[^'\\]|'')*'(?:,'(?:[^'\\]|'')*')*\)$/i.test(text)) return true;
  if (text.length > longestType) return false;
  const plain = text.replace(/ \/\* mariadb-5\.3 \*\/$/, '');
  if (!/^[a-z0-9_ ]*(?:\( *\d+ *(?:, *\d+ *)?\)[a-z0-9_ ]*)?$/.test(plain)) return false;
  const words = plain.match(/[a-z_][a-z0-9_]*/g) ?? [];
  return words.every((word) => typeWords.has(word));
}

/** Bytes, integers beyond the exact numbers and numbers without a JSON form are objects. */
export function encodeRow(row: RawRow): string {
  return JSON.stringify(row.map(encodeValue));
}

function encodeValue(value: RawValue): unknown {
  if (typeof value === 'bigint') return { i: String(value) };
  if (Buffer.isBuffer(value)) return { b: value.toString('base64') };
  return typeof value === 'number' && !Number.isFinite(value) ? { f: String(value) } : value;
}

/** Throws LineFault for anything but a row of `width` values that encodeRow could have made. */
export function decodeRow(value: unknown, width: number): RawRow {
  if (!Array.isArray(value)) throw new LineFault('the row is not a list');
  if (value.length !== width) throw new LineFault(`the row has ${value.length} values, and the table ${width} columns`);
  return value.map(decodeValue);
}

function decodeValue(value: unknown): RawValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  const { i, b, f } = record(value, 'value');
  if (typeof i === 'string') return wholeNumber(i);
  if (typeof b === 'string') return Buffer.from(b, 'base64');
  if (f === 'Infinity' || f === '-Infinity' || f === 'NaN') return Number(f);
  throw new LineFault('a value of the row is not accepted');
}

const largestSigned = 2n ** 63n - 1n;
const largestUnsigned = 2n ** 64n - 1n;

function wholeNumber(value: unknown, largest = largestUnsigned): bigint {
  const number = typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : null;
  if (number !== null && number >= -(2n ** 63n) && number <= largest) return number;
  throw new LineFault('a whole number is not accepted');
}

function smallNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 65_535) return value;
  throw new LineFault('the length of an index is not accepted');
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : fail(`a ${what} is not an object`);
}

function items(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) && value.length <= 5000 ? value : fail(`the ${what} are not a list`);
}

function fail(problem: string): never {
  throw new LineFault(problem);
}
