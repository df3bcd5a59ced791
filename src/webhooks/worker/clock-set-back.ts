/**
 * What follows when the clock of the database is set back: deliveries from before would wait for as long as it was set
 * back. None is sent before its time for that, and no lease is ended before its worker has had all of it.
 */
import type { Clock } from '../../clock/clock.js';
import type { Database } from '../../store/base/database.js';
import { bringBack, readImpossibleTimes } from '../rows/webhook-times.js';
import { type DecidingTime, readTime, worrySkewMs } from '../rules/deciding-time.js';
import { leaseMs } from './claim.js';
import type { Chore } from './worker-options.js';

/** Deliveries of one transaction. */
const together = 500;
/** Shorter than a lease: nothing stands still for longer than that. */
const everyMs = 10_000;

/**
 * Looks for such deliveries at the first run, because the clock may have been set back while no worker ran, and then
 * whenever it was since the last one.
 */
export function setBackChore(parts: {
  readonly own: Database;
  readonly time: DecidingTime;
  readonly clock: Clock;
}): Chore {
  const { own, time, clock } = parts;
  /** How far the deciding time is ahead of the clock that never goes back. */
  let lead = Number.POSITIVE_INFINITY;
  const run = async (): Promise<undefined> => {
    const now = await readTime(own.primary, time);
    const leadNow = now - clock.elapsed();
    if (leadNow < lead - worrySkewMs) await bringAllBack(own, now);
    // Only after all went well; and a clock that is a little slow adds up over days.
    lead = leadNow;
  };
  return { name: 'heeding a clock set back', everyMs, run };
}

async function bringAllBack(own: Database, now: number): Promise<void> {
  for (;;) {
    const ids = await readImpossibleTimes(own.primary, { now, leaseMs, limit: together });
    if (ids.length === 0) return;
    const changed = await own.write((tx) => bringBack(tx, { ids, now, leaseMs }));
    // Others work on the same deliveries: what was found and is no longer so needs nothing.
    if (changed === 0 || ids.length < together) return;
  }
}
