/** The write-ahead log of a SQLite file: brings it to the disk, and its pages into the file, off the event loop. */
import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
import type { Clock } from '../../clock/clock.js';
import type { WaitingLine } from '../../clock/waiting-line.js';
import type { SqliteConnection } from './connection.js';

/** The log holds every commit that is not in the file yet. SQLite has no locks on it, so it can be closed again. */
export async function syncLog(path: string): Promise<void> {
  const log = openLog(path);
  if (log === null) return;
  try {
    await new Promise<void>((resolve, reject) => fdatasync(log, (error) => (error ? reject(error) : resolve())));
  } finally {
    closeSync(log);
  }
}

/** Null when the last connection removed the log, after a sync of the file. */
function openLog(path: string): number | null {
  try {
    // Takes microseconds, and less than a thread would.
    return openSync(`${path}-wal`, 'r+');
  } catch (error) {
    if (existsSync(`${path}-wal`)) throw error;
    return null;
  }
}

/** Pages, as many as SQLite itself would wait for. */
const batchSize = 1000;
/** Without a thread the filling commit copies; after a long read, requests would wait for all of it. */
const mostPages = 8000;
export const copyWhenFull = `PRAGMA wal_autocheckpoint = ${mostPages}`;
const pauseMs = 1000;
/** As a caller of its own, it waits for one write only. */
const logMover = { group: '', caller: 'log' };

interface LogMoverParts {
  readonly reader: SqliteConnection;
  readonly turns: WaitingLine;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** On a thread; others may read and write meanwhile. */
  readonly copy: () => Promise<unknown>;
}

/** SQLite would copy in the commit that fills the log, and every request would wait for the disk. */
export class LogMover {
  readonly #parts: LogMoverParts;
  #isMoving = false;
  #left = 0;
  #triedAt = Number.NEGATIVE_INFINITY;
  #hasThread = true;
  #isFarBehind = false;

  constructor(parts: LogMoverParts) {
    this.#parts = parts;
  }

  /** True: commits leave the copying to the thread. */
  get isFarBehind(): boolean {
    return this.#isFarBehind && this.#hasThread;
  }

  look(): void {
    const left = this.#pages();
    this.#left = Math.min(this.#left, left);
    this.#isFarBehind = left > mostPages;
    const mayGoOn = this.#isFarBehind && this.#parts.clock.elapsed() - this.#triedAt >= pauseMs;
    if (left >= this.#left + batchSize || mayGoOn) this.#begin(left);
  }

  /** Copied pages give their space to later writes; without a commit nothing else would copy. Never throws. */
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

  #pages(): number {
    try {
      const [[, pages, copied] = []] = this.#parts.reader.rows('PRAGMA wal_checkpoint(NOOP)', []);
      return Number(pages) - Number(copied);
    } catch {
      return 0;
    }
  }

  async #move(): Promise<void> {
    const { turns, copy } = this.#parts;
    await copy();
    // SQLite restarts the log only when all of it is copied, so the rest is copied while writers wait.
    const endTurn = await turns.take({ asker: logMover });
    try {
      await copy();
    } finally {
      endTurn();
    }
  }
}
