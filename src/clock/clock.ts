/** Time for the rest of the program: only this file reads the clock or sets a timer, so that tests can replace it. */

export interface Timer {
  stop(): void;
}

export interface Repetition {
  readonly intervalMs: number;
  /** The next interval starts when it has ended. */
  readonly work: () => Promise<void>;
  /** The repetition continues after an error. */
  readonly onError: (error: unknown) => void;
}

export interface Clock {
  /** Milliseconds since 1970; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. */
  elapsed(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Does not keep the process alive. */
  after(ms: number, work: () => void): Timer;
  every(repetition: Repetition): Timer;
}

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

/** Longer waits would overflow the timer and fire at once. */
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

export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep,
  after,
  every: (repetition: Repetition) => repeatWith(after, repetition),
});

const parts = 10;

interface Waiting<T> {
  readonly work: Promise<T>;
  readonly limit: number;
  readonly tooLate: () => Error;
}

/** Waits in parts: each stall of this process costs only one, and an answer that has come is read before the next. */
export function within<T>(clock: Clock, { work, limit, tooLate }: Waiting<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = parts;
    const waitOn = (): Timer => {
      left -= 1;
      return clock.after(limit / parts, () => {
        if (left === 0) reject(tooLate());
        else timer = waitOn();
      });
    };
    let timer = waitOn();
    work.then(resolve, reject).finally(() => timer.stop());
  });
}
