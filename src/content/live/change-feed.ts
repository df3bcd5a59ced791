/**
 * What changes in the content, step by step, for listeners who go on from where they were: those who are connected, and
 * those who come back with the id of the last step that they know.
 */
import type { Clock, Timer } from '../../clock/clock.js';
import type { RowChange } from './mutation.js';

/** Milliseconds after which a listener is woken although nothing changed. */
const tickMs = 25_000;
/** Groups of listeners that are woken one after the other, so that requests do not wait for thousands of them. */
const groupCount = 25;
/** Steps, and rows in them, that are kept for listeners who are late. */
const mostSteps = 1000;
const mostRows = 5000;

export type ChangedContent = readonly RowChange[] | 'everything';

export interface Step {
  /** Names the state after it, alike in all processes of a site. */
  readonly id: string;
  readonly changed: ChangedContent;
}

export interface ChangeSource {
  /** Names the state of the content now. */
  position(): string;
  /** What changed since that state; 'everything' where that cannot be known any more. */
  changedSince(position: string): Promise<ChangedContent>;
  onContentChange(listener: (changed: ChangedContent) => void): void;
  onChange(listener: () => void): void;
}

/** Why a listener goes on: there are steps, nothing happened for a while, or the feed ends. */
export type Wake = 'change' | 'tick' | 'end';

export interface Listener {
  /** Steps that it has not seen; 'everything' where they are no longer kept. Takes them. */
  take(): readonly Step[] | 'everything';
  /** Resolves when there is something to do; at once when there are steps. One call at a time. */
  wait(): Promise<Wake>;
  /** Ends `wait`, and frees the place. */
  leave(): void;
}

export class ChangeFeed {
  readonly #source: ChangeSource;
  readonly #groups: readonly Set<FeedListener>[];
  readonly #ticking: Timer;
  /** The oldest first. */
  #steps: Step[] = [];
  #rows = 0;
  /** Steps that are no longer kept. */
  #dropped = 0;
  #ticked = 0;
  #joined = 0;
  #isOver = false;

  constructor({ source, clock }: { readonly source: ChangeSource; readonly clock: Clock }) {
    this.#source = source;
    this.#groups = Array.from({ length: groupCount }, () => new Set<FeedListener>());
    source.onContentChange((changed) => this.#add(changed));
    // What a caller may see may be another.
    source.onChange(() => this.#add('everything'));
    this.#ticking = clock.every({
      intervalMs: tickMs / groupCount,
      work: async () => {
        this.#ticked = (this.#ticked + 1) % groupCount;
        for (const listener of this.#groups[this.#ticked] ?? []) listener.wake('tick');
      },
      onError: () => undefined,
    });
  }

  get size(): number {
    return this.#groups.reduce((sum, { size }) => sum + size, 0);
  }

  get id(): string {
    return this.#source.position();
  }

  /** A listener for what happens from now on, and what changed since an earlier state. */
  async join(after: string | null): Promise<{ readonly listener: Listener; readonly missed: Step | null }> {
    const listener = this.#listen(this.#end());
    if (after === null || this.#isOver) return { listener, missed: null };
    // Several steps may lead to one state: changes are not always heard of in their order.
    const known = this.#steps.findIndex(({ id }) => id === after);
    if (known >= 0) {
      listener.seen = this.#dropped + known + 1;
      return { listener, missed: null };
    }
    const id = this.id;
    if (after === id) return { listener, missed: null };
    try {
      // It is unknown whether the listener has seen the state before or after a change of rights.
      const isReset = this.#steps.some(({ changed }) => changed === 'everything');
      return { listener, missed: { id, changed: isReset ? 'everything' : await this.#source.changedSince(after) } };
    } catch (error) {
      listener.leave();
      throw error;
    }
  }

  /** Ends all listeners; later ones end at once. */
  close(): void {
    this.#isOver = true;
    this.#ticking.stop();
    for (const listener of this.#groups.flatMap((group) => [...group])) listener.wake('end');
  }

  #listen(seen: number): FeedListener {
    this.#joined = (this.#joined + 1) % groupCount;
    const group = this.#groups[this.#joined];
    const listener = new FeedListener(seen, {
      end: () => (this.#isOver ? 'over' : this.#end()),
      stepsFrom: (number) => (number < this.#dropped ? 'everything' : this.#steps.slice(number - this.#dropped)),
      leave: (one) => group?.delete(one),
    });
    group?.add(listener);
    return listener;
  }

  #end(): number {
    return this.#dropped + this.#steps.length;
  }

  #add(changed: ChangedContent): void {
    if (changed.length === 0) return;
    this.#steps.push({ id: this.id, changed });
    this.#rows += weightOf(changed);
    while (this.#steps.length > mostSteps || (this.#rows > mostRows && this.#steps.length > 1)) {
      this.#rows -= weightOf(this.#steps.shift()?.changed ?? []);
      this.#dropped += 1;
    }
    for (const group of this.#groups) for (const listener of group) listener.wake('change');
  }
}

function weightOf(changed: ChangedContent): number {
  return changed === 'everything' ? 1 : changed.length;
}

interface FeedView {
  /** Number of the next step; 'over' when the feed has ended. */
  end(): number | 'over';
  stepsFrom(number: number): readonly Step[] | 'everything';
  leave(listener: FeedListener): void;
}

class FeedListener implements Listener {
  /** Number of the next step that it takes. */
  seen: number;
  readonly #feed: FeedView;
  #woken: ((why: Wake) => void) | null = null;
  #hasLeft = false;

  constructor(seen: number, feed: FeedView) {
    this.seen = seen;
    this.#feed = feed;
  }

  take(): readonly Step[] | 'everything' {
    const end = this.#feed.end();
    const steps = this.#feed.stepsFrom(this.seen);
    if (end !== 'over') this.seen = end;
    return steps;
  }

  wait(): Promise<Wake> {
    const end = this.#feed.end();
    if (this.#hasLeft || end === 'over') return Promise.resolve('end');
    if (end > this.seen) return Promise.resolve('change');
    return new Promise((resolve) => {
      this.#woken = resolve;
    });
  }

  wake(why: Wake): void {
    const woken = this.#woken;
    this.#woken = null;
    woken?.(why);
  }

  leave(): void {
    this.#hasLeft = true;
    this.#feed.leave(this);
    this.wake('end');
  }
}
