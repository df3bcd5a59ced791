/**
 * Kinds of columns, from which models are put together: the type that Sequelize knows, and how a value of a row becomes a
 * value of the program and back. A row is decoded the same whether SQLite or MariaDB gave it.
 */
import { type DataType, DataTypes, type ModelAttributeColumnOptions } from 'sequelize';
import type { DialectName, RawValue } from '../base/database.js';

export interface Column<T = unknown, IsOptional extends boolean = boolean> {
  /** What Sequelize is told. */
  readonly attribute: Partial<ModelAttributeColumnOptions>;
  /** Instead of a column: what each read of a row computes. */
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
const asText = { decode: String, encode: (value: string) => value };

/** The id that the database counts. */
export function id(): Column<number, true> {
  const attribute = { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true, allowNull: false };
  return { attribute, isOptional: true, ...asNumber };
}

export function integer(): Column<number, false> {
  return column(DataTypes.INTEGER, asNumber);
}

/** Unix milliseconds. */
export function time(): Column<number, false> {
  return column(DataTypes.BIGINT, asNumber);
}

/** When something ends, in Unix milliseconds. What shows an end by the second works until then and no longer. */
export function end(): Column<number, false> {
  return column(DataTypes.BIGINT, { ...asNumber, decode: (stored) => Math.floor(Number(stored) / 1000) * 1000 });
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

/** A JSON list of texts; whatever else is stored reads as an empty list. */
export function jsonTexts(): Column<readonly string[], false> {
  return column<readonly string[]>(DataTypes.TEXT, {
    decode(stored) {
      try {
        const value: unknown = JSON.parse(String(stored));
        return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
      } catch {
        return [];
      }
    },
    encode: JSON.stringify,
  });
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

/** The same column as the primary key, or a part of it. */
export function key<T>(of: Column<T, false>): Column<T, false> {
  return { ...of, attribute: { ...of.attribute, primaryKey: true } };
}
