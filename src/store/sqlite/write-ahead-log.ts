/** The write-ahead log of a SQLite file: brings it to the disk, and its pages into the file, off the event loop. */
import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
import type { Clock } from '../../clock/clock.js';
import type { WriteTurns } from '../base/transaction.js';
import type { SqliteConnection } from './connection.js';

/**
 * Syncs the log, which holds every commit that is not in the file yet. SQLite has no locks on it, so it can be closed
 * again.
 */
export async function syncLog(path: string): Promise<void> {
  const log = openLog(path);
  if (log === null) return;
  try {
    await new Promise<void>((resolve, reject) => fdatasync(log, (error) => (error ? reject(error) : resolve())));
  } finally {
    closeSync(log);
  }
}

/** Null when the last connection has removed the log, after everything in it was synced into the file. */
function openLog(path: string): number | null {
  try {
    // Takes microseconds, and less than a thread would.
    return openSync(`${path}-wal`, 'r+');
  } catch (error) {
    if (existsSync(`${path}-wal`)) throw error;
    return null;
  }
}

/** Pages of the log that are copied together, as many as SQLite itself would wait for. */
const together = 1000;
/**
 * SQLite copies a log of so many pages in the commit that fills it, in case no thread has. Not when more is left, as after
 * a long read that held up the copying: then every request would wait for all of it.
 */
const mostPages = 8000;
/** Tells a connection to do so. */
export const copyWhenFull = `PRAGMA wal_autocheckpoint = ${mostPages}`;
/** Milliseconds after which it tries again to copy what was held up. */
const pauseMs = 1000;

interface LogMoverParts {
  readonly reader: SqliteConnection;
  readonly turns: WriteTurns;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Copies on a thread what can be copied; others may read and write meanwhile. */
  readonly copy: () => Promise<unknown>;
}

/**
 * Copies a full log into the file. SQLite would do it in the commit that fills the log, and every request would wait for the
 * disk meanwhile.
 */
export class LogMover {
  readonly #parts: LogMoverParts;
  #isMoving = false;
  /** Pages that were left when it last tried, or fewer. */
  #left = 0;
  #triedAt = Number.NEGATIVE_INFINITY;
  #hasThread = true;
  #isFarBehind = false;

  constructor(parts: LogMoverParts) {
    this.#parts = parts;
  }

  /** Whether a commit must leave the copying to the thread. */
  get isFarBehind(): boolean {
    return this.#isFarBehind && this.#hasThread;
  }

  /** Looks after a commit whether the log is full. Never throws. */
  look(): void {
    const left = this.#pages();
    this.#left = Math.min(this.#left, left);
    this.#isFarBehind = left > mostPages;
    const mayGoOn = this.#isFarBehind && this.#parts.clock.elapsed() - this.#triedAt >= pauseMs;
    if (left >= this.#left + together || mayGoOn) this.#begin(left);
  }

  /**
   * Looks after a write for which there was no space on the disk. What is copied gives its space in the log to later ones:
   * without a commit nothing else would begin it. Never throws.
   */
  lookForSpace(): void {
    const left = this.#pages();
    if (left > 0) this.#begin(left);
  }

  #begin(left: number): void {
    if (this.#isMoving) return;
    this.#left = left;
    this.#triedAt = this.#parts.clock.elapsed();
    this.#isMoving = true;
    const end = (hasThread: boolean) => {
      this.#isMoving = false;
      this.#hasThread = hasThread;
      this.#left = Math.min(this.#left, this.#pages());
    };
    // After a failure it tries again when there is as much more; in the end SQLite copies the log.
    this.#move().then(
      () => end(true),
      () => end(false),
    );
  }

  /** Pages that are not in the file yet. */
  #pages(): number {
    try {
      const [[, pages, copied] = []] = this.#parts.reader.rows('PRAGMA wal_checkpoint(NOOP)', []);
      return Number(pages) - Number(copied);
    } catch {
      // Nothing depends on it.
      return 0;
    }
  }

  async #move(): Promise<void> {
    const { turns, copy } = this.#parts;
    await copy();
    // What others added meanwhile, without them: SQLite begins the log again only when all of it is copied.
    const endTurn = await turns.take({ isNext: true });
    try {
      await copy();
    } finally {
      endTurn();
    }
  }
}
