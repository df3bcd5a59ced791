/** Time for the rest of the program: the only file that reads the clock or sets a timer, so that tests can replace it. */

export interface Timer {
  stop(): void;
}

export interface Repetition {
  readonly intervalMs: number;
  /** Never overlaps itself: the next interval starts when it has ended. */
  readonly work: () => Promise<void>;
  /** Called with an error of `work`; the repetition continues. */
  readonly onError: (error: unknown) => void;
}

export interface Clock {
  /** Milliseconds since 1970; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations. */
  elapsed(): number;
  /** Resolves after the time, at once when the signal aborts: check the signal to distinguish the two. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs once after the time. Does not keep the process alive. */
  after(ms: number, work: () => void): Timer;
  /** Runs after every interval until stopped. Does not keep the process alive. */
  every(repetition: Repetition): Timer;
}

/** A point in time as whole Unix seconds. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

/** Longer waits would overflow the timer and fire at once; nothing here waits for 24 days. */
const longestMs = 2 ** 31 - 1;

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(handle);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const handle = setTimeout(done, Math.min(ms, longestMs));
    signal?.addEventListener('abort', done, { once: true });
  });
}

function after(ms: number, work: () => void): Timer {
  const handle = setTimeout(work, Math.min(ms, longestMs)).unref();
  return { stop: () => clearTimeout(handle) };
}

/** Builds a repetition from a one-shot timer, so that real and fake clocks repeat alike. */
export function repeatWith(once: Clock['after'], { intervalMs, work, onError }: Repetition): Timer {
  let stopped = false;
  let timer: Timer | null = null;
  const schedule = (): void => {
    if (!stopped) timer = once(intervalMs, turn);
  };
  const turn = (): void => {
    // Must not throw: a rejection here would have no listener.
    void Promise.resolve().then(work).catch(onError).then(schedule);
  };
  schedule();
  return {
    stop() {
      stopped = true;
      timer?.stop();
    },
  };
}

/** The machine's clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep,
  after,
  every: (repetition: Repetition) => repeatWith(after, repetition),
});
