/**
 * The loop of a worker: claims what is due, delivers it with bounded concurrency, records each end, waits; beside it runs
 * chores such as the removal of old rows. Any number of workers on any number of machines may run at once.
 */

import { setMaxListeners } from 'node:events';
import { randomBelow } from '../crypto/random.js';
import { AppError } from '../errors/app-error.js';
import type { Claimed, ClaimedDelivery } from '../store/rows/webhook-claims.js';
import { Breaker } from './breaker.js';
import { cancelOpen, cancelStray } from './cancel-open.js';
import { Chores } from './chores.js';
import { type ClaimDeps, claim, lookAhead, type Outlook } from './claim.js';
import { setBackChore } from './clock-set-back.js';
import { checkSkew, databaseTime, measureSkew, worrySkewMs } from './deciding-time.js';
import { type DeliverDeps, deliver } from './deliver.js';
import { shareOut } from './fair-share.js';
import { InFlight } from './in-flight.js';
import { removeFinished } from './retention.js';
import { isReceiversFault } from './retry.js';
import type { Settled, Settlement } from './settle.js';
import { settlementFacts } from './settlement-facts.js';
import { Settler } from './settler.js';
import type { WorkerOptions, WorkerReport } from './worker-options.js';

export type { Chore, WorkerOptions, WorkerReport, WorkerSettings } from './worker-options.js';

/** At once to one receiver, by one worker. */
const perReceiver = 4;
/** Milliseconds for deliveries under way after the first signal: a little more than one may take. */
const drainMs = 20_000;
/** Milliseconds until the next try when the database does not answer. */
const outagePauseMs = 1000;
/** Longest pause after another worker took what was wanted. */
const crowdedPauseMs = 30;
const hourMs = 3_600_000;
const minuteMs = 60_000;

/**
 * Runs until it is told to stop; with `once` until nothing is due. Throws refused when the clock of this machine is far
 * from that of the database.
 */
export async function runWorker(options: WorkerOptions): Promise<WorkerReport> {
  return new Worker(options).run();
}

class Worker {
  readonly #options: WorkerOptions;
  readonly #claims: ClaimDeps;
  readonly #breaker: Breaker;
  readonly #settler: Settler;
  readonly #chores: Chores;
  /** First signal: nothing new. */
  readonly #draining = new AbortController();
  /** Second signal, or the end of the time for the first: sending stops. */
  readonly #ending = new AbortController();
  readonly #deliver: DeliverDeps;
  readonly #inFlight: InFlight;
  readonly #turns = new Map<number, number>();
  readonly #background = new Set<Promise<unknown>>();
  #turn = 0;
  #isCrowded = false;
  #toldSkewMs = 0;
  #isStoreLost = false;
  #report = { claimed: 0, delivered: 0, retried: 0, failed: 0, lost: 0 };

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { own, clock, settings, send, sealer, policy } = options;
    const time = options.time ?? databaseTime;
    const random = options.random ?? (() => randomBelow(2 ** 32) / 2 ** 32);
    // Every delivery under way listens; Node would take more than ten for a leak.
    setMaxListeners(0, this.#draining.signal, this.#ending.signal);
    this.#claims = { own, time, claimedBy: options.name, random };
    this.#breaker = new Breaker(clock.elapsed);
    this.#inFlight = new InFlight(clock);
    this.#deliver = { send, sealer, clock, policy, stop: this.#ending.signal };
    this.#settler = new Settler({
      own,
      time,
      random,
      maxAttempts: () => settings().gateway_webhook_max_attempts,
      disableAfterDays: () => settings().gateway_webhook_disable_after_days,
      onSettled: (settlement) => this.#heed(settlement),
      onError: (error) => this.#storeFailed('recording deliveries', error),
    });
    const days = () => settings().gateway_webhook_retention_days;
    this.#chores = new Chores({
      clock,
      onError: (during, error) => this.#storeFailed(during, error),
      chores: [
        { name: 'comparing clocks', everyMs: minuteMs, run: () => this.#compareClocks() },
        setBackChore({ own, time, clock }),
        { name: 'cancelling stray deliveries', everyMs: 10 * minuteMs, run: async () => void (await cancelStray(own)) },
        {
          name: 'removing old deliveries',
          everyMs: hourMs,
          run: async (stop) => void (await removeFinished({ own, time, days: days(), stop })),
        },
        ...(options.chores ?? []),
      ],
    });
  }

  async run(): Promise<WorkerReport> {
    const { signals, clock, once } = this.#options;
    checkSkew(await this.#compareClocks());
    const stop = () => this.#drain();
    const end = () => this.#end();
    listen(signals.stop, stop);
    listen(signals.end, end);
    const deadline = new AbortController();
    const chores = once ? null : this.#chores.repeat(this.#draining.signal);
    try {
      const deliveries = once ? this.#drainDue(this.#limit()) : this.#loop();
      // Whatever went wrong, what is under way is ended first.
      await deliveries.catch(stop);
      if (this.#isDraining) void clock.sleep(drainMs, deadline.signal).then(() => deadline.signal.aborted || end());
      await this.#finish();
      await chores;
      await deliveries;
      return Object.freeze({ ...this.#report });
    } finally {
      deadline.abort();
      signals.stop.removeEventListener('abort', stop);
      signals.end.removeEventListener('abort', end);
    }
  }

  async #loop(): Promise<void> {
    while (!this.#isDraining) await this.#guarded(() => this.#pass());
  }

  get #isDraining(): boolean {
    return this.#draining.signal.aborted;
  }

  #drain(): void {
    this.#draining.abort();
    this.#inFlight.wake();
  }

  #end(): void {
    this.#drain();
    this.#ending.abort();
  }

  #limit(): number {
    return this.#options.limit ?? this.#options.settings().gateway_webhook_worker_limit;
  }

  /** One pass of the running worker: deliveries up to the limit, then a wait. */
  async #pass(): Promise<void> {
    const { clock, intervalMs } = this.#options;
    const nextInMs = await this.#drainDue(this.#limit());
    this.#storeAnswers();
    if (this.#isDraining || nextInMs === 0) return;
    await clock.sleep(Math.min(intervalMs, nextInMs ?? intervalMs), this.#draining.signal);
  }

  /**
   * Delivers what is due, so many deliveries at most, and waits for those under way. Gives the milliseconds until the next
   * one is due: 0 when some were left, null when there is none.
   */
  async #drainDue(limit: number): Promise<number | null> {
    let left = limit;
    let outlook: Outlook = { due: [], nextInMs: null };
    while (!this.#isDraining && left > 0) {
      const free = Math.min(left, this.#options.settings().gateway_webhook_concurrency - this.#inFlight.count);
      if (free > 0) {
        outlook = await lookAhead(this.#claims);
        const { won, missed } = await this.#claim(outlook, free);
        left -= won.length;
        if (won.length > 0 && won.length < free) continue;
        // Others were faster, so there may be more behind what they took.
        if (won.length === 0 && missed > 0) {
          await this.#options.clock.sleep(this.#claims.random() * crowdedPauseMs, this.#draining.signal);
          continue;
        }
      }
      if (this.#inFlight.count === 0) return outlook.nextInMs;
      await this.#oneEnds(outlook.nextInMs);
    }
    while (this.#inFlight.count > 0 && !this.#isDraining) await this.#oneEnds(null);
    return left > 0 ? outlook.nextInMs : 0;
  }

  async #claim({ due }: Outlook, free: number): Promise<Claimed> {
    const shares = shareOut({
      due,
      free,
      room: (id) => this.#breaker.allows(id, perReceiver) - this.#inFlight.of(id),
      lastTurn: (id) => this.#turns.get(id) ?? 0,
    });
    const claimedAt = this.#options.clock.elapsed();
    const claimed = await claim(this.#claims, { shares, isCrowded: this.#isCrowded });
    this.#isCrowded = claimed.missed > 0;
    this.#turn += 1;
    for (const { subscriptionId } of shares) this.#turns.set(subscriptionId, this.#turn);
    this.#report.claimed += claimed.won.length;
    for (const delivery of claimed.won) this.#inFlight.add(delivery.subscriptionId, this.#attempt(delivery, claimedAt));
    return claimed;
  }

  /** Never rejects. */
  async #attempt(delivery: ClaimedDelivery, claimedAt: number): Promise<void> {
    const maxAttempts = this.#options.settings().gateway_webhook_max_attempts;
    try {
      const attempt = await deliver(this.#deliver, { delivery, maxAttempts, claimedAt });
      this.#judge(delivery.subscriptionId, attempt.outcome);
      await this.#settler.add({ delivery, attempt });
    } catch (error) {
      // A fault of ours: the lease ends, and the attempt was counted.
      this.#options.log({ kind: 'unexpected_error', during: 'delivering a webhook', error });
    }
  }

  #judge(subscriptionId: number, outcome: Settled['ended']['attempt']['outcome']): void {
    if (outcome === 'delivered') this.#breaker.succeeded(subscriptionId);
    if (!isReceiversFault(outcome)) return;
    const pauseMs = this.#breaker.failed(subscriptionId);
    if (pauseMs !== null) this.#options.log({ kind: 'receiver_paused', subscriptionId, seconds: pauseMs / 1000 });
  }

  /** Resolves when a delivery under way has ended, or there may be something new to claim. */
  async #oneEnds(nextInMs: number | null): Promise<void> {
    const { intervalMs } = this.#options;
    if (!this.#isDraining) await this.#inFlight.oneEnds(Math.min(intervalMs, nextInMs ?? intervalMs));
  }

  #heed(settlement: Settlement): void {
    const { log, own } = this.#options;
    for (const { as } of settlement.settled) {
      if (as !== 'give_back') this.#report[as === 'retry' ? 'retried' : as] += 1;
    }
    for (const fact of settlementFacts(settlement)) log(fact);
    for (const notice of settlement.notices) {
      if (notice.kind !== 'disabled') continue;
      const { subscriptionId } = notice;
      const reason = `The subscription was disabled: ${notice.reason}`;
      this.#inBackground(cancelOpen(own, { subscriptionId, reason }), 'cancelling deliveries');
    }
  }

  #inBackground(work: Promise<unknown>, during: string): void {
    const guarded: Promise<unknown> = work
      .catch((error: unknown) => this.#storeFailed(during, error))
      .finally(() => this.#background.delete(guarded));
    this.#background.add(guarded);
  }

  /** Milliseconds that the clock of this machine is ahead. */
  async #compareClocks(): Promise<number> {
    const { own, clock, log } = this.#options;
    const skewMs = await measureSkew({ reader: own.primary, time: this.#claims.time, clock });
    // Told again when it changes, not at every comparison.
    if (Math.abs(skewMs) > worrySkewMs && Math.abs(skewMs - this.#toldSkewMs) > worrySkewMs) {
      this.#toldSkewMs = skewMs;
      log({ kind: 'clock_skewed', skewMs });
    }
    return skewMs;
  }

  /** One failed pass does not end the worker: the database may come back. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#storeFailed('a pass of the worker', error);
      await this.#options.clock.sleep(outagePauseMs, this.#draining.signal);
    }
  }

  #storeFailed(during: string, error: unknown): void {
    if (error instanceof AppError && error.kind === 'unavailable') {
      this.#isStoreLost = true;
      this.#options.log({ kind: 'store_unavailable', code: error.code });
    } else this.#options.log({ kind: 'unexpected_error', during, error });
  }

  #storeAnswers(): void {
    if (!this.#isStoreLost) return;
    this.#isStoreLost = false;
    this.#options.log({ kind: 'store_recovered' });
  }

  /** Waits for what is under way; in a run without a loop the chores come then. */
  async #finish(): Promise<void> {
    await this.#inFlight.allEnd();
    // Before the chores: who cancels says why, and only one of the two knows the reason.
    await Promise.all(this.#background);
    if (this.#options.once && !this.#isDraining) await this.#chores.runAll(this.#draining.signal);
  }
}

function listen(signal: AbortSignal, work: () => void): void {
  if (signal.aborted) work();
  else signal.addEventListener('abort', work, { once: true });
}
