/** Moments by the clock of the database, which alone decides where machines may disagree about the time. */
import { literal } from 'sequelize';
import type { Reader } from '../base/database.js';
import { nowMilliseconds } from '../state/ledger.js';
import { type Column, computed } from './columns.js';

/** So many milliseconds from now, or before now for negative ones. */
export function fromNow({ dialect }: Pick<Reader, 'dialect'>, milliseconds = 0): ReturnType<typeof literal> {
  return literal(`${nowMilliseconds(dialect)} + ${Math.trunc(milliseconds)}`);
}

/** When the row was read; no column of the table. */
export function readTime(): Column<number, true> {
  return computed(nowMilliseconds);
}
