/** Repeats work on a SQLite connection while another process holds the lock, leaving the event loop free in between. */
import { systemClock } from '../../clock/clock.js';
import { jitter } from '../base/transaction.js';
import { SqliteFailure } from './driver.js';

/** Pauses grow to the last of these; another process's transaction takes a few milliseconds. */
const pauses = [1, 2, 5, 10, 20];

/**
 * The result of `work`, which is called again after a pause as long as it fails with SQLITE_BUSY, for at most
 * `milliseconds`; a promise only then. A transaction whose snapshot is too old (SQLITE_BUSY_SNAPSHOT) cannot succeed and
 * is not repeated.
 */
export function whileBusy<T>(work: () => T, milliseconds: number): T | Promise<T> {
  try {
    return work();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return repeat({ work, milliseconds, error });
  }
}

/** The same of work that goes on elsewhere, so that all who wait for the lock ask for it equally often. */
export async function whileBusyElsewhere<T>(work: () => Promise<T>, milliseconds: number): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return repeat({ work, milliseconds, error });
  }
}

interface Repetition<T> {
  readonly work: () => T | Promise<T>;
  readonly milliseconds: number;
  /** Of the attempt before. */
  readonly error: unknown;
}

async function repeat<T>({ work, milliseconds, error }: Repetition<T>): Promise<T> {
  const end = systemClock.elapsed() + milliseconds;
  let last = error;
  for (let attempt = 0; isBusy(last) && systemClock.elapsed() < end; attempt += 1) {
    const longest = pauses[Math.min(attempt, pauses.length - 1)] ?? 1;
    await systemClock.sleep(jitter({ from: 1, to: longest }));
    try {
      return await work();
    } catch (again) {
      last = again;
    }
  }
  throw last;
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof SqliteFailure && error.code !== 'SQLITE_BUSY_SNAPSHOT' && /^SQLITE_(BUSY|LOCKED)/.test(error.code)
  );
}
