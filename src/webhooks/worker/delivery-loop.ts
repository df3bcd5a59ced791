/** Claims due deliveries for the places that are free, sends each at once, and records what came of it. */
import type { Clock } from '../../clock/clock.js';
import type { Settings } from '../../config/settings.js';
import type { Log } from '../../log/observation.js';
import { isReceiversFault } from '../rules/retry.js';
import { type ClaimDeps, type ClaimedDelivery, claim, lookAhead, type Outlook } from './claim.js';
import { type Attempt, type DeliverDeps, deliver } from './deliver.js';
import { type Breaker, planClaims } from './places.js';
import type { Settler } from './settle.js';
import type { StoreWatch } from './store-watch.js';

export type WorkerSettings = Pick<
  Settings,
  | 'gateway_webhook_max_attempts'
  | 'gateway_webhook_worker_limit'
  | 'gateway_webhook_concurrency'
  | 'gateway_webhook_keep_answers'
  | 'gateway_webhook_disable_after_days'
  | 'gateway_webhook_retention_days'
>;

const happened = 'something happened';

export class WakeUp {
  readonly #clock: Clock;
  #happened = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  call(): void {
    // Without a reason of ours each abort makes an error with a stack.
    if (!this.#happened.signal.aborted) this.#happened.abort(happened);
  }

  /** Resolves at the first call since the last wait, or after the time. */
  async wait(atMostMs: number): Promise<void> {
    await this.#clock.sleep(atMostMs, this.#happened.signal);
    if (this.#happened.signal.aborted) this.#happened = new AbortController();
  }
}

/** Longest pause after another worker took what was wanted. */
const crowdedPauseMs = 30;

interface DeliveryLoopDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: () => WorkerSettings;
  readonly claims: ClaimDeps;
  readonly deliver: DeliverDeps;
  readonly breaker: Breaker;
  readonly settler: Settler;
  readonly store: StoreWatch;
  readonly wakeUp: WakeUp;
  readonly draining: AbortSignal;
  readonly intervalMs: number;
}

interface PassQuestion {
  readonly limit: number;
  /** Whether to wait until all that was claimed has ended, also when the limit is reached. */
  readonly toTheEnd: boolean;
}

export class DeliveryLoop {
  readonly #deps: DeliveryLoopDeps;
  readonly #turns = new Map<number, number>();
  #turn = 0;
  #isCrowded = false;
  #claimed = 0;
  /** Taken places by receiver, from the claim until the attempt is recorded: a crash before that repeats it. */
  readonly #places = new Map<number, number>();
  #underWay = 0;

  constructor(deps: DeliveryLoopDeps) {
    this.#deps = deps;
  }

  get claimed(): number {
    return this.#claimed;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Returns the milliseconds until the next delivery is due: 0 when some were left, null without one. */
  async pass({ limit, toTheEnd }: PassQuestion): Promise<number | null> {
    const { draining } = this.#deps;
    const end = this.#claimed + limit;
    let nextInMs: number | null = null;
    while (!draining.aborted && this.#claimed < end) {
      if (this.#free > 0) {
        const { outlook, isMoreLikely } = await this.#claim(end - this.#claimed);
        nextInMs = outlook.nextInMs;
        if (isMoreLikely) continue;
      }
      if (this.#underWay === 0) return nextInMs;
      await this.#change(nextInMs);
    }
    while (toTheEnd && this.#underWay > 0 && !draining.aborted) await this.#change(null);
    return 0;
  }

  get #free(): number {
    return this.#deps.settings().gateway_webhook_concurrency - this.#underWay;
  }

  async #claim(most: number): Promise<{ readonly outlook: Outlook; readonly isMoreLikely: boolean }> {
    const { clock, claims, breaker, store, draining } = this.#deps;
    const { failures } = store;
    const outlook = await lookAhead(claims);
    store.answered(failures);
    const shares = planClaims({
      ...{ due: outlook.due, most, free: this.#free },
      places: (id) => breaker.places(id),
      taken: (id) => this.#places.get(id) ?? 0,
      lastTurn: (id) => this.#turns.get(id) ?? 0,
    });
    const claimedAt = clock.elapsed();
    const { won, missed } = await claim(claims, { shares, isCrowded: this.#isCrowded, ended: outlook.ended });
    this.#isCrowded = missed > 0;
    this.#turn += 1;
    for (const { subscriptionId } of shares) this.#turns.set(subscriptionId, this.#turn);
    this.#claimed += won.length;
    for (const delivery of won) void this.#send(delivery, claimedAt);
    const wanted = shares.reduce((sum, { places }) => sum + places, 0);
    const isCrowdedOut = won.length === 0 && missed > 0;
    if (isCrowdedOut) await clock.sleep(claims.random() * crowdedPauseMs, draining);
    // Some receivers had less than was meant for them, so others may have more; or another worker was faster.
    return { outlook, isMoreLikely: isCrowdedOut || (won.length > 0 && won.length < wanted) };
  }

  async #change(nextInMs: number | null): Promise<void> {
    const { wakeUp, intervalMs, draining } = this.#deps;
    if (!draining.aborted) await wakeUp.wait(Math.min(intervalMs, nextInMs ?? intervalMs));
  }

  /** Never rejects. */
  async #send(delivery: ClaimedDelivery, claimedAt: number): Promise<void> {
    const { log, settings, settler, wakeUp } = this.#deps;
    this.#take(delivery, 1);
    try {
      const maxAttempts = settings().gateway_webhook_max_attempts;
      const attempt = await deliver(this.#deps.deliver, { delivery, maxAttempts, claimedAt });
      this.#judge(delivery, attempt);
      await settler.add({ delivery, attempt });
    } catch (error) {
      // The lease ends later, and the attempt was counted.
      log({ kind: 'unexpected_error', during: 'delivering a webhook', error });
    }
    this.#take(delivery, -1);
    wakeUp.call();
  }

  #take({ subscriptionId }: ClaimedDelivery, by: 1 | -1): void {
    const taken = (this.#places.get(subscriptionId) ?? 0) + by;
    if (taken === 0) this.#places.delete(subscriptionId);
    else this.#places.set(subscriptionId, taken);
    this.#underWay += by;
  }

  #judge({ subscriptionId }: ClaimedDelivery, { outcome, durationMs }: Attempt): void {
    const { breaker, log } = this.#deps;
    if (outcome === 'delivered') breaker.succeeded(subscriptionId, durationMs);
    if (!isReceiversFault(outcome)) return;
    const pauseMs = breaker.failed(subscriptionId);
    if (pauseMs !== null) log({ kind: 'receiver_paused', subscriptionId, seconds: pauseMs / 1000 });
  }
}
