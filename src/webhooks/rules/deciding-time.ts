/** The time that decides when deliveries are due: the database's, so that workers on several machines agree. */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { DialectName, Reader } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/base/dialect.js';

/** An SQL expression in Unix milliseconds, which other statements can include. */
export type DecidingTime = (dialect: DialectName) => string;

/** Milliseconds from which the difference of the clocks is reported, and from which no worker starts. */
export const worrySkewMs = 2000;
const refusalSkewMs = 60_000;

export const databaseClock: DecidingTime = nowMilliseconds;

export async function readTime(reader: Reader, time: DecidingTime): Promise<number> {
  const rows = await reader.select({ sql: `SELECT ${time(reader.dialect)}`, params: [] });
  return Number(rows[0]?.[0]);
}

/** Throws refused: receivers would take signatures of this machine for too old or from the future. */
export function checkSkew(skewMs: number): void {
  if (Math.abs(skewMs) <= refusalSkewMs) return;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  throw new AppError('refused', {
    message: `The clock of this machine is ${seconds} seconds ${direction} that of the database: receivers would refuse the signatures. Set the clock, for example with NTP.`,
  });
}

interface SkewWatchDeps {
  readonly reader: Reader;
  readonly time: DecidingTime;
  readonly clock: Clock;
  readonly log: Log;
}

export class SkewWatch {
  readonly #deps: SkewWatchDeps;
  #toldMs = 0;

  constructor(deps: SkewWatchDeps) {
    this.#deps = deps;
  }

  async compare(): Promise<number> {
    const { reader, time, clock, log } = this.#deps;
    const before = clock.now();
    const decided = await readTime(reader, time);
    const skewMs = Math.round((before + clock.now()) / 2 - decided);
    if (Math.abs(skewMs) > worrySkewMs && Math.abs(skewMs - this.#toldMs) > worrySkewMs) {
      this.#toldMs = skewMs;
      log({ kind: 'clock_skewed', skewMs });
    }
    return skewMs;
  }
}
