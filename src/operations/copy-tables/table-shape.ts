/** The description of a table for a copy, in one form for both databases. `columns.ts` is the one for requests. */
import type { DialectName, Param, RawValue } from '../../store/base/database.js';

/** `float` keeps 24 bits, `double` 53; `any` is a SQLite column without a type; `unknown` cannot be copied. */
export type ValueKind = 'integer' | 'decimal' | 'float' | 'double' | 'text' | 'time' | 'binary' | 'any' | 'unknown';

type ColumnDefault =
  /** Inserts must name the column. */
  { readonly kind: 'none' } | { readonly kind: 'value'; readonly value: string | null } | { readonly kind: 'now' };

export interface CopyColumn {
  readonly name: string;
  /** Type as the database declares it, lower case. */
  readonly declared: string;
  readonly kind: ValueKind;
  readonly nullable: boolean;
  readonly fallback: ColumnDefault;
  /** Its default is an expression, which is not copied. */
  readonly isCalculated: boolean;
  readonly counts: boolean;
  /** Computed by the database: can be read and not written. */
  readonly computed: boolean;
  readonly changesOnUpdate: boolean;
  readonly charset: string | null;
  readonly collation: string | null;
}

export interface CopyIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly parts: readonly { readonly column: string; readonly length: number | null }[];
}

export interface TableShape {
  readonly name: string;
  readonly dialect: DialectName;
  /** Null on SQLite; only InnoDB can be read as of one moment. */
  readonly engine: string | null;
  readonly columns: ReadonlyMap<string, CopyColumn>;
  readonly primaryKey: readonly string[];
  readonly indexes: readonly CopyIndex[];
  /** Indexes that only this database knows: full text, spatial, partial, on expressions. */
  readonly specialIndexes: readonly string[];
  /** The id that the next row gets at least; null when the table does not count. */
  readonly nextId: bigint | null;
}

export type TableShapes = ReadonlyMap<string, TableShape>;

export type Row = readonly RawValue[];
export type WriteRow = readonly Param[];

/** Whether all reads of a copy see the table as of one moment. */
export function inSnapshot({ engine }: TableShape): boolean {
  return engine === null || /^innodb$/i.test(engine);
}

/** Unique on the first characters of a column, which SQLite does not enforce. */
export function isUniqueInPart({ unique, parts }: CopyIndex): boolean {
  return unique && parts.some(({ length }) => length !== null);
}

/** The columns of the primary key, and of each index that is unique on whole values. */
export function uniqueKeys({ primaryKey, indexes }: TableShape): (readonly string[])[] {
  const unique = indexes.filter((index) => index.unique && !isUniqueInPart(index));
  return [primaryKey, ...unique.map(({ parts }) => parts.map(({ column }) => column))].filter(
    ({ length }) => length > 0,
  );
}

/** Columns that identify a row, so that reading can continue at any row; null when none do. */
export function readingKey(table: TableShape): readonly string[] | null {
  return uniqueKeys(table).find((key) => key.every((name) => !table.columns.get(name)?.nullable)) ?? null;
}

/** SQLite tables made by a copy carry MariaDB's words, with spellings of their own below. */
export function kindOf(declared: string, dialect: DialectName): ValueKind {
  const found = kindWords.find(([word]) => word.test(declared))?.[1];
  if (found === 'float' && dialect === 'sqlite' && !declared.startsWith('float4')) return 'double';
  return found ?? (dialect === 'sqlite' ? 'any' : 'unknown');
}

/** In the order in which they decide. `decimaltext` and `float4` are written by `create-table.ts`. */
const kindWords: readonly (readonly [RegExp, ValueKind])[] = [
  [/^(decimaltext|((decimal|dec|numeric|fixed)\())/, 'decimal'],
  [/^(unsigned )?(tiny|small|medium|big)?int(eger)?\b|^int[1-8]\b|^year|^bool|^bit\b/, 'integer'],
  [/^float/, 'float'],
  [/^(double|real)/, 'double'],
  [/^(date|time)/, 'time'],
  [/char|text|clob|^enum|^set\b|^uuid|^inet|^json/, 'text'],
  [/blob|binary/, 'binary'],
];

/** MariaDB prints these after a backslash. */
const escaped: Readonly<Record<string, string>> = { n: '\n', r: '\r', '0': '\0', Z: '\x1a' };

/** As the database prints it: `NULL`, a number, bits, a quoted text, or an expression. */
export function parseDefault(
  text: string | null,
  { nullable, dialect }: { readonly nullable: boolean; readonly dialect: DialectName },
): ColumnDefault {
  if (text === null) return nullable ? { kind: 'value', value: null } : { kind: 'none' };
  const trimmed = text.trim();
  if (/^null$/i.test(trimmed)) return { kind: 'value', value: null };
  if (/^current_timestamp/i.test(trimmed)) return { kind: 'now' };
  const quoted = /^'([\s\S]*)'$/.exec(trimmed)?.[1];
  if (quoted !== undefined) {
    const pairs = dialect === 'mariadb' ? /''|\\[\s\S]/g : /''/g;
    return { kind: 'value', value: quoted.replace(pairs, ([, one = '']) => escaped[one] ?? one) };
  }
  const bits = /^b'([01]+)'$/i.exec(trimmed)?.[1];
  if (bits !== undefined) return { kind: 'value', value: String(BigInt(`0b${bits}`)) };
  if (/^[+-]?\d+(\.\d+)?$/.test(trimmed)) return { kind: 'value', value: trimmed };
  return { kind: 'none' };
}
