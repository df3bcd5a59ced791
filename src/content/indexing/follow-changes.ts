/**
 * Builds new indexes of content when a server starts, and notices and indexes what other programs change: by the log of
 * the CMS's manager, and by the times of tables where that log has nothing.
 */
import type { Clock } from '../../clock/clock.js';
import { reportFailure } from '../../log/failures.js';
import type { Log } from '../../log/observation.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import type { Site } from '../live/site.js';
import { type ObjectTables, objectTables } from '../objects/watched-tables.js';
import { together } from './content-index.js';
import { buildIndexes, indexNow, sweepNext } from './keep-indexes.js';
import { noticeTables } from './known-tables.js';
import { notice, noticeAll, type OnNoticed } from './notice.js';

/** After a look at all resources it rests this many times as long, so that steady writers keep no processor busy. */
const rest = 2;
/** Milliseconds. */
const longestRest = 5000;

interface FollowDeps {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly site: Pick<Site, 'live' | 'others' | 'reader'>;
  readonly noticed: OnNoticed;
}

export function followChanges(deps: FollowDeps): () => Promise<void> {
  const { others } = deps.site;
  const objects = objectTables(deps.store, deps.site.reader.registry);
  const follower = new Follower({ ...deps, objects });
  others.onLook(({ moved, logged }) => {
    if (logged === 'everything') follower.isEverything = true;
    else for (const { key } of logged) follower.logged.add(Number(key));
    for (const name of moved) {
      if (objects.has(name)) follower.movedTables.add(name);
      else follower.movedResources.add(name);
    }
    follower.wake();
  });
  return () => follower.end();
}

interface FollowerDeps extends FollowDeps {
  readonly objects: ObjectTables;
}

class Follower {
  readonly logged = new Set<number>();
  isEverything = false;
  readonly movedResources = new Set<string>();
  readonly movedTables = new Set<string>();
  readonly #deps: FollowerDeps;
  readonly #stop = new AbortController();
  #work: Promise<void>;
  #isBusy = false;
  #restUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    this.#work = this.#run('making the indexes of content', () => buildIndexes(deps.store, this.#stop.signal));
  }

  wake(): void {
    const { logged, movedTables, movedResources } = this;
    const isIdle = !this.isEverything && logged.size + movedTables.size + movedResources.size === 0;
    if (this.#isBusy || isIdle) return;
    this.#isBusy = true;
    this.#work = this.#work
      .then(() => this.#run('indexing changed resources', () => this.#catchUp()))
      .finally(() => {
        this.#isBusy = false;
      });
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }

  async #run(during: string, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      // The worker's sweep repeats it.
      if (!this.#stop.signal.aborted) reportFailure(this.#deps.log, { during, error });
    }
  }

  async #catchUp(): Promise<void> {
    const { store, clock, noticed, objects, site } = this.#deps;
    const { signal: stop } = this.#stop;
    while (!stop.aborted) {
      const ids = [...this.logged];
      this.logged.clear();
      if (ids.length > 0) {
        await notice(store, { ids, noticed, areLogged: true });
        await indexNow(store, ids);
      } else if (this.movedTables.size > 0) {
        const moved = new Map([...this.movedTables].map((name) => [name, objects.get(name) ?? null]));
        this.movedTables.clear();
        const announces = site.live.current().settings.values.gateway_cms_events;
        await noticeTables(store, { moved, announces });
        await site.live.followContent();
      } else if (this.movedResources.size > 0 && clock.elapsed() >= this.#restUntil) {
        const found = await this.#lookAtAll();
        await site.live.followContent();
        for (const some of batchesOf(found, together)) if (!stop.aborted) await indexNow(store, some);
      } else if (this.isEverything) {
        this.isEverything = false;
        for (let place: number | null = 0; place !== null && !stop.aborted; )
          place = await sweepNext(store, place, noticed);
      } else return;
    }
  }

  async #lookAtAll(): Promise<readonly number[]> {
    const { store, clock, noticed } = this.#deps;
    const begun = clock.elapsed();
    const moved = new Set(this.movedResources);
    this.movedResources.clear();
    try {
      return await noticeAll(store, { noticed, stop: this.#stop.signal, moved });
    } catch (error) {
      for (const name of moved) this.movedResources.add(name);
      throw error;
    } finally {
      const now = clock.elapsed();
      this.#restUntil = now + Math.min(longestRest, rest * (now - begun));
    }
  }
}
