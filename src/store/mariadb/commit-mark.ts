/**
 * Tells whether anything was committed on a server of MariaDB since an earlier look: by the position of InnoDB's log, which
 * each commit of any program moves.
 */
import type { Clock } from '../../clock/clock.js';
import type { RawRow, Statement } from '../base/database.js';

/**
 * A commit moves the position a moment before its rows show. Rows that are read in that moment, after the position, are
 * those from before the commit, so a position counts only when it has stood for so many milliseconds.
 */
const settledMs = 10;
/** Looks in a row that find another position, after which looking does not pay for a while. */
const mostMoved = 8;
/** How long it does not look then, in milliseconds. */
const pauseMs = 250;

const position: Statement = { sql: "SHOW STATUS LIKE 'Innodb_lsn_current'", params: [] };
/** Commits to tables of other engines move no position; and the nodes of a cluster have one each. */
const exceptions: Statement = {
  sql: `SELECT (SELECT COUNT(*) FROM information_schema.TABLES
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' AND ENGINE <> 'InnoDB')
+ (SELECT COUNT(*) FROM information_schema.GLOBAL_VARIABLES WHERE VARIABLE_NAME = 'WSREP_ON' AND VARIABLE_VALUE = 'ON')`,
  params: [],
};

export class CommitMark {
  readonly #select: (statement: Statement) => Promise<readonly RawRow[]>;
  readonly #clock: Pick<Clock, 'elapsed'>;
  #isTelling: boolean | null = null;
  /** The look that has not begun. */
  #next: Promise<number> | null = null;
  #running: Promise<number> = Promise.resolve(Number.NaN);
  #position = Number.NaN;
  #since = 0;
  #moved = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(select: (statement: Statement) => Promise<readonly RawRow[]>, clock: Pick<Clock, 'elapsed'>) {
    this.#select = select;
    this.#clock = clock;
  }

  /**
   * The mark of a moment after the call; NaN where it cannot be told. One look is under way at a time, and all who call
   * meanwhile share the next one.
   */
  read(): Promise<number> {
    if (this.#isTelling === false || this.#clock.elapsed() < this.#pausedUntil) return Promise.resolve(Number.NaN);
    this.#next ??= this.#running.then(() => {
      this.#next = null;
      this.#running = this.#look().catch(() => Number.NaN);
      return this.#running;
    });
    return this.#next;
  }

  async #look(): Promise<number> {
    this.#isTelling ??= await this.#findOut();
    if (!this.#isTelling) return Number.NaN;
    const found = await this.#find();
    if (Number.isNaN(found)) return found;
    const now = this.#clock.elapsed();
    if (found !== this.#position) {
      this.#position = found;
      this.#since = now;
      this.#moved += 1;
      if (this.#moved >= mostMoved) {
        this.#moved = 0;
        this.#pausedUntil = now + pauseMs;
      }
    }
    if (now - this.#since < settledMs) return Number.NaN;
    this.#moved = 0;
    return found;
  }

  async #findOut(): Promise<boolean> {
    const [row] = await this.#select(exceptions);
    return Number(row?.[0]) === 0 && !Number.isNaN(await this.#find());
  }

  async #find(): Promise<number> {
    const [row] = await this.#select(position);
    return row === undefined ? Number.NaN : Number(row[1]);
  }
}
