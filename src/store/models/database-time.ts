/** Moments by the clock of the database, which alone decides: machines may disagree about the time. */
import { literal } from 'sequelize';
import type { Reader } from '../base/database.js';
import { nowMilliseconds } from '../state/ledger.js';
import { type Column, computed } from './columns.js';

export function fromNow({ dialect }: Pick<Reader, 'dialect'>, milliseconds = 0): ReturnType<typeof literal> {
  return literal(`${nowMilliseconds(dialect)} + ${Math.trunc(milliseconds)}`);
}

export function readTime(): Column<number, true> {
  return computed(nowMilliseconds);
}
