/** Builds new indexes, and follows other programs: logs and times say where to look, comparisons say what changed. */
import type { Clock } from '../../clock/clock.js';
import { type Log, reportFailure } from '../../log/observation.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import type { EventSource } from '../../webhooks/rules/events.js';
import { type LoggedRow, OtherWriters } from '../live/other-writers.js';
import type { Site } from '../live/site.js';
import { type ObjectTables, objectTables, watchedTables } from '../objects/object-registry.js';
import { readDescendants } from '../reading/ancestors.js';
import { batchSize } from './content-index.js';
import { buildIndexes, contentOf, indexNow } from './keep-indexes.js';
import { compareSeen } from './known.js';
import { announceAllChanged, notice, noticeAll, noticeTables, type OnNoticed } from './notice.js';

/** After it has read all resources it rests this many times as long, so that steady writers keep no processor busy. */
const rest = 2;
/** Milliseconds. */
const longestRest = 5000;
/** Milliseconds. The row in the log follows the change of a resource within this time. */
const logDelay = 2000;
/** Addresses, contexts and deletions extend to the resources below a logged one. */
const mostBelow = 500;

interface FollowDeps {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly site: Pick<Site, 'live' | 'reader'>;
  readonly noticed: OnNoticed;
}

export function followChanges(deps: FollowDeps): () => Promise<void> {
  const follower = new Follower(deps);
  deps.site.live.afterReading(() => follower.look());
  return () => follower.end();
}

class Follower {
  readonly #deps: FollowDeps;
  readonly #objects: ObjectTables;
  readonly #others: OtherWriters;
  readonly #stop = new AbortController();
  #comparing = Promise.resolve();
  #isComparing = false;
  #indexing = Promise.resolve();
  #logged: readonly LoggedRow[] = [];
  readonly #moved = new Set<string>();
  /** Generation of the content before the first write that was certainly seen since the last comparison. */
  #since: number | null = null;
  #generation: number;
  #restUntil = Number.NEGATIVE_INFINITY;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #behind: readonly number[] = [];

  constructor(deps: FollowDeps) {
    this.#deps = deps;
    const { store, site, clock, log } = deps;
    const { registry } = site.reader;
    this.#objects = objectTables(store, registry);
    this.#others = new OtherWriters({
      ...{ content: store.content.primary, prefix: store.prefix, tables: watchedTables(store, registry), clock, log },
      hasManagerLog: store.kind === 'attached' && store.tables.has(`${store.prefix}manager_log`),
    });
    this.#generation = site.live.changes.newest();
    site.live.changes.onChange((_rows, source) => {
      if (source === 'cms') this.#reportedAt = clock.elapsed();
    });
    this.#index();
  }

  async look(): Promise<void> {
    const { clock, site } = this.#deps;
    const generation = site.live.changes.newest();
    const { moved, isCertain, logged } = await this.#others.look();
    // The row of a change comes after it, so a change that was reported lately is taken for that of the row.
    const isOfReported = clock.elapsed() - this.#reportedAt < logDelay;
    if (isCertain || (logged.length > 0 && !isOfReported)) this.#since ??= this.#generation;
    this.#generation = generation;
    this.#logged = [...this.#logged, ...logged];
    for (const name of moved) this.#moved.add(name);
    if (this.#isComparing) return;
    this.#isComparing = true;
    const work = async () => {
      while (!this.#stop.signal.aborted && this.#isDue()) await this.#catchUp();
    };
    this.#comparing = this.#run('comparing content', work).finally(() => {
      this.#isComparing = false;
    });
  }

  #isDue(): boolean {
    if (this.#logged.length > 0 || [...this.#moved].some((name) => this.#objects.has(name))) return true;
    return this.#moved.size > 0 && this.#deps.clock.elapsed() >= this.#restUntil;
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#indexing, this.#comparing]);
  }

  async #run(during: string, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!this.#stop.signal.aborted) reportFailure(this.#deps.log, { during, error });
    }
  }

  /** Next to comparisons, which report changes and must not wait for it. */
  #index(source?: EventSource): void {
    const { store, site } = this.#deps;
    const stop = this.#stop.signal;
    const work = async () => {
      await buildIndexes(store, stop, source);
      await site.live.changes.look();
      const behind = this.#behind;
      this.#behind = [];
      for (const ids of batchesOf(behind, batchSize)) if (!stop.aborted) await indexNow(store, { ids });
    };
    this.#indexing = this.#indexing.then(() => this.#run('making the indexes of content', work));
  }

  async #catchUp(): Promise<void> {
    const { store, site, noticed } = this.#deps;
    const [logged, since] = [this.#logged, this.#since];
    [this.#logged, this.#since] = [[], null];
    try {
      const comparesAll = logged.length > 0 && (await this.#compareLogged(logged));
      const tables = new Map([...this.#objects].filter(([name]) => comparesAll || this.#moved.has(name)));
      for (const name of tables.keys()) this.#moved.delete(name);
      if (tables.size > 0 && (await noticeTables(store, tables, noticed))) this.#index('cms');
      await this.#compareResources(comparesAll, since);
      await site.live.changes.look();
    } catch (error) {
      // It is unknown what has been compared, so the next comparison is of everything.
      this.#logged = [...this.#logged, null];
      this.#since = since ?? this.#since;
      throw error;
    }
  }

  /** True when the rows of the log do not name all that may have changed. */
  async #compareLogged(logged: readonly LoggedRow[]): Promise<boolean> {
    const { store, noticed } = this.#deps;
    const { content, own, prefix } = store;
    const ids = logged.filter((id) => id !== null);
    const below = await readDescendants({ db: content.primary, prefix }, { ids, most: mostBelow });
    const changes = await compareSeen(own.primary, contentOf(store), [...ids, ...(below ?? [])]);
    await notice(store, { ids: changes.map(({ id }) => id), noticed });
    return below === null || ids.length < logged.length;
  }

  async #compareResources(comparesAll: boolean, since: number | null): Promise<void> {
    const { store, clock, noticed } = this.#deps;
    const begun = clock.elapsed();
    if (!comparesAll && this.#moved.size > 0 && begun < this.#restUntil) {
      this.#since = since ?? this.#since;
      return;
    }
    const moved = new Set(this.#moved);
    this.#moved.clear();
    if (comparesAll || moved.size > 0) {
      const compared = () => {
        const now = clock.elapsed();
        this.#restUntil = now + Math.min(longestRest, rest * (now - begun));
      };
      const which = comparesAll ? {} : { moved };
      const found = await noticeAll(store, { noticed, stop: this.#stop.signal, compared, ...which });
      if (found.length > batchSize) {
        this.#behind = [...this.#behind, ...found];
        this.#index();
      }
    }
    if (since !== null) await announceAllChanged(store, since);
  }
}
