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

interface FeedListener extends Listener {
  seen: number;
  readonly group: number;
  wake(why: Wake): void;
}

export class ChangeFeed {
  readonly #source: ChangeSource;
  readonly #listeners = new Set<FeedListener>();
  readonly #ticking: Timer;
  #steps: Step[] = [];
  #rows = 0;
  #dropped = 0;
  #ticked = 0;
  #joined = 0;
  #isOver = false;

  constructor({ source, clock }: { readonly source: ChangeSource; readonly clock: Clock }) {
    this.#source = source;
    source.changes.onChange((changed, by) => this.#add({ changed, source: by }));
    source.onChange((by) => this.#add({ changed: 'everything', source: by }));
    this.#ticking = clock.every({
      intervalMs: tickMs / groupCount,
      work: async () => {
        this.#ticked = (this.#ticked + 1) % groupCount;
        for (const one of this.#listeners) if (one.group === this.#ticked) one.wake('tick');
      },
      onError: () => undefined,
    });
  }

  get size(): number {
    return this.#listeners.size;
  }

  get id(): string {
    return this.#source.changes.position();
  }

  /** `id` names the state from which the listener goes on, after `missed`. */
  async join(
    after: string | null,
  ): Promise<{ readonly listener: Listener; readonly id: string; readonly missed: readonly Step[] }> {
    const listener = this.#listen(this.#end());
    const { id } = this;
    if (after === null || after === id || this.#isOver) return { listener, id, missed: [] };
    // Several steps may lead to one state: changes do not always arrive in their order.
    const known = this.#steps.findIndex(({ id }) => id === after);
    if (known >= 0) {
      listener.seen = this.#dropped + known + 1;
      return { listener, id: after, missed: [] };
    }
    try {
      // It is unknown whether the listener saw the state before or after a change of rights.
      const isReset = this.#steps.some(({ changed }) => changed === 'everything');
      const { hcd, cms } = isReset ? anything : await this.#source.changes.changedSince(after);
      if (hcd === 'everything' || cms === 'everything') return { listener, id, missed: [{ id, ...everything }] };
      const missed = [
        { id, changed: hcd, source: 'hcd' },
        { id, changed: cms, source: 'cms' },
      ] as const;
      return { listener, id, missed };
    } catch (error) {
      listener.leave();
      throw error;
    }
  }

  close(): void {
    this.#isOver = true;
    this.#ticking.stop();
    for (const listener of this.#listeners) listener.wake('end');
  }

  #listen(seen: number): FeedListener {
    this.#joined = (this.#joined + 1) % groupCount;
    let woken: ((why: Wake) => void) | undefined;
    let hasLeft = false;
    const listener: FeedListener = {
      seen,
      group: this.#joined,
      take: () => {
        const from = listener.seen - this.#dropped;
        listener.seen = this.#end();
        return from < 0 ? 'everything' : this.#steps.slice(from);
      },
      wait: () => {
        if (hasLeft || this.#isOver) return Promise.resolve('end');
        if (this.#end() > listener.seen) return Promise.resolve('change');
        return new Promise((resolve) => {
          woken = resolve;
        });
      },
      wake: (why) => woken?.(why),
      leave: () => {
        hasLeft = true;
        this.#listeners.delete(listener);
        listener.wake('end');
      },
    };
    this.#listeners.add(listener);
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
    for (const listener of this.#listeners) listener.wake('change');
  }
}

function weightOf(changed: ChangedContent): number {
  return changed === 'everything' ? 1 : changed.length;
}
