/**
 * What follows when the clock of the database is set back: deliveries from before would wait for as long as it was set
 * back. None is sent before its time for that, and no lease is ended before its worker has had all of it.
 */
import type { Clock } from '../clock/clock.js';
import type { Database } from '../store/database.js';
import { bringBack, readImpossibleTimes } from '../store/rows/webhook-times.js';
import { leaseMs } from './claim.js';
import { type DecidingTime, worrySkewMs } from './deciding-time.js';
import type { Chore } from './worker-options.js';

/** Deliveries of one transaction. */
const together = 500;
/** Shorter than a lease: nothing stands still for longer than that. */
const everyMs = 10_000;

/**
 * Looks for such deliveries at the first run, because the clock may have been set back while no worker ran, and then
 * whenever it was since the last one. A run gives how many were brought back.
 */
export function setBackChore(parts: {
  readonly own: Database;
  readonly time: DecidingTime;
  readonly clock: Clock;
}): Chore {
  const { own, time, clock } = parts;
  /** How far the deciding time is ahead of the clock that never goes back. */
  let lead = Number.POSITIVE_INFINITY;
  const run = async (): Promise<number> => {
    const now = await time(own.primary);
    const leadNow = now - clock.elapsed();
    const all = leadNow < lead - worrySkewMs ? await bringAllBack(own, now) : 0;
    // Only after all went well; and a clock that is a little slow adds up over days.
    lead = leadNow;
    return all;
  };
  return { name: 'heeding a clock set back', everyMs, run };
}

async function bringAllBack(own: Database, now: number): Promise<number> {
  let all = 0;
  for (;;) {
    const ids = await readImpossibleTimes(own.primary, { now, leaseMs, limit: together });
    if (ids.length === 0) return all;
    const changed = await own.write((tx) => bringBack(tx, { ids, now, leaseMs }));
    all += changed;
    // Others work on the same deliveries: what was found and is no longer so needs nothing.
    if (changed === 0 || ids.length < together) return all;
  }
}
