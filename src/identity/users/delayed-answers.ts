/** Delays answers to log-ins. Few may wait, because each holds its connection and a flood must not fill the process. */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';

/** In one process, and to one user. */
const most = 200;
const mostOfOne = 40;

export interface Delay {
  /** Resolves after the delay, or at once when the signal aborts or the server ends; the place is free then. */
  wait(signal: AbortSignal): Promise<void>;
  cancel(): void;
}

export class DelayedAnswers {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #limits: { readonly most: number; readonly mostOfOne: number };
  readonly #bySubject = new Map<string, number>();
  readonly #end = new AbortController();
  #all = 0;

  constructor(clock: Pick<Clock, 'sleep'>, limits: { readonly most?: number; readonly mostOfOne?: number } = {}) {
    this.#clock = clock;
    this.#limits = { most, mostOfOne, ...limits };
  }

  get size(): number {
    return this.#all;
  }

  /** Throws rate_limited when too many answers wait. */
  take({ subject, seconds }: { readonly subject: string; readonly seconds: number }): Delay {
    const waiting = this.#bySubject.get(subject) ?? 0;
    if (this.#all >= this.#limits.most || waiting >= this.#limits.mostOfOne) {
      const message = 'Too many failed attempts; wait for the seconds in Retry-After';
      throw new AppError('rate_limited', { message, details: { retryAfter: seconds } });
    }
    this.#all += 1;
    this.#bySubject.set(subject, waiting + 1);
    let isHeld = true;
    const cancel = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#free(subject);
    };
    return {
      cancel,
      wait: async (signal) => {
        await this.#clock.sleep(seconds * 1000, AbortSignal.any([signal, this.#end.signal]));
        cancel();
      },
    };
  }

  close(): void {
    this.#end.abort();
  }

  #free(subject: string): void {
    this.#all -= 1;
    const left = (this.#bySubject.get(subject) ?? 1) - 1;
    if (left === 0) this.#bySubject.delete(subject);
    else this.#bySubject.set(subject, left);
  }
}
