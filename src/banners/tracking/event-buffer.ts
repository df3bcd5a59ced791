/** Collects events for a moment and writes them together. The number of waiting events is bounded. */
import type { Clock, Timer } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import { LruMap } from '../../values/kept-values.js';
import type { EventKind } from '../models/events.js';
import { eventKeyText } from '../rules/visitor.js';
import { type Also, type NewClick, recordClicks, recordImpressions } from './record-events.js';

export interface TrackedEvent extends NewClick {
  readonly kind: EventKind;
  readonly adposition: number;
  readonly target: string;
}

export interface Messages {
  /** Such events are also queued when they are repeated. */
  readonly wants: (kind: EventKind) => boolean;
  readonly queue: (events: readonly TrackedEvent[]) => Promise<Also | undefined>;
}

interface Written {
  readonly kind: EventKind;
  readonly ad: number;
  readonly count: number;
}

interface EventBufferDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly messages: Messages;
  readonly onWritten?: (written: Written) => void;
  readonly most?: number;
}

interface Waiting {
  readonly event: TrackedEvent;
  readonly key: string;
  /** As far as this process knows. */
  readonly isNew: boolean;
  done: readonly ((error?: AppError) => void)[];
}

const noCallbacks: Waiting['done'] = Object.freeze([]);

/** With the write, events stay within the promised second. */
const gatherFor = 200;
const retryAfter = 1000;
/** About 10 ms of an embedded database; with fewer, pages of the index would be written repeatedly. */
const mostTogether = 2000;
/** About 10 MiB. During a long outage of the database, or a flood of addresses, the newest events are lost. */
const mostWaiting = 20_000;
const mostKnown = 20_000;
const kinds: readonly EventKind[] = ['clicks', 'impressions'];

export class EventBuffer {
  readonly #deps: EventBufferDeps;
  readonly #waiting: Readonly<Record<EventKind, Map<string, Waiting>>> = { clicks: new Map(), impressions: new Map() };
  readonly #known: Readonly<Record<EventKind, LruMap<string, true>>> = {
    clicks: new LruMap(mostKnown),
    impressions: new LruMap(mostKnown),
  };
  readonly #pending: Readonly<Record<EventKind, Map<number, number>>> = { clicks: new Map(), impressions: new Map() };
  readonly #due: Record<EventKind, number> = { clicks: 0, impressions: 0 };
  #timer: Timer | null = null;
  #round: Promise<void> | null = null;
  #failing = false;
  #closed = false;
  readonly #lost: Record<EventKind, number> = { clicks: 0, impressions: 0 };

  constructor(deps: EventBufferDeps) {
    this.#deps = deps;
  }

  /** Never throws. */
  note(event: TrackedEvent): void {
    const waiting = this.#take(event);
    if (waiting === 'known') return;
    if (waiting === 'full') {
      this.#lost[event.kind] += 1;
      this.#schedule(retryAfter);
      return;
    }
    if (this.#failing) this.#schedule(retryAfter);
    else if (this.#waiting[event.kind].size < mostTogether) this.#schedule(gatherFor);
    else this.#round ??= this.#writeDue();
  }

  /** Resolves when the event is committed; else rejects with unavailable. */
  async noteDurably(event: TrackedEvent): Promise<void> {
    const waiting = this.#take(event);
    if (waiting === 'known') return;
    if (waiting === 'full') {
      this.#lost[event.kind] += 1;
      throw new AppError('unavailable', { details: { retryAfter: 5 } });
    }
    await new Promise<void>((resolve, reject) => {
      waiting.done = [...waiting.done, (error) => (error === undefined ? resolve() : reject(error))];
      void this.flush();
    });
  }

  pending(kind: EventKind, ad: number): number {
    return this.#pending[kind].get(ad) ?? 0;
  }

  /** Never rejects. */
  async flush(): Promise<void> {
    this.#timer?.stop();
    this.#timer = null;
    for (const kind of kinds) this.#due[kind] = this.#waiting[kind].size;
    // A round that is under way writes them too.
    if (this.#size > 0) this.#round ??= this.#writeDue();
    await this.#round;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    for (const kind of kinds) this.#lost[kind] += this.#waiting[kind].size;
    this.#reportLost();
  }

  get use(): { readonly waiting: number; readonly capacity: number } {
    return { waiting: this.#size, capacity: this.#deps.most ?? mostWaiting };
  }

  get #size(): number {
    return this.#waiting.clicks.size + this.#waiting.impressions.size;
  }

  #take(event: TrackedEvent): Waiting | 'known' | 'full' {
    const { kind } = event;
    const key = eventKeyText(event);
    const isKnown = this.#known[kind].get(key) === true;
    if (isKnown && !this.#deps.messages.wants(kind)) return 'known';
    const before = this.#waiting[kind].get(key);
    if (before !== undefined) return before;
    if (this.#closed || this.#size >= (this.#deps.most ?? mostWaiting)) return isKnown ? 'known' : 'full';
    const waiting: Waiting = { event, key, isNew: !isKnown, done: noCallbacks };
    this.#waiting[kind].set(key, waiting);
    if (waiting.isNew) this.#count(kind, event.ad, 1);
    return waiting;
  }

  #schedule(ms: number): void {
    if (this.#closed) return;
    this.#timer ??= this.#deps.clock.after(ms, () => void this.flush());
  }

  /** Events that arrive during the writing wait for the next round, unless they fill a transaction. */
  async #writeDue(): Promise<void> {
    try {
      for (let kind = this.#nextDue(null); kind !== undefined; kind = this.#nextDue(kind)) {
        if ((await this.#write(kind)) === 'later') {
          this.#schedule(retryAfter);
          break;
        }
      }
    } finally {
      // In the same turn as the last check: a later caller starts a new round.
      this.#round = null;
    }
    if (this.#size > 0) this.#schedule(gatherFor);
    this.#reportLost();
  }

  /** The kinds take turns, so that a flood of one does not delay the other. */
  #nextDue(last: EventKind | null): EventKind | undefined {
    const order = last === 'clicks' ? kinds.toReversed() : kinds;
    return order.find((kind) => this.#due[kind] > 0 || this.#waiting[kind].size >= mostTogether);
  }

  async #write(kind: EventKind): Promise<'done' | 'later'> {
    const { own, log, messages, onWritten } = this.#deps;
    const batch = firstOf(this.#waiting[kind].values(), mostTogether);
    const events = batch.map(({ event }) => event);
    try {
      const also = messages.wants(kind) ? await messages.queue(events) : undefined;
      const recorded = await (kind === 'clicks' ? recordClicks : recordImpressions)(own, events, also);
      this.#failing = false;
      const added = events.filter((_, at) => recorded[at] === true);
      for (const [ad, count] of countByAd(added)) onWritten?.({ kind, ad, count });
      this.#remove(kind, batch);
      for (const { key, done } of batch) {
        this.#known[kind].set(key, true);
        for (const resolve of done) resolve();
      }
      return 'done';
    } catch (error) {
      // Must not throw: no caller would catch it.
      if (!this.#failing) log({ kind: 'unexpected_error', during: 'recording clicks and impressions', error });
      this.#failing = true;
      if (error instanceof AppError && error.kind === 'unavailable') {
        this.#refuseAll(error);
        return 'later';
      }
      this.#remove(kind, batch);
      for (const { done } of batch) for (const refuse of done) refuse(new AppError('unavailable', { cause: error }));
      this.#lost[kind] += batch.length;
      return 'done';
    }
  }

  /** Callers do not wait for a database that is down; the events stay. */
  #refuseAll(error: AppError): void {
    for (const kind of kinds) {
      for (const waiting of this.#waiting[kind].values()) {
        for (const refuse of waiting.done) refuse(error);
        waiting.done = noCallbacks;
      }
    }
  }

  #remove(kind: EventKind, batch: readonly Waiting[]): void {
    for (const { key } of batch) this.#waiting[kind].delete(key);
    this.#due[kind] = Math.max(0, this.#due[kind] - batch.length);
    const expected = batch.filter(({ isNew }) => isNew).map(({ event }) => event);
    for (const [ad, count] of countByAd(expected)) this.#count(kind, ad, -count);
  }

  #count(kind: EventKind, ad: number, change: number): void {
    const count = this.pending(kind, ad) + change;
    if (count > 0) this.#pending[kind].set(ad, count);
    else this.#pending[kind].delete(ad);
  }

  #reportLost(): void {
    const { clicks, impressions } = this.#lost;
    if (clicks + impressions === 0) return;
    this.#lost.clicks = 0;
    this.#lost.impressions = 0;
    this.#deps.log({ kind: 'banner_events_lost', clicks, impressions });
  }
}

function firstOf<T>(values: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const value of values) {
    if (first.length === most) break;
    first.push(value);
  }
  return first;
}

function countByAd(events: readonly TrackedEvent[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { ad } of events) counts.set(ad, (counts.get(ad) ?? 0) + 1);
  return counts;
}
