/** Shows whether anything was committed on a MariaDB server, by the position of InnoDB's log. */
import type { Clock } from '../../clock/clock.js';
import type { RawRow, Statement } from '../base/database.js';

/** A commit moves the position a moment before its rows show, so a position counts after this many milliseconds. */
const settledMs = 10;
/** After this many moved positions, looking does not pay for a while. */
const mostMoved = 8;
const pauseMs = 250;
/** Milliseconds: an answer without the mark must also be in time. */
const longestMs = 250;
const exceptionsMs = 1000;

const position: Statement = { sql: "SHOW STATUS LIKE 'Innodb_lsn_current'", params: [] };
/** Commits to tables of other engines move no position, and each node of a cluster has its own. */
const exceptions: Statement = {
  sql: `SELECT (SELECT COUNT(*) FROM information_schema.TABLES
WHERE TABLE_SCHEMA = DATABASE() AND ENGINE <> 'InnoDB')
+ (SELECT COUNT(*) FROM information_schema.GLOBAL_VARIABLES WHERE VARIABLE_NAME = 'WSREP_ON' AND VARIABLE_VALUE = 'ON')`,
  params: [],
};

export class CommitMark {
  readonly #select: (statement: Statement) => Promise<readonly RawRow[]>;
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>;
  #checked: { readonly position: number; readonly at: number } | null = {
    position: Number.NaN,
    at: Number.NEGATIVE_INFINITY,
  };
  #next: Promise<number> | null = null;
  #running: Promise<number> = Promise.resolve(Number.NaN);
  #position = Number.NaN;
  #since = 0;
  #moved = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #isSilent = false;
  #latest = 0;

  constructor(select: (statement: Statement) => Promise<readonly RawRow[]>, clock: Pick<Clock, 'elapsed' | 'after'>) {
    this.#select = select;
    this.#clock = clock;
  }

  get latest(): number {
    return this.#latest;
  }

  /** NaN if there is no mark in time. One look runs at a time, and callers meanwhile share the next one. */
  read(): Promise<number> {
    if (this.#checked === null || this.#isSilent || this.#clock.elapsed() < this.#pausedUntil)
      return Promise.resolve(Number.NaN);
    this.#next ??= this.#inTime(
      this.#running.then(() => {
        this.#next = null;
        this.#running = this.#look().catch(() => Number.NaN);
        return this.#running;
      }),
    );
    return this.#next;
  }

  #inTime(look: Promise<number>): Promise<number> {
    return new Promise((resolve) => {
      const timer = this.#clock.after(longestMs, () => {
        this.#isSilent = true;
        resolve(Number.NaN);
      });
      void look.then((found) => {
        timer.stop();
        this.#isSilent = false;
        resolve(found);
      });
    });
  }

  async #look(): Promise<number> {
    const found = await this.#find();
    if (Number.isNaN(found)) {
      // MySQL has no such variable.
      this.#checked = null;
      return found;
    }
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
    if (!(await this.#isTelling(found))) return Number.NaN;
    this.#latest = found;
    return found;
  }

  async #isTelling(found: number): Promise<boolean> {
    if (this.#checked === null) return false;
    const at = this.#clock.elapsed();
    if (found === this.#checked.position || at - this.#checked.at < exceptionsMs) return true;
    const [row] = await this.#select(exceptions);
    this.#checked = Number(row?.[0]) === 0 ? { position: found, at } : null;
    return this.#checked !== null;
  }

  async #find(): Promise<number> {
    const [row] = await this.#select(position);
    return row === undefined ? Number.NaN : Number(row[1]);
  }
}
