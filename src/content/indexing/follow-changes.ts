/**
 * Builds new indexes of content when a server starts, and follows what other programs change: the log of the CMS's manager
 * and the times of tables say where to look, and only the comparison with what is known says what changed.
 */
import type { Clock } from '../../clock/clock.js';
import { reportFailure } from '../../log/failures.js';
import type { Log } from '../../log/observation.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import type { LoggedRow } from '../live/manager-log.js';
import { OtherWriters } from '../live/other-writers.js';
import type { Site } from '../live/site.js';
import { type ObjectTables, objectTables, watchedTables } from '../objects/watched-tables.js';
import { readDescendants } from '../reading/ancestors.js';
import { together } from './content-index.js';
import { buildIndexes, indexNow } from './keep-indexes.js';
import { notice, noticeAll, noticeTables, type OnNoticed, tellLogged, tellUndone } from './notice.js';

/** After a look at all resources it rests this many times as long, so that steady writers keep no processor busy. */
const rest = 2;
/** Milliseconds. */
const longestRest = 5000;
/** Milliseconds between the change of a resource and its row in the log. */
const lately = 2000;
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
  readonly #building: Promise<void>;
  #work = Promise.resolve();
  #isBusy = false;
  #logged: readonly LoggedRow[] = [];
  readonly #moved = new Set<string>();
  /** Generation of the content before the first change that the times of tables show. */
  #since: number | null = null;
  #generation: number;
  #restUntil = Number.NEGATIVE_INFINITY;
  /** When other programs' changes were told, by resource; 0 stands for everything. */
  readonly #told = new Map<number, number>();

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
    site.live.changes.onChange((rows, source) => {
      if (source !== 'cms') return;
      const now = clock.elapsed();
      for (const key of rows === 'everything' ? [0] : rows.map((row) => Number(row.key))) this.#told.set(key, now);
    });
    this.#building = this.#run('making the indexes of content', () => buildIndexes(store, this.#stop.signal));
  }

  async look(): Promise<void> {
    const generation = this.#deps.site.live.changes.newest();
    const { moved, isCertain, logged } = await this.#others.look();
    const from = this.#deps.clock.elapsed() - lately;
    for (const [id, at] of this.#told) if (at < from) this.#told.delete(id);
    if (isCertain) this.#since ??= this.#generation;
    this.#generation = generation;
    this.#logged = [...this.#logged, ...logged];
    for (const name of moved) this.#moved.add(name);
    if (this.#isBusy) return;
    this.#isBusy = true;
    const work = async () => {
      while (!this.#stop.signal.aborted && this.#isDue()) await this.#catchUp();
    };
    this.#work = this.#run('comparing content', work).finally(() => {
      this.#isBusy = false;
    });
  }

  #isDue(): boolean {
    if (this.#logged.length > 0 || [...this.#moved].some((name) => this.#objects.has(name))) return true;
    return this.#moved.size > 0 && this.#deps.clock.elapsed() >= this.#restUntil;
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#building, this.#work]);
  }

  async #run(during: string, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!this.#stop.signal.aborted) reportFailure(this.#deps.log, { during, error });
    }
  }

  async #catchUp(): Promise<void> {
    const { store, site, noticed } = this.#deps;
    const [logged, moved, since] = [this.#logged, new Set(this.#moved), this.#since];
    try {
      [this.#logged, this.#since] = [[], null];
      const isAnything = logged.length > 0 && (await this.#compareLogged(logged));
      const tables = new Map([...this.#objects].filter(([name]) => isAnything || moved.has(name)));
      for (const name of tables.keys()) this.#moved.delete(name);
      if (tables.size > 0) await noticeTables(store, tables, noticed);
      await this.#compareResources(isAnything, since);
      await site.live.changes.look();
      const untold = logged.filter((row) => !this.#isTold(row));
      if (untold.length > 0) await tellLogged(store, untold);
      await site.live.changes.look();
    } catch (error) {
      this.#logged = [...logged, ...this.#logged];
      this.#since = since ?? this.#since;
      for (const name of moved) this.#moved.add(name);
      throw error;
    }
  }

  #isTold({ changed }: LoggedRow): boolean {
    if (changed === 'resources') return this.#told.size > 0;
    return changed !== null && this.#told.has(changed === 'elements' ? 0 : changed);
  }

  /** True when the rows of the log do not name all that may have changed. */
  async #compareLogged(logged: readonly LoggedRow[]): Promise<boolean> {
    const { store, noticed } = this.#deps;
    const ids = logged.flatMap(({ changed }) => (typeof changed === 'number' ? changed : []));
    const source = { db: store.content.primary, prefix: store.prefix };
    const below = await readDescendants(source, { ids, most: mostBelow });
    await notice(store, { ids: [...ids, ...(below ?? [])], noticed });
    return below === null || ids.length < logged.length;
  }

  async #compareResources(isAnything: boolean, since: number | null): Promise<void> {
    const { store, clock, noticed } = this.#deps;
    const begun = clock.elapsed();
    if (!isAnything && this.#moved.size > 0 && begun < this.#restUntil) {
      this.#since = since ?? this.#since;
      return;
    }
    const moved = new Set(this.#moved);
    this.#moved.clear();
    if (isAnything || moved.size > 0) {
      const which = isAnything ? {} : { moved };
      const found = await noticeAll(store, { noticed, stop: this.#stop.signal, ...which });
      const now = clock.elapsed();
      this.#restUntil = now + Math.min(longestRest, rest * (now - begun));
      if (found.length > together) {
        for (const ids of batchesOf(found, together)) if (!this.#stop.signal.aborted) await indexNow(store, { ids });
      }
    }
    if (since !== null) await tellUndone(store, since);
  }
}
