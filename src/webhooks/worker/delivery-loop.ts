/** Claims due deliveries and hands them on, and claims more before the last ones are used up. */
import type { Clock } from '../../clock/clock.js';
import { type ClaimDeps, claim, lookAhead, type Outlook } from './claim.js';
import type { Dispatcher } from './dispatcher.js';
import { planClaims } from './fair-share.js';
import type { StoreWatch } from './store-watch.js';

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
/** While every place is taken, a new receiver may have begun to wait. */
const lookAgainMs = 100;

interface DeliveryLoopDeps {
  readonly clock: Clock;
  readonly claims: ClaimDeps;
  readonly dispatcher: Dispatcher;
  readonly store: StoreWatch;
  readonly wakeUp: WakeUp;
  readonly draining: AbortSignal;
  readonly intervalMs: number;
  /** What is given back is due again afterwards. */
  readonly isGivingBack: () => boolean;
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
  #lookedAt = Number.NEGATIVE_INFINITY;
  #claimed = 0;

  constructor(deps: DeliveryLoopDeps) {
    this.#deps = deps;
  }

  /** Returns the milliseconds until the next delivery is due: 0 when some were left, null without one. */
  async pass({ limit, toTheEnd }: PassQuestion): Promise<number | null> {
    const { draining, dispatcher } = this.#deps;
    const end = this.#claimed + limit;
    let nextInMs: number | null = null;
    while (!draining.aborted && this.#claimed < end) {
      if (this.#mayLook()) {
        const { outlook, isMoreLikely } = await this.#claim(end - this.#claimed);
        nextInMs = outlook.nextInMs;
        if (isMoreLikely) continue;
      }
      if (this.#isIdle()) return nextInMs;
      await this.#change(nextInMs);
    }
    while (toTheEnd && !this.#isIdle() && !draining.aborted) await this.#change(null);
    dispatcher.giveBackLate();
    return 0;
  }

  #mayLook(): boolean {
    const { clock, dispatcher, store } = this.#deps;
    return store.isLost || dispatcher.isHungry || clock.elapsed() - this.#lookedAt >= lookAgainMs;
  }

  #isIdle(): boolean {
    const { dispatcher, isGivingBack } = this.#deps;
    return dispatcher.underWay === 0 && dispatcher.ready === 0 && !isGivingBack();
  }

  async #claim(most: number): Promise<{ readonly outlook: Outlook; readonly isMoreLikely: boolean }> {
    const { clock, claims, dispatcher, store, draining } = this.#deps;
    this.#lookedAt = clock.elapsed();
    const { failures } = store;
    const outlook = await lookAhead(claims);
    store.answered(failures);
    dispatcher.fill();
    const shares = planClaims({
      due: outlook.due,
      most,
      free: dispatcher.free,
      ahead: dispatcher.ahead,
      room: (id) => dispatcher.room(id),
      lastTurn: (id) => this.#turns.get(id) ?? 0,
    });
    const claimedAt = clock.elapsed();
    const { won, missed } = await claim(claims, { shares, isCrowded: this.#isCrowded, ended: outlook.ended });
    this.#isCrowded = missed > 0;
    this.#turn += 1;
    for (const { subscriptionId } of shares) this.#turns.set(subscriptionId, this.#turn);
    this.#claimed += won.length;
    const readyAt = clock.elapsed();
    dispatcher.add(won.map((delivery) => ({ delivery, claimedAt, readyAt })));
    const wanted = shares.reduce((sum, { places }) => sum + places, 0);
    const isCrowdedOut = won.length === 0 && missed > 0;
    if (isCrowdedOut) await clock.sleep(claims.random() * crowdedPauseMs, draining);
    // Some receivers had less than was meant for them, so others may have more; or another worker was faster.
    return { outlook, isMoreLikely: isCrowdedOut || (won.length > 0 && won.length < wanted) };
  }

  async #change(nextInMs: number | null): Promise<void> {
    const { wakeUp, dispatcher, intervalMs, draining } = this.#deps;
    if (draining.aborted) return;
    const soon = Math.min(intervalMs, nextInMs ?? intervalMs);
    await wakeUp.wait(dispatcher.ready > 0 ? Math.min(soon, lookAgainMs) : soon);
    dispatcher.giveBackLate();
  }
}
