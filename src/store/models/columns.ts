/** Kinds of columns for models. A row is decoded the same whether SQLite or MariaDB returned it. */
import { type DataType, DataTypes, literal, type ModelAttributeColumnOptions } from 'sequelize';
import { parseJson } from '../../values/json.js';
import type { DialectName, RawValue, Reader } from '../base/database.js';
import { nowMilliseconds } from '../base/dialect.js';

export interface Column<T = unknown, IsOptional extends boolean = boolean> {
  readonly attribute: Partial<ModelAttributeColumnOptions>;
  /** Computed by each read of a row; the table has no column. */
  readonly expression?: (dialect: DialectName) => string;
  /** May be NULL, has a default, or is counted by the database. */
  readonly isOptional: IsOptional;
  decode(stored: RawValue): T;
  encode(value: T): RawValue;
}

function column<T>(type: DataType, codec: Pick<Column<T>, 'decode' | 'encode'>) {
  const made: Column<T, false> = { attribute: { type, allowNull: false }, isOptional: false, ...codec };
  return Object.freeze(made);
}

const asNumber = { decode: Number, encode: (value: number) => value };
const asText = { decode: (stored: RawValue) => String(stored ?? ''), encode: (value: string) => value };

export function id(): Column<number, true> {
  const attribute = { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true, allowNull: false };
  return { attribute, isOptional: true, ...asNumber };
}

export function integer(): Column<number, false> {
  return column(DataTypes.INTEGER, asNumber);
}

export function double(): Column<number, false> {
  return column(DataTypes.DOUBLE, asNumber);
}

export function time(): Column<number, false> {
  return column(DataTypes.BIGINT, asNumber);
}

/** The end of a credential, in Unix milliseconds; valid until the shown second, not a fraction longer. */
export function end(): Column<number, false> {
  return column(DataTypes.BIGINT, { ...asNumber, decode: (stored) => Math.floor(Number(stored) / 1000) * 1000 });
}

/** Unix seconds; null is stored as 0. */
export function seconds(): Column<number | null, false> {
  return column<number | null>(DataTypes.INTEGER, {
    decode: (stored) => Number(stored) || null,
    encode: (value) => value ?? 0,
  });
}

export function dateText(): Column<string, false> {
  return column(DataTypes.DATE, asText);
}

export function flag(): Column<boolean, false> {
  return column(DataTypes.BOOLEAN, {
    decode: (stored) => Number(stored) !== 0,
    encode: (value) => (value ? 1 : 0),
  });
}

export function text(length?: number): Column<string, false> {
  return column(length === undefined ? DataTypes.TEXT : DataTypes.STRING(length), asText);
}

export function commaList(length?: number): Column<readonly string[], false> {
  return column<readonly string[]>(length === undefined ? DataTypes.TEXT : DataTypes.STRING(length), {
    decode: (stored) =>
      String(stored)
        .split(',')
        .filter((part) => part !== ''),
    encode: (value) => value.join(','),
  });
}

/** A stored text that is not JSON reaches `read` as undefined. */
export function json<T>(read: (value: unknown) => T): Column<T, false> {
  return column(DataTypes.TEXT, { decode: (stored) => read(parseJson(String(stored))), encode: JSON.stringify });
}

export function jsonTexts(): Column<readonly string[], false> {
  return json((value) => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []));
}

export function computed(expression: (dialect: DialectName) => string): Column<number, true> {
  return { expression, attribute: {}, isOptional: true, ...asNumber };
}

export function orNull<T>({ attribute, decode, encode }: Column<T>): Column<T | null, true> {
  return {
    attribute: { ...attribute, allowNull: true },
    isOptional: true,
    decode: (stored) => (stored === null ? null : decode(stored)),
    encode: (value) => (value === null ? null : encode(value)),
  };
}

/** NULL reads as an empty text, 0 or false. */
export function orEmpty<T>(of: Column<T, false>): Column<T, true> {
  return { ...of, attribute: { ...of.attribute, allowNull: true }, isOptional: true };
}

export function optional<T>(of: Column<T>): Column<T, true> {
  return { ...of, isOptional: true };
}

type WithDefaults<C> = { readonly [K in keyof C]: C[K] extends Column<infer T> ? Column<T, true> : never };

export function withDefaults<const C extends Readonly<Record<string, Column>>>(of: C): WithDefaults<C> {
  return Object.fromEntries(Object.entries(of).map(([name, one]) => [name, optional(one)])) as WithDefaults<C>;
}

export function named<T, O extends boolean>(field: string, of: Column<T, O>): Column<T, O> {
  return { ...of, attribute: { ...of.attribute, field } };
}

export function key<T>(of: Column<T, false>): Column<T, false> {
  return { ...of, attribute: { ...of.attribute, primaryKey: true } };
}

export function fromNow({ dialect }: Pick<Reader, 'dialect'>, milliseconds = 0): ReturnType<typeof literal> {
  return literal(`${nowMilliseconds(dialect)} + ${Math.trunc(milliseconds)}`);
}

export function readTime(): Column<number, true> {
  return computed(nowMilliseconds);
}
