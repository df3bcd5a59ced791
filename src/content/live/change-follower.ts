/**
 * Follows the changes of content by their generations: each is reported once, whether this process made it, another worker
 * sent it or the log has it. Where the log has a gap, everything may have changed.
 */
import { Op } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import { changes } from '../models/changes.js';
import { type ContentChange, readChangedRows } from './content-change.js';
import type { RowChange } from './mutation.js';

/** After more missed changes than these, everything counts as changed. */
const mostMissed = 1000;

type ChangeListener = (rows: readonly RowChange[] | 'everything') => void;

export class ChangeFollower {
  readonly #own: Reader;
  readonly #listeners: ChangeListener[] = [];
  /** Every generation up to this one has been reported; null before the first reading. */
  #reported: number | null = null;
  /** Reported already, although one before them has not been. */
  readonly #ahead = new Set<number>();

  constructor(own: Reader) {
    this.#own = own;
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

  /** What the log has of the generations; nothing when there are too many of them. */
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
