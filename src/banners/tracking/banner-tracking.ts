/** Connects the parts of tracking with an open store: memory of banners, buffer of events, messages. */
import type { Clock } from '../../clock/clock.js';
import type { Settings } from '../../config/setting-definitions.js';
import type { Site } from '../../content/live/site.js';
import { siteContent } from '../../content/models/resources.js';
import { isSameSecret, randomBelow } from '../../crypto/primitives.js';
import type { Sealer } from '../../crypto/seal.js';
import type { Log } from '../../log/observation.js';
import type { Reader } from '../../store/base/database.js';
import { onCommit } from '../../store/base/transaction.js';
import type { Store } from '../../store/open/open.js';
import { LruMap } from '../../values/lru-map.js';
import { attachConversion, type Conversion } from './attach-conversion.js';
import { makeBannerMessages } from './banner-messages.js';
import { BannerSums } from './banner-sums.js';
import { EventBuffer } from './event-buffer.js';
import { PlacementMemory } from './placement-memory.js';
import { readSlot, type Slot, type SlotQuestion } from './read-slot.js';
import { Tracker, trackingDigests } from './tracker.js';

interface BannerTrackingDeps {
  readonly store: Store;
  readonly site: Pick<Site, 'live' | 'sign' | 'onContentChange'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
}

/** Enough digits for any sum of weights. */
const chances = 2 ** 47;

export type BannerTracking = ReturnType<typeof makeBannerTracking>;

export function makeBannerTracking({ store, site, clock, log, sealer }: BannerTrackingDeps) {
  const { own, content, prefix } = store;
  const { live } = site;
  const digests = trackingDigests(site.sign);
  const settings = (): Settings => live.current().settings.values;
  const messages = makeBannerMessages({ own, settings, sealer });
  const buffer: EventBuffer = new EventBuffer({
    ...{ own, clock, log, messages },
    onWritten: ({ kind, ad, count }) => sums.note(kind, { ad, count }),
  });
  const sums = new BannerSums(own.primary, (kind, ad) => buffer.pending(kind, ad));
  const zone = () => settings().banners_timezone;
  const memory = new PlacementMemory({ own, content, prefix, sums, zone, clock, log });
  const ancestors = new AncestorMemory({ content: content.primary, prefix });
  site.onContentChange((rows) => {
    ancestors.clear();
    if (rows === 'everything') memory.invalidate();
    else memory.invalidatePages(rows.flatMap(({ before, after }) => [before?.get('id'), after?.get('id')]));
  });
  live.onChange(() => memory.invalidate());
  const endListening = onCommit(own, 'banners', async () => memory.invalidate());
  const flush = () => buffer.flush();
  const slotDeps = {
    view: () => memory.current(),
    counts: (ad: number) => sums.of(ad),
    ancestors: (resource: number) => ancestors.of(resource),
    random: () => randomBelow(chances) / chances,
  };
  return {
    tracker: new Tracker({ memory, buffer, live: () => live.current(), clock, digests }),
    async readSlot(question: SlotQuestion): Promise<Slot> {
      await memory.fresh();
      return readSlot(slotDeps, question);
    },
    invalidate: () => memory.invalidate(),
    attachConversion: (conversion: Conversion) =>
      attachConversion({ own, clock, digests, isSameSecret, flush }, conversion),
    buffered: () => buffer.use,
    flush,
    /** `close` writes the waiting events. */
    async start(): Promise<void> {
      await memory.refresh();
      memory.start();
    },
    async close(): Promise<void> {
      endListening();
      memory.stop();
      await buffer.close();
    },
  };
}

interface AncestorMemoryDeps {
  readonly content: Reader;
  readonly prefix: string;
}

const mostRemembered = 10_000;
/** Deeper trees are damaged. */
const deepest = 100;

class AncestorMemory {
  readonly #deps: AncestorMemoryDeps;
  readonly #parents = new LruMap<number, number>(mostRemembered);
  /** A parent that was read during a change is not kept. */
  #changes = 0;

  constructor(deps: AncestorMemoryDeps) {
    this.#deps = deps;
  }

  async of(resource: number): Promise<ReadonlySet<number>> {
    const above = new Set<number>();
    let at = await this.#parentOf(resource);
    // In damaged data, parents may form a circle.
    while (at > 0 && !above.has(at) && above.size < deepest) {
      above.add(at);
      at = await this.#parentOf(at);
    }
    return above;
  }

  clear(): void {
    this.#changes += 1;
    this.#parents.clear();
  }

  async #parentOf(id: number): Promise<number> {
    const known = this.#parents.get(id);
    if (known !== undefined) return known;
    const { content, prefix } = this.#deps;
    const before = this.#changes;
    const [row] = await siteContent.on(content, prefix).lookUpAll({ id }, { attributes: ['parent'] });
    const parent = row?.parent ?? 0;
    if (before === this.#changes) this.#parents.set(id, parent);
    return parent;
  }
}
