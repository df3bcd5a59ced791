/**
 * Follows the changes of content by their generations: each is told once, whether this process made it, heard of it from
 * one beside it or found it in the log. Where the log has a gap, everything may have changed.
 */
import { Op } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import { changes } from '../models/changes.js';
import { type ContentChange, readChangedRows } from './content-change.js';
import type { RowChange } from './mutation.js';

/** Who missed more than this many changes starts anew. */
const mostMissed = 1000;

type ChangeListener = (rows: readonly RowChange[] | 'everything') => void;

export class ChangeFollower {
  readonly #own: Reader;
  readonly #listeners: ChangeListener[] = [];
  /** Every generation up to this one has been told; null before the first reading. */
  #told: number | null = null;
  /** Told already although one before them has not been. */
  readonly #ahead = new Set<number>();

  constructor(own: Reader) {
    this.#own = own;
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Tells a committed change unless it has been told. */
  apply({ generation, rows }: ContentChange): void {
    if (this.#isTold(generation)) return;
    this.#ahead.add(generation);
    this.#advance();
    this.#tell(rows ?? 'everything');
  }

  /** Tells a change that another program made, without a generation. */
  tellElsewhere(rows: readonly RowChange[] | 'everything'): void {
    this.#tell(rows);
  }

  /**
   * Call before the generation is read, and the result with what was read: tells every change up to it. A change that is
   * told while the reading is under way may be newer than what it finds.
   */
  begin(): (generation: number) => Promise<void> {
    const before = this.#told;
    return (generation) => this.#follow(generation, before);
  }

  async #follow(generation: number, before: number | null): Promise<void> {
    if (this.#told === null) {
      this.#told = generation;
      this.#advance();
      return;
    }
    if (before !== null && generation < before) {
      // The database was put back to an earlier state, or is another one.
      this.#told = generation;
      this.#ahead.clear();
      this.#tell('everything');
      return;
    }
    if (generation <= this.#told) return;
    const missed = await this.#read(this.#told, generation);
    for (const { generation: number, rows } of missed) this.apply({ generation: number, rows });
    // Others may have been told in the meantime, and some without a row in the log are left.
    if (this.#told < generation) {
      this.#told = generation;
      this.#advance();
      this.#tell('everything');
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

  #isTold(generation: number): boolean {
    return (this.#told !== null && generation <= this.#told) || this.#ahead.has(generation);
  }

  #advance(): void {
    if (this.#told === null) return;
    for (const generation of this.#ahead) if (generation <= this.#told) this.#ahead.delete(generation);
    while (this.#ahead.delete(this.#told + 1)) this.#told += 1;
  }

  #tell(rows: readonly RowChange[] | 'everything'): void {
    for (const listener of this.#listeners) listener(rows);
  }
}
