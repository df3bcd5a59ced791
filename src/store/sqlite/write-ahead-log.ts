/** The write-ahead log of a SQLite file: brings it to the disk, and its pages into the file, off the event loop. */
import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
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
/** SQLite copies a log of so many pages in the commit that fills it, in case no thread has. */
export const mostPages = 8000;

interface LogMoverParts {
  readonly reader: SqliteConnection;
  readonly turns: WriteTurns;
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

  constructor(parts: LogMoverParts) {
    this.#parts = parts;
  }

  /** Looks after a commit whether the log is full. Never throws. */
  look(): void {
    const left = this.#pages();
    this.#left = Math.min(this.#left, left);
    if (this.#isMoving || left < this.#left + together) return;
    this.#left = left;
    this.#isMoving = true;
    const end = () => {
      this.#isMoving = false;
    };
    // After a failure it tries again when there is as much more; in the end SQLite copies the log.
    this.#move().then(end, end);
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
