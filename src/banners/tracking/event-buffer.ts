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

interface EventBufferDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly messages: Messages;
  /** For each event that was not known. */
  readonly onWritten?: (kind: EventKind, ad: number) => void;
  readonly most?: number;
}

interface Waiting {
  readonly event: TrackedEvent;
  readonly key: string;
  /** As far as this process knows. */
  readonly isNew: boolean;
  done: readonly ((error?: AppError) => void)[];
}

interface Lane {
  readonly waiting: Map<string, Waiting>;
  readonly known: LruMap<string, true>;
  /** New events that wait, by their banners. */
  readonly pending: Map<number, number>;
  due: number;
  lost: number;
}

function newLane(): Lane {
  return { waiting: new Map(), known: new LruMap(mostKnown), pending: new Map(), due: 0, lost: 0 };
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
  readonly #lanes: Readonly<Record<EventKind, Lane>> = { clicks: newLane(), impressions: newLane() };
  #timer: Timer | null = null;
  #round: Promise<void> | null = null;
  #failing = false;
  #closed = false;

  constructor(deps: EventBufferDeps) {
    this.#deps = deps;
  }

  /** Never throws. */
  note(event: TrackedEvent): void {
    const waiting = this.#take(event);
    if (waiting === 'known') return;
    if (waiting === 'full') {
      this.#lanes[event.kind].lost += 1;
      this.#schedule(retryAfter);
      return;
    }
    if (this.#failing) this.#schedule(retryAfter);
    else if (this.#lanes[event.kind].waiting.size < mostTogether) this.#schedule(gatherFor);
    else this.#round ??= this.#writeDue();
  }

  /** Resolves when the event is committed; else rejects with unavailable. */
  async noteDurably(event: TrackedEvent): Promise<void> {
    const waiting = this.#take(event);
    if (waiting === 'known') return;
    if (waiting === 'full') {
      this.#lanes[event.kind].lost += 1;
      throw new AppError('unavailable', { details: { retryAfter: 5 } });
    }
    await new Promise<void>((resolve, reject) => {
      waiting.done = [...waiting.done, (error) => (error === undefined ? resolve() : reject(error))];
      void this.flush();
    });
  }

  pending(kind: EventKind, ad: number): number {
    return this.#lanes[kind].pending.get(ad) ?? 0;
  }

  /** Never rejects. */
  async flush(): Promise<void> {
    this.#timer?.stop();
    this.#timer = null;
    for (const lane of Object.values(this.#lanes)) lane.due = lane.waiting.size;
    // A round that is under way writes them too.
    if (this.#size > 0) this.#round ??= this.#writeDue();
    await this.#round;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    for (const lane of Object.values(this.#lanes)) lane.lost += lane.waiting.size;
    this.#reportLost();
  }

  get use(): { readonly waiting: number; readonly capacity: number } {
    return { waiting: this.#size, capacity: this.#deps.most ?? mostWaiting };
  }

  get #size(): number {
    return this.#lanes.clicks.waiting.size + this.#lanes.impressions.waiting.size;
  }

  #take(event: TrackedEvent): Waiting | 'known' | 'full' {
    const { kind } = event;
    const lane = this.#lanes[kind];
    const key = eventKeyText(event);
    const isKnown = lane.known.get(key) === true;
    if (isKnown && !this.#deps.messages.wants(kind)) return 'known';
    const before = lane.waiting.get(key);
    if (before !== undefined) return before;
    if (this.#closed || this.#size >= (this.#deps.most ?? mostWaiting)) return isKnown ? 'known' : 'full';
    const waiting: Waiting = { event, key, isNew: !isKnown, done: noCallbacks };
    lane.waiting.set(key, waiting);
    if (waiting.isNew) count(lane, event.ad, 1);
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
    return order.find((kind) => this.#lanes[kind].due > 0 || this.#lanes[kind].waiting.size >= mostTogether);
  }

  async #write(kind: EventKind): Promise<'done' | 'later'> {
    const { own, log, messages, onWritten } = this.#deps;
    const lane = this.#lanes[kind];
    const batch = [...lane.waiting.values()].slice(0, mostTogether);
    const events = batch.map(({ event }) => event);
    try {
      const also = messages.wants(kind) ? await messages.queue(events) : undefined;
      const recorded = await (kind === 'clicks' ? recordClicks : recordImpressions)(own, events, also);
      this.#failing = false;
      for (const [at, { ad }] of events.entries()) if (recorded[at] === true) onWritten?.(kind, ad);
      remove(lane, batch);
      for (const { key, done } of batch) {
        lane.known.set(key, true);
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
      remove(lane, batch);
      for (const { done } of batch) for (const refuse of done) refuse(new AppError('unavailable', { cause: error }));
      lane.lost += batch.length;
      return 'done';
    }
  }

  /** Callers do not wait for a database that is down; the events stay. */
  #refuseAll(error: AppError): void {
    for (const waiting of [...this.#lanes.clicks.waiting.values(), ...this.#lanes.impressions.waiting.values()]) {
      for (const refuse of waiting.done) refuse(error);
      waiting.done = noCallbacks;
    }
  }

  #reportLost(): void {
    const { clicks, impressions } = this.#lanes;
    if (clicks.lost + impressions.lost === 0) return;
    this.#deps.log({ kind: 'banner_events_lost', clicks: clicks.lost, impressions: impressions.lost });
    clicks.lost = 0;
    impressions.lost = 0;
  }
}

function remove(lane: Lane, batch: readonly Waiting[]): void {
  for (const { key, isNew, event } of batch) {
    lane.waiting.delete(key);
    if (isNew) count(lane, event.ad, -1);
  }
  lane.due = Math.max(0, lane.due - batch.length);
}

function count({ pending }: Lane, ad: number, change: 1 | -1): void {
  const sum = (pending.get(ad) ?? 0) + change;
  if (sum > 0) pending.set(ad, sum);
  else pending.delete(ad);
}
