/** Gives places to claimed deliveries, sends and records them, and returns those without a place in time. */
import type { Clock } from '../../clock/clock.js';
import type { Log } from '../../log/observation.js';
import { isReceiversFault } from '../rules/retry.js';
import type { Breaker } from './breaker.js';
import { type Attempt, type DeliverDeps, deliver } from './deliver.js';
import { basePlaces, type Pace } from './pace.js';
import { type ReadyDelivery, ReadyQueue } from './ready-queue.js';
import type { Settler } from './settler.js';
import type { StoreWatch } from './store-watch.js';
import type { WorkerSettings } from './worker-options.js';

class Tally {
  readonly #byReceiver = new Map<number, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(receiver: number): number {
    return this.#byReceiver.get(receiver) ?? 0;
  }

  receivers(): Iterable<number> {
    return this.#byReceiver.keys();
  }

  add(receiver: number, by: 1 | -1): void {
    const count = this.of(receiver) + by;
    if (count === 0) this.#byReceiver.delete(receiver);
    else this.#byReceiver.set(receiver, count);
    this.#total += by;
  }
}

/** Milliseconds without anything recorded after which sending pauses: the database may be gone. */
const patienceMs = 50;
const mostReady = 256;
/** Each claim waits for the disk, so there is no hurry while more wait than this. */
const refillAt = 64;
/** A small part of a lease. */
const longestReadyMs = 2000;

interface DispatcherDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: () => WorkerSettings;
  readonly deliver: DeliverDeps;
  readonly breaker: Breaker;
  readonly pace: Pace;
  readonly settler: Settler;
  readonly store: StoreWatch;
  readonly draining: AbortSignal;
  readonly giveBack: (unsent: readonly ReadyDelivery[]) => void;
  readonly onChange: () => void;
}

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #ready = new ReadyQueue();
  readonly #sending = new Tally();
  /** Sent, and waiting to be recorded. */
  readonly #ended = new Tally();
  #begun = 0;
  /** When something was recorded last, or began to wait for it. */
  #recordedAt = 0;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  get begun(): number {
    return this.#begun;
  }

  get ready(): number {
    return this.#ready.count;
  }

  /** Those that wait while a place is free may not have it, but others may. */
  get isHungry(): boolean {
    return this.#ready.count < refillAt || this.hasPlace;
  }

  get underWay(): number {
    return this.#sending.total + this.#ended.total;
  }

  /** A crash may repeat what was sent and is not recorded, so that holds a place too. */
  get hasPlace(): boolean {
    if (this.underWay >= this.#concurrency) return false;
    return this.#ended.total === 0 || this.#deps.clock.elapsed() - this.#recordedAt <= patienceMs;
  }

  /** Includes places of fast receivers, whose deliveries end soon. */
  get free(): number {
    const { pace } = this.#deps;
    const parts = [this.#sending, this.#ended, this.#ready];
    const receivers = new Set(parts.flatMap((part) => [...part.receivers()]));
    let held = 0;
    for (const id of receivers) if (!pace.isFast(id)) held += this.#has(id);
    return Math.max(0, this.#concurrency - held);
  }

  get ahead(): number {
    return Math.max(0, mostReady - this.#ready.count);
  }

  /** What a receiver may have in addition. */
  room(receiver: number): { readonly places: number; readonly ahead: number } {
    const { breaker, pace } = this.#deps;
    return {
      places: Math.max(0, breaker.allows(receiver, basePlaces) - this.#has(receiver)),
      ahead: Math.max(0, pace.ahead(receiver) - this.#ready.of(receiver)),
    };
  }

  add(claimed: readonly ReadyDelivery[]): void {
    const unwanted: ReadyDelivery[] = [];
    for (const ready of claimed) {
      if (this.#isWanted(ready.delivery.subscriptionId)) this.#ready.add(ready);
      else unwanted.push(ready);
    }
    this.#giveBack(unwanted);
    this.fill();
  }

  fill(): void {
    const late: ReadyDelivery[] = [];
    while (!this.#deps.store.isLost && this.hasPlace) {
      const next = this.#ready.take((id) => this.#mayHave(id)) ?? this.#ready.take((id) => this.#mayHaveMore(id));
      if (next === undefined) break;
      // The next claim is made while the rest is sent, even if recording is slow.
      if (this.#ready.count === refillAt - 1) this.#deps.onChange();
      if (this.#isLate(next)) late.push(next);
      else void this.#attempt(next);
    }
    this.#returnLate(late);
  }

  giveBackLate(): void {
    this.#returnLate(this.#ready.remove((ready) => this.#isLate(ready)));
  }

  giveBackAll(): void {
    this.#giveBack(this.#ready.remove(() => true));
  }

  /** Since the claim began, the worker may have got the signal to end, or the receiver may have failed. */
  #isWanted(receiver: number): boolean {
    if (this.#deps.draining.aborted) return false;
    const allowed = this.#deps.breaker.allows(receiver, basePlaces);
    return allowed === basePlaces || this.#has(receiver) < allowed;
  }

  get #concurrency(): number {
    return this.#deps.settings().gateway_webhook_concurrency;
  }

  #has(receiver: number): number {
    return this.#sending.of(receiver) + this.#ended.of(receiver) + this.#ready.of(receiver);
  }

  #mayHave(receiver: number): boolean {
    return this.#sending.of(receiver) < this.#deps.breaker.allows(receiver, basePlaces);
  }

  /** When no other receiver wants the place. A first share for another receiver stays free. */
  #mayHaveMore(receiver: number): boolean {
    const { breaker, pace } = this.#deps;
    if (this.#concurrency - this.#sending.total <= basePlaces) return false;
    return this.#sending.of(receiver) < breaker.allows(receiver, pace.places(receiver));
  }

  #isLate({ readyAt }: ReadyDelivery): boolean {
    return this.#deps.clock.elapsed() - readyAt > longestReadyMs;
  }

  /** Their receivers, or the receivers that hold the places, are slower than before. */
  #returnLate(late: readonly ReadyDelivery[]): void {
    for (const { delivery } of late) this.#deps.pace.stumbled(delivery.subscriptionId);
    this.#giveBack(late);
  }

  #giveBack(unsent: readonly ReadyDelivery[]): void {
    if (unsent.length > 0) this.#deps.giveBack(unsent);
  }

  /** Never rejects. */
  async #attempt({ delivery, claimedAt }: ReadyDelivery): Promise<void> {
    const { log, settings, settler, onChange } = this.#deps;
    const { subscriptionId } = delivery;
    const maxAttempts = settings().gateway_webhook_max_attempts;
    let attempt: Attempt | null = null;
    this.#begun += 1;
    this.#sending.add(subscriptionId, 1);
    try {
      attempt = await deliver(this.#deps.deliver, { delivery, maxAttempts, claimedAt });
    } catch (error) {
      // The lease ends later, and the attempt was counted.
      log({ kind: 'unexpected_error', during: 'delivering a webhook', error });
    }
    if (this.#ended.total === 0) this.#recordedAt = this.#deps.clock.elapsed();
    this.#sending.add(subscriptionId, -1);
    this.#ended.add(subscriptionId, 1);
    if (attempt !== null) {
      this.#judge(subscriptionId, attempt);
      const recorded = settler.add({ delivery, attempt });
      this.fill();
      await recorded;
    }
    // Recorded, or left to the end of its lease.
    this.#ended.add(subscriptionId, -1);
    this.#recordedAt = this.#deps.clock.elapsed();
    this.fill();
    if (this.isHungry) onChange();
  }

  #judge(subscriptionId: number, { outcome, durationMs }: Attempt): void {
    const { breaker, pace, log } = this.#deps;
    if (outcome === 'delivered') {
      breaker.succeeded(subscriptionId);
      pace.succeeded(subscriptionId, durationMs);
    }
    if (!isReceiversFault(outcome)) return;
    pace.stumbled(subscriptionId);
    this.#giveBack(this.#ready.remove(({ delivery }) => delivery.subscriptionId === subscriptionId));
    const pauseMs = breaker.failed(subscriptionId);
    if (pauseMs !== null) log({ kind: 'receiver_paused', subscriptionId, seconds: pauseMs / 1000 });
  }
}
