/** Integers cross the border to SQLite exactly: beyond 2^53 as bigint, and never as a floating-point value. */
import type { RawRow, RawValue } from '../base/database.js';
import type { SqliteParam, SqliteParams } from './driver.js';

/** Whether a number in the rows may stand for an integer that a number cannot hold. */
export function mayBeInexact(rows: readonly RawRow[]): boolean {
  for (const row of rows) {
    for (const value of row) {
      if (typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER))
        return true;
    }
  }
  return false;
}

/** Rows whose integers were all read as bigint: those that fit become numbers again. */
export function narrowIntegers(rows: readonly RawRow[]): RawRow[] {
  return rows.map((row) => row.map(narrowInteger));
}

function narrowInteger(value: RawValue): RawValue {
  if (typeof value !== 'bigint') return value;
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : value;
}

/**
 * Values as they are bound: both libraries bind a number as floating point, which a text column would keep as "5.0";
 * a whole number goes as integer.
 */
export function toBound<Params extends SqliteParams>(params: Params): Params;
export function toBound(params: SqliteParams): SqliteParams {
  if (isList(params)) return params.some(isWhole) ? params.map(toBoundValue) : params;
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toBoundValue(value)]));
}

function isList(params: SqliteParams): params is readonly SqliteParam[] {
  return Array.isArray(params);
}

function toBoundValue(value: SqliteParam): SqliteParam {
  return typeof value === 'number' && isWhole(value) ? BigInt(value) : value;
}

function isWhole(value: SqliteParam): boolean {
  return Number.isSafeInteger(value);
}
