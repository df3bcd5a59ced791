/**
 * Brings the change feed up to the real state: a page may come and go by a change of its resource, of contexts
 * or of rights, made by any program. Harmless to repeat and to run in several processes at once.
 */

import type { Clock } from '../../clock/clock.js';
import { batchesOf } from '../../values/batches.js';
import { type DeliverySite, deliverable, factsStatement, hasId } from './deliverable.js';
import { type Difference, readDifferences, readToldPages, type ToldPage, writeDifferences } from './page-feed.js';

/** Pages that one transaction changes, so that other writers do not wait long. */
const together = 200;
/** Pages that are compared at once where content and own tables are in two databases. */
const batch = 1000;
/** A bound for one run; what is left is done by the next. */
const mostRounds = 1000;

const placeFields = { fields: ['id', 'context_key'] } as const;

/** Compares every published page with its resource and writes the differences; gives how many pages changed. */
export async function reconcilePages(site: DeliverySite): Promise<number> {
  return site.store.own === site.store.content ? await reconcileTogether(site) : await reconcileApart(site);
}

async function reconcileTogether(site: DeliverySite): Promise<number> {
  const { store } = site;
  let changed = 0;
  let after = 0;
  for (let round = 0; round < mostRounds; round++) {
    const places = factsStatement(site, [deliverable(site).anywhere], placeFields);
    const differences = await readDifferences(store.content.primary, { places, after, limit: together });
    if (differences.length > 0) changed += await store.own.write((tx) => writeDifferences(tx, differences));
    if (differences.length < together) break;
    after = differences.at(-1)?.told.resource ?? after;
  }
  return changed;
}

async function reconcileApart(site: DeliverySite): Promise<number> {
  const { store } = site;
  let changed = 0;
  let after = 0;
  for (let round = 0; round < mostRounds; round++) {
    const told = await readToldPages(store.own.primary, { after, limit: batch });
    const differences = await compare(site, told);
    for (const some of batchesOf(differences, together)) {
      changed += await store.own.write((tx) => writeDifferences(tx, some));
    }
    after = told.at(-1)?.resource ?? after;
    if (told.length < batch) break;
  }
  return changed;
}

async function compare(site: DeliverySite, told: readonly ToldPage[]): Promise<readonly Difference[]> {
  if (told.length === 0) return [];
  const ids = told.map(({ resource }) => resource);
  const places = factsStatement(site, [hasId(site, ids), deliverable(site).anywhere], placeFields);
  const rows = await site.store.content.primary.select(places);
  const contexts = new Map(rows.map(([id, context]) => [Number(id), String(context)]));
  return told.flatMap((page): Difference[] => {
    const place = page.isPublished && page.lastPublished > 0 ? contexts.get(page.resource) : undefined;
    const context = place ?? null;
    const isTold = page.isDelivered === (context !== null) && (context === null || context === page.deliveredContext);
    return isTold ? [] : [{ told: page, context }];
  });
}

/** Milliseconds for which a look counts while no change is reported. */
const interval = 1000;
/** On a very large site looks are rarer: looking is at most a tenth of what the database does. */
const share = 10;

interface ReconcileWatchDeps {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly reconcile: () => Promise<number>;
}

/** Answers of lists and feeds wait for a look at the real state: after each reported change, else once a second. */
export class ReconcileWatch {
  readonly #deps: ReconcileWatchDeps;
  /** Changes that were heard of, and those that had been heard of when the last look began. */
  #heard = 0;
  #seen = -1;
  #nextLook = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;

  constructor(deps: ReconcileWatchDeps) {
    this.#deps = deps;
  }

  /** Something changed: the next answer needs a new look. */
  noteChange(): void {
    this.#heard += 1;
  }

  /** Resolves when a look that began late enough has ended. Throws unavailable when the database does not answer. */
  async fresh(): Promise<void> {
    const heard = this.#heard;
    // One that is under way may have begun before the change that this answer has to show.
    while (this.#seen < heard || this.#deps.clock.elapsed() >= this.#nextLook) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
      await this.#looking;
    }
  }

  async #look(): Promise<void> {
    const { clock, reconcile } = this.#deps;
    const heard = this.#heard;
    const begun = clock.elapsed();
    await reconcile();
    const took = clock.elapsed() - begun;
    this.#seen = heard;
    this.#nextLook = begun + Math.max(interval, took * share);
  }
}
