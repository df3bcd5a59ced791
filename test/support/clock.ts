/** A clock that stands still until a test moves it; timers fire in order of their time. */
import { type Clock, type Repetition, repeatWith, type Timer } from '../../src/clock/clock.js';

interface Pending {
  readonly at: number;
  readonly work: () => void;
}

export interface FakeClock extends Clock {
  /** Moves time on and fires what falls due on the way; promises settle between two timers. */
  advance(ms: number): Promise<void>;
  /** Number of timers that wait. */
  readonly pending: number;
}

/** Lets every promise that can settle do so, without any time passing. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Starts at a fixed time unless told otherwise: 2026-11-21T09:30:00Z. */
export function fakeClock(startMs: number = Date.UTC(2026, 10, 21, 9, 30)): FakeClock {
  let time = startMs;
  const timers = new Set<Pending>();

  function after(ms: number, work: () => void): Timer {
    const entry: Pending = { at: time + ms, work };
    timers.add(entry);
    return { stop: () => void timers.delete(entry) };
  }

  function nextBefore(end: number): Pending | undefined {
    const due = [...timers].filter((entry) => entry.at <= end);
    return due.sort((left, right) => left.at - right.at)[0];
  }

  return {
    now: () => time,
    elapsed: () => time - startMs,
    after,
    every: (repetition: Repetition) => repeatWith(after, repetition),
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = (): void => {
          timer.stop();
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const timer = after(ms, done);
        signal?.addEventListener('abort', done, { once: true });
      });
    },
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (let entry = nextBefore(end); entry; entry = nextBefore(end)) {
        time = entry.at;
        timers.delete(entry);
        entry.work();
        await settle();
      }
      time = end;
    },
    get pending() {
      return timers.size;
    },
  };
}
