/** A worker: claims, sends, records, and runs chores. Any number may run, on any machines. */

import { setMaxListeners } from 'node:events';
import type { Clock } from '../../clock/clock.js';
import { randomBelow } from '../../crypto/primitives.js';
import type { Sealer } from '../../crypto/seal.js';
import type { Log } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import type { OutboundPolicy } from '../addresses/outbound-policy.js';
import type { OutboundRequest, SendOutcome } from '../client/outbound.js';
import { cancelOpen } from '../queue/outbox.js';
import { checkSkew, type DecidingTime, databaseClock, SkewWatch } from '../rules/deciding-time.js';
import { type Chore, type Chores, type ChoresDone, workerChores } from './chores.js';
import type { ClaimDeps } from './claim.js';
import { DeliveryLoop, WakeUp, type WorkerSettings } from './delivery-loop.js';
import { Breaker } from './places.js';
import { type Settlement, Settler, settlementFacts } from './settle.js';
import { StoreWatch } from './store-watch.js';

/** Clock, sending and time are arguments, so that tests replace them. */
export interface WorkerOptions {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  readonly send: (request: OutboundRequest) => Promise<SendOutcome>;
  readonly policy: () => OutboundPolicy;
  readonly settings: () => WorkerSettings;
  /** From 0 up to 1; spreads retries. */
  readonly random?: () => number;
  readonly name: string;
  readonly signals: {
    /** Claim nothing further, and finish what is under way. */
    readonly stop: AbortSignal;
    /** End immediately and return deliveries that are under way. */
    readonly end: AbortSignal;
  };
  readonly once: boolean;
  /** Deliveries of one pass; null = the setting. */
  readonly limit: number | null;
  /** Milliseconds between two looks for work when none is known. */
  readonly intervalMs: number;
  readonly chores?: readonly Chore[];
  readonly onPass?: () => void;
  /** Takes what ends a pause early, because there may be new deliveries or dates that have passed. */
  readonly onNews?: (wake: () => void) => void;
  readonly time?: DecidingTime;
}

/** Includes the results of chores only with `once`; otherwise the log reports them. */
export interface WorkerReport extends ChoresDone {
  readonly claimed: number;
  readonly delivered: number;
  readonly retried: number;
  readonly failed: number;
  /** Ended after another worker had taken them over. */
  readonly lost: number;
  /** Work of its own that failed; the log says why. */
  readonly errors: number;
}

/** A little more than one delivery may take. */
const drainMs = 20_000;
const outagePauseMs = 1000;

/** Runs until the stop signal. Throws refused when this machine's clock is far from the database's. */
export async function runWorker(options: WorkerOptions): Promise<WorkerReport> {
  return new Worker(options).run();
}

class Worker {
  readonly #options: WorkerOptions;
  readonly #claims: ClaimDeps;
  readonly #store: StoreWatch;
  readonly #skew: SkewWatch;
  readonly #chores: Chores;
  readonly #wakeUp: WakeUp;
  readonly #news: WakeUp;
  readonly #loop: DeliveryLoop;
  readonly #draining = new AbortController();
  /** After the second signal, or the end of the time for the first. */
  readonly #ending = new AbortController();
  readonly #background = new Set<Promise<unknown>>();
  #report = { delivered: 0, retried: 0, failed: 0, lost: 0, published: 0, withdrawn: 0, removed: 0 };

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { own, clock, log, settings, send, sealer, policy, intervalMs } = options;
    const time = options.time ?? databaseClock;
    const random = options.random ?? (() => randomBelow(2 ** 32) / 2 ** 32);
    const draining = this.#draining.signal;
    // Every delivery under way listens; Node would take more than ten for a leak.
    setMaxListeners(0, draining, this.#ending.signal);
    this.#claims = { own, time, claimedBy: options.name, random };
    this.#store = new StoreWatch(log);
    this.#skew = new SkewWatch({ reader: own.primary, time, clock, log });
    this.#wakeUp = new WakeUp(clock);
    this.#news = new WakeUp(clock);
    options.onNews?.(() => {
      this.#news.call();
      this.#chores.wake();
    });
    const settler = new Settler({
      ...{ own, clock, ending: this.#ending.signal },
      time,
      random,
      maxAttempts: () => settings().gateway_webhook_max_attempts,
      disableAfterDays: () => settings().gateway_webhook_disable_after_days,
      onSettled: (settlement) => this.#heed(settlement),
      onError: (error) => this.#store.failed('recording deliveries', error),
    });
    const keepsAnswers = (): boolean => settings().gateway_webhook_keep_answers;
    const deliver = { send, sealer, clock, policy, keepsAnswers, stop: this.#ending.signal };
    this.#loop = new DeliveryLoop({
      ...{ clock, log, settings, claims: this.#claims, deliver, settler, store: this.#store, wakeUp: this.#wakeUp },
      ...{ breaker: new Breaker(clock.elapsed), draining, intervalMs },
    });
    this.#chores = workerChores({
      ...{ own, time, clock, settings, compareClocks: () => this.#skew.compare(), others: options.chores ?? [] },
      onError: (during, error) => this.#store.tell(during, error),
    });
  }

  async run(): Promise<WorkerReport> {
    const { signals, clock, once } = this.#options;
    checkSkew(await this.#skew.compare());
    const stop = () => this.#drain();
    const end = () => this.#end();
    listen(signals.stop, stop);
    listen(signals.end, end);
    const deadline = new AbortController();
    const chores = once ? null : this.#chores.repeat(this.#draining.signal);
    try {
      const deliveries = once ? this.#loop.pass({ limit: this.#limit, toTheEnd: true }) : this.#repeat();
      // Whatever went wrong, what is under way is ended first.
      await deliveries.catch(stop);
      if (this.#isDraining) void clock.sleep(drainMs, deadline.signal).then(() => deadline.signal.aborted || end());
      await this.#finish();
      await chores;
      await deliveries;
      if (once && !this.#isDraining) this.#options.onPass?.();
      return Object.freeze({ claimed: this.#loop.claimed, ...this.#report, errors: this.#store.faults });
    } finally {
      deadline.abort();
      signals.stop.removeEventListener('abort', stop);
      signals.end.removeEventListener('abort', end);
    }
  }

  get #isDraining(): boolean {
    return this.#draining.signal.aborted;
  }

  get #limit(): number {
    return this.#options.limit ?? this.#options.settings().gateway_webhook_worker_limit;
  }

  #drain(): void {
    this.#draining.abort();
    this.#wakeUp.call();
    this.#news.call();
  }

  #end(): void {
    this.#drain();
    this.#ending.abort();
  }

  async #repeat(): Promise<void> {
    const { clock, intervalMs } = this.#options;
    const draining = this.#draining.signal;
    while (!this.#isDraining) {
      try {
        const nextInMs = await this.#loop.pass({ limit: this.#limit, toTheEnd: false });
        this.#options.onPass?.();
        if (nextInMs !== 0) await this.#news.wait(Math.min(intervalMs, nextInMs ?? intervalMs));
      } catch (error) {
        // One failed pass does not end the worker: the database may come back.
        this.#store.failed('a pass of the worker', error);
        await clock.sleep(outagePauseMs, draining);
      }
    }
  }

  #heed(settlement: Settlement): void {
    const { log, own } = this.#options;
    for (const { as } of settlement.settled) {
      if (as !== 'give_back') this.#report[as === 'retry' ? 'retried' : as] += 1;
    }
    for (const fact of settlementFacts(settlement)) log(fact);
    for (const notice of settlement.notices) {
      if (notice.kind !== 'webhook_disabled') continue;
      const { subscriptionId } = notice;
      const reason = `The subscription was disabled: ${notice.reason}`;
      this.#inBackground(cancelOpen(own, { subscriptionId, reason }), 'cancelling deliveries');
    }
  }

  #inBackground(work: Promise<unknown>, during: string): void {
    const guarded: Promise<unknown> = work
      .catch((error: unknown) => this.#store.tell(during, error))
      .finally(() => {
        this.#background.delete(guarded);
        this.#wakeUp.call();
      });
    this.#background.add(guarded);
  }

  async #finish(): Promise<void> {
    // What is recorded last may have something cancelled or given back.
    while (this.#loop.underWay > 0 || this.#background.size > 0) await this.#wakeUp.wait(drainMs);
    if (!this.#options.once || this.#isDraining) return;
    this.#report = { ...this.#report, ...(await this.#chores.runAll(this.#draining.signal)) };
  }
}

function listen(signal: AbortSignal, work: () => void): void {
  if (signal.aborted) work();
  else signal.addEventListener('abort', work, { once: true });
}
