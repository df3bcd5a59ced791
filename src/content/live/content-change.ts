/**
 * A change of content as processes exchange it: the rows that a mutation touched, before and after, under the generation
 * that it raised. It is text in the log of changes and in messages between processes. Each change is reported once,
 * whether this process made it, another worker sent it or the log has it.
 */

import { Op } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import { parseJson } from '../../values/json.js';
import { changes } from '../models/changes.js';
import { type Cells, cellsOf } from '../query/predicate.js';
import type { ContentReader } from '../reading/select-rows.js';
import type { FieldValues, Mutation, RowChange } from './mutation.js';

/** Larger changes are not listed: dropping all answers costs less than comparing every answer with every row. */
const mostRows = 500;
const mostCharacters = 262_144;

/** The rows of one generation; null = it is not known what changed. */
export interface ContentChange {
  readonly generation: number;
  readonly rows: readonly RowChange[] | null;
}

/** One changed row by columns, as conditions look at rows. */
export interface ChangedRow {
  /** Its table. */
  readonly set: string;
  /** Known values before; null = there was no such row. */
  readonly before: Cells | null;
  /** Known values after; null = the row is gone. */
  readonly after: Cells | null;
}

/** The text of a mutation's rows; null when they are too many to list. */
export function writeChangedRows({ rows }: Pick<Mutation, 'rows'>): string | null {
  if (rows.length > mostRows) return null;
  const text = JSON.stringify(rows.map(({ object, key, before, after }) => [object, key, before, after]));
  return text.length > mostCharacters ? null : text;
}

/** Reads such a text; null for one of another version of the program. */
export function readChangedRows(text: string): readonly RowChange[] | null {
  const value = parseJson(text);
  if (!Array.isArray(value)) return null;
  const rows = value.map(readRow);
  return rows.includes(null) ? null : rows.filter((row) => row !== null);
}

function readRow(entry: unknown): RowChange | null {
  if (!Array.isArray(entry)) return null;
  const [object, key, before, after]: readonly unknown[] = entry;
  if (typeof object !== 'string' || (typeof key !== 'string' && typeof key !== 'number')) return null;
  return isValues(before) && isValues(after) ? { object, key, before, after } : null;
}

function isValues(value: unknown): value is FieldValues | null {
  return typeof value === 'object' && !Array.isArray(value);
}

/** The rows as conditions look at them; null when a row belongs to no object that this process serves. */
export function changedRows(
  { registry, table }: Pick<ContentReader, 'registry' | 'table'>,
  rows: readonly RowChange[],
): readonly ChangedRow[] | null {
  const changed: ChangedRow[] = [];
  for (const { object, key, before, after } of rows) {
    const definition = registry.get(object);
    if (definition === undefined) return null;
    // The key may be absent among the values.
    const cells = (values: FieldValues | null): Cells | null =>
      values === null ? null : cellsOf(definition, { [definition.primaryKey]: key, ...values });
    changed.push({ set: table(definition).name, before: cells(before), after: cells(after) });
  }
  return changed;
}

/** After more missed changes than these, everything counts as changed. */
const mostMissed = 1000;

type ChangeListener = (rows: readonly RowChange[] | 'everything') => void;

/** Where the log has a gap, everything may have changed. */
export class ChangeFollower {
  readonly #own: Reader;
  readonly #listeners: ChangeListener[] = [];
  /** Every generation up to this one has been reported; null before the first reading. */
  #reported: number | null = null;
  /** Already reported, although an earlier one has not been. */
  readonly #ahead = new Set<number>();

  constructor(own: Reader) {
    this.#own = own;
  }

  /** The newest generation that is known here; 0 before the first. */
  newest(): number {
    return Math.max(this.#reported ?? 0, ...this.#ahead);
  }

  /** Every generation up to this one has been reported. */
  reported(): number {
    return this.#reported ?? 0;
  }

  /** The rows of all later generations; 'everything' where they are not known any more, or never were. */
  async changedSince(generation: number): Promise<readonly RowChange[] | 'everything'> {
    const upTo = this.reported();
    if (generation > upTo) return 'everything';
    const missed = generation === upTo ? [] : await this.#read(generation, upTo);
    const isWhole = missed.length === upTo - generation && missed.every(({ rows }) => rows !== null);
    return isWhole ? missed.flatMap(({ rows }) => rows ?? []) : 'everything';
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Reports a committed change unless it has been reported. */
  apply({ generation, rows }: ContentChange): void {
    if (this.#isReported(generation)) return;
    this.#ahead.add(generation);
    this.#advance();
    this.#report(rows ?? 'everything');
  }

  /** Reports a change that another program made, without a generation. */
  applyElsewhere(rows: readonly RowChange[] | 'everything'): void {
    this.#report(rows);
  }

  /**
   * Call it before the generation is read, and its result with the generation: that reports every change up to it. A change
   * that is reported during the reading may be newer than what the reading finds.
   */
  begin(): (generation: number) => Promise<void> {
    const before = this.#reported;
    return (generation) => this.#follow(generation, before);
  }

  async #follow(generation: number, before: number | null): Promise<void> {
    if (this.#reported === null) {
      this.#reported = generation;
      this.#advance();
      return;
    }
    if (before !== null && generation < before) {
      // The database was restored to an earlier state, or is another one.
      this.#reported = generation;
      this.#ahead.clear();
      this.#report('everything');
      return;
    }
    if (generation <= this.#reported) return;
    const missed = await this.#read(this.#reported, generation);
    for (const { generation: number, rows } of missed) this.apply({ generation: number, rows });
    // Others may have been reported in the meantime; those without a row in the log are left.
    if (this.#reported < generation) {
      this.#reported = generation;
      this.#advance();
      this.#report('everything');
    }
  }

  /** The entries of the log for the generations; empty when there are too many. */
  async #read(after: number, upTo: number): Promise<ContentChange[]> {
    if (upTo - after > mostMissed) return [];
    const rows = await changes.on(this.#own).findAll({
      attributes: ['generation', 'payload'],
      where: { generation: { [Op.gt]: after, [Op.lte]: upTo } },
      order: ['generation'],
    });
    return rows.map(({ generation, payload }) => ({
      generation,
      rows: payload === null ? null : readChangedRows(payload),
    }));
  }

  #isReported(generation: number): boolean {
    return (this.#reported !== null && generation <= this.#reported) || this.#ahead.has(generation);
  }

  #advance(): void {
    if (this.#reported === null) return;
    for (const generation of this.#ahead) if (generation <= this.#reported) this.#ahead.delete(generation);
    while (this.#ahead.delete(this.#reported + 1)) this.#reported += 1;
  }

  #report(rows: readonly RowChange[] | 'everything'): void {
    for (const listener of this.#listeners) listener(rows);
  }
}
