/** Clocks of tests: one that stands still until a test moves it, and the machine's, which a test sets forward. */
import { type Clock, type Repetition, repeatWith, systemClock, type Timer } from '../../src/clock/clock.js';

interface Pending {
  readonly at: number;
  readonly work: () => void;
}

export interface FakeClock extends Clock {
  /** Moves time on and fires what falls due on the way; promises settle between two timers. */
  advance(ms: number): Promise<void>;
  /** As on a machine that slept: what has fallen due meanwhile fires once at the next `advance`. */
  forward(ms: number): void;
  /** Number of timers that wait. */
  readonly pending: number;
}

/** Lets every promise that can settle do so, without any time passing. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

export interface MovableClock extends Clock {
  forward(ms: number): void;
  /** From now on only `forward` moves its time, until the end of `work`. */
  holding<T>(work: () => Promise<T>): Promise<T>;
}

/** The machine's clock, set forward by the test. Its timers are those of the machine. */
export function movableClock(): MovableClock {
  let offset = 0;
  let held: { readonly now: number; readonly elapsed: number } | null = null;
  return {
    ...systemClock,
    now: () => (held?.now ?? systemClock.now()) + offset,
    elapsed: () => (held?.elapsed ?? systemClock.elapsed()) + offset,
    forward(ms) {
      offset += ms;
    },
    async holding(work) {
      held = { now: systemClock.now(), elapsed: systemClock.elapsed() };
      try {
        return await work();
      } finally {
        held = null;
      }
    },
  };
}

/**
 * How many milliseconds from now on a question was still asked that was answered with 200. The time of the asking counts,
 * not that of the answer, which a busy machine may keep for as long as it likes.
 */
export async function lastGood(ask: () => Promise<{ readonly status: number }>): Promise<number> {
  const start = systemClock.elapsed();
  for (let last = start; ; ) {
    const asked = systemClock.elapsed();
    if ((await ask()).status !== 200) return last - start;
    last = asked;
  }
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
        time = Math.max(time, entry.at);
        timers.delete(entry);
        entry.work();
        await settle();
      }
      time = end;
    },
    forward(ms) {
      time += ms;
    },
    get pending() {
      return timers.size;
    },
  };
}
