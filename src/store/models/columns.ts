/**
 * Kinds of columns, from which models are put together: the type that Sequelize knows, and how a value of a row becomes
 * a value of the program and back. A row is decoded the same whether SQLite or MariaDB gave it.
 */
import { type DataType, DataTypes, type ModelAttributeColumnOptions } from 'sequelize';
import { parseJson } from '../../values/json.js';
import type { DialectName, RawValue } from '../base/database.js';

export interface Column<T = unknown, IsOptional extends boolean = boolean> {
  /** The column as Sequelize describes it. */
  readonly attribute: Partial<ModelAttributeColumnOptions>;
  /** Instead of a column: an expression that each read of a row computes. */
  readonly expression?: (dialect: DialectName) => string;
  /** A new row may leave it out: it may be NULL, has a default, or the database counts it. */
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

/** The id that the database counts. */
export function id(): Column<number, true> {
  const attribute = { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true, allowNull: false };
  return { attribute, isOptional: true, ...asNumber };
}

export function integer(): Column<number, false> {
  return column(DataTypes.INTEGER, asNumber);
}

/** A number with a fraction. */
export function double(): Column<number, false> {
  return column(DataTypes.DOUBLE, asNumber);
}

/** Unix milliseconds. */
export function time(): Column<number, false> {
  return column(DataTypes.BIGINT, asNumber);
}

/** The end of a credential, in Unix milliseconds; it is valid until the shown second, not a fraction longer. */
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

/** A date and time as the database writes it: `2026-11-22 20:30:00`. */
export function dateText(): Column<string, false> {
  return column(DataTypes.DATE, asText);
}

/** Yes or no, stored as 1 or 0. */
export function flag(): Column<boolean, false> {
  return column(DataTypes.BOOLEAN, {
    decode: (stored) => Number(stored) !== 0,
    encode: (value) => (value ? 1 : 0),
  });
}

/** Text of so many characters at most, or of any length. */
export function text(length?: number): Column<string, false> {
  return column(length === undefined ? DataTypes.TEXT : DataTypes.STRING(length), asText);
}

/** Texts with commas between them. */
export function commaList(length?: number): Column<readonly string[], false> {
  return column<readonly string[]>(length === undefined ? DataTypes.TEXT : DataTypes.STRING(length), {
    decode: (stored) =>
      String(stored)
        .split(',')
        .filter((part) => part !== ''),
    encode: (value) => value.join(','),
  });
}

/**
 * JSON in a text column. `read` gives what a read of the row has; a text that is not JSON reads as undefined:
 *
 *     tags: json((value) => (isPlainObject(value) ? value : {})),
 */
export function json<T>(read: (value: unknown) => T): Column<T, false> {
  return column(DataTypes.TEXT, { decode: (stored) => read(parseJson(String(stored))), encode: JSON.stringify });
}

/** A JSON list of texts; everything else reads as an empty list. */
export function jsonTexts(): Column<readonly string[], false> {
  return json((value) => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []));
}

/** A number that each read of a row computes; the table has no such column. */
export function computed(expression: (dialect: DialectName) => string): Column<number, true> {
  return { expression, attribute: {}, isOptional: true, ...asNumber };
}

/** The same column, which may be NULL. */
export function orNull<T>({ attribute, decode, encode }: Column<T>): Column<T | null, true> {
  return {
    attribute: { ...attribute, allowNull: true },
    isOptional: true,
    decode: (stored) => (stored === null ? null : decode(stored)),
    encode: (value) => (value === null ? null : encode(value)),
  };
}

/** The same column, which may be NULL; NULL reads as an empty text, 0 or false. */
export function orEmpty<T>(of: Column<T, false>): Column<T, true> {
  return { ...of, attribute: { ...of.attribute, allowNull: true }, isOptional: true };
}

/** The same column, which has a default: a new row may leave it out. */
export function optional<T>(of: Column<T>): Column<T, true> {
  return { ...of, isOptional: true };
}

type WithDefaults<C> = { readonly [K in keyof C]: C[K] extends Column<infer T> ? Column<T, true> : never };

/** The same columns, which all have defaults. */
export function withDefaults<const C extends Readonly<Record<string, Column>>>(of: C): WithDefaults<C> {
  return Object.fromEntries(Object.entries(of).map(([name, one]) => [name, optional(one)])) as WithDefaults<C>;
}

/** The same column under a name that does not follow from the attribute: `createdOn: named('createdon', integer())`. */
export function named<T, O extends boolean>(field: string, of: Column<T, O>): Column<T, O> {
  return { ...of, attribute: { ...of.attribute, field } };
}

/** The same column as the primary key, or as a part of one of several columns. */
export function key<T>(of: Column<T, false>): Column<T, false> {
  return { ...of, attribute: { ...of.attribute, primaryKey: true } };
}
