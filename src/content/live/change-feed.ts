/** Steps of changed content for connected listeners, and for listeners that return with their last step id. */
import type { Clock, Timer } from '../../clock/clock.js';
import type { EventSource } from '../../webhooks/rules/events.js';
import { anything, type ChangeFollower } from './content-change.js';
import type { RowChange } from './mutation.js';

const tickMs = 25_000;
/** Groups are woken one after the other, so that requests do not wait for thousands of listeners. */
const groupCount = 25;
const mostSteps = 1000;
const mostRows = 5000;

type ChangedContent = readonly RowChange[] | 'everything';

const everything = { changed: 'everything' } as const;

export interface Step {
  /** Names the state after the step; equal in all processes of a site. */
  readonly id: string;
  readonly changed: ChangedContent;
  /** Absent when it is not known. */
  readonly source?: EventSource;
}

interface ChangeSource {
  readonly changes: Pick<ChangeFollower, 'position' | 'changedSince' | 'onChange'>;
  onChange(listener: (by: EventSource) => void): void;
}

type Wake = 'change' | 'tick' | 'end';

export interface Listener {
  /** Returns each step once; 'everything' if missed steps are no longer kept. */
  take(): readonly Step[] | 'everything';
  /** Resolves at once when there are steps. One call at a time. */
  wait(): Promise<Wake>;
  leave(): void;
}

export class ChangeFeed {
  readonly #source: ChangeSource;
  readonly #groups: readonly Set<FeedListener>[];
  readonly #ticking: Timer;
  #steps: Step[] = [];
  #rows = 0;
  #dropped = 0;
  #ticked = 0;
  #joined = 0;
  #isOver = false;

  constructor({ source, clock }: { readonly source: ChangeSource; readonly clock: Clock }) {
    this.#source = source;
    this.#groups = Array.from({ length: groupCount }, () => new Set<FeedListener>());
    source.changes.onChange((changed, by) => this.#add({ changed, source: by }));
    source.onChange((by) => this.#add({ changed: 'everything', source: by }));
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
    return this.#source.changes.position();
  }

  /** `missed` is what changed since the state `after`. */
  async join(after: string | null): Promise<{ readonly listener: Listener; readonly missed: readonly Step[] }> {
    const listener = this.#listen(this.#end());
    if (after === null || this.#isOver) return { listener, missed: [] };
    // Several steps may lead to one state: changes do not always arrive in their order.
    const known = this.#steps.findIndex(({ id }) => id === after);
    if (known >= 0) {
      listener.seen = this.#dropped + known + 1;
      return { listener, missed: [] };
    }
    const id = this.id;
    if (after === id) return { listener, missed: [] };
    try {
      // It is unknown whether the listener saw the state before or after a change of rights.
      const isReset = this.#steps.some(({ changed }) => changed === 'everything');
      const { hcd, cms } = isReset ? anything : await this.#source.changes.changedSince(after);
      if (hcd === 'everything' || cms === 'everything') return { listener, missed: [{ id, ...everything }] };
      const missed = [
        { id, changed: hcd, source: 'hcd' },
        { id, changed: cms, source: 'cms' },
      ] as const;
      return { listener, missed };
    } catch (error) {
      listener.leave();
      throw error;
    }
  }

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

  #add(part: Omit<Step, 'id'>): void {
    if (part.changed.length === 0) return;
    this.#steps.push({ id: this.id, ...part });
    this.#rows += weightOf(part.changed);
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
  end(): number | 'over';
  stepsFrom(number: number): readonly Step[] | 'everything';
  leave(listener: FeedListener): void;
}

class FeedListener implements Listener {
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
