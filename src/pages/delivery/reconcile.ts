/** Brings the change feed up to the real state, which resources, contexts and rights change too. May be repeated. */

import type { Clock } from '../../clock/clock.js';
import { batchesOf } from '../../values/batches.js';
import { joined } from '../../values/joined.js';
import { type DeliverySite, deliverable, factsStatement, hasId } from './deliverable.js';
import { type Difference, readDifferences, readToldPages, writeDifferences } from './page-feed.js';

/** So that other writers do not wait long. */
const batchSize = 200;
/** For content and own tables in two databases. */
const batch = 1000;
const mostRounds = 1000;

const placeFields = { fields: ['id', 'context_key'] } as const;

export async function reconcilePages(site: DeliverySite): Promise<number> {
  const { own, content } = site.store;
  const compare = own === content ? compareTogether : compareApart;
  let changed = 0;
  let after: number | null = 0;
  for (let round = 0; after !== null && round < mostRounds; round++) {
    const part: Part = await compare(site, after);
    for (const some of batchesOf(part.differences, batchSize)) {
      changed += await own.write((tx) => writeDifferences(tx, some));
    }
    after = part.next;
  }
  return changed;
}

interface Part {
  readonly differences: readonly Difference[];
  readonly next: number | null;
}

async function compareTogether(site: DeliverySite, after: number): Promise<Part> {
  const places = factsStatement(site, [deliverable(site).anywhere], placeFields);
  const differences = await readDifferences(site.store.content.primary, { places, after, limit: batchSize });
  return { differences, next: differences.length < batchSize ? null : (differences.at(-1)?.told.resource ?? null) };
}

async function compareApart(site: DeliverySite, after: number): Promise<Part> {
  const { own, content } = site.store;
  const told = await readToldPages(own.primary, { after, limit: batch });
  const ids = told.map(({ resource }) => resource);
  const places = factsStatement(site, [hasId(site, ids), deliverable(site).anywhere], placeFields);
  const rows = ids.length === 0 ? [] : await content.primary.select(places);
  const contexts = new Map(rows.map(([id, context]) => [Number(id), String(context)]));
  const differences = told.flatMap((page): Difference[] => {
    const place = page.isPublished && page.lastPublished > 0 ? contexts.get(page.resource) : undefined;
    const context = place ?? null;
    const isTold = page.isDelivered === (context !== null) && (context === null || context === page.deliveredContext);
    return isTold ? [] : [{ told: page, context }];
  });
  return { differences, next: told.length < batch ? null : (ids.at(-1) ?? null) };
}

/** Milliseconds for which a comparison is valid while no change is reported. */
const interval = 1000;
/** On a very large site comparisons take at most a tenth of the time. */
const share = 10;

interface ReconcileWatchDeps {
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Number of the last change that was reported. */
  readonly heard: () => number;
  readonly reconcile: () => Promise<number>;
}

/** Lists and feeds wait for a comparison with the real state: after each reported change, else once a second. */
export class ReconcileWatch {
  readonly #deps: ReconcileWatchDeps;
  #seen = -1;
  #nextLook = Number.NEGATIVE_INFINITY;

  constructor(deps: ReconcileWatchDeps) {
    this.#deps = deps;
  }

  /** Throws unavailable when the database does not answer. */
  async fresh(): Promise<void> {
    const heard = this.#deps.heard();
    // A comparison under way may have begun before the change that this answer has to show.
    while (this.#seen < heard || this.#deps.clock.elapsed() >= this.#nextLook) await this.#look();
  }

  readonly #look = joined(async (): Promise<void> => {
    const { clock, reconcile } = this.#deps;
    const heard = this.#deps.heard();
    const begun = clock.elapsed();
    await reconcile();
    const took = clock.elapsed() - begun;
    this.#seen = heard;
    this.#nextLook = begun + Math.max(interval, took * share);
  });
}
