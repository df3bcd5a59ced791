/** Connects the parts of tracking with an open store: memory of banners, buffer of events, messages. */
import type { Clock } from '../../clock/clock.js';
import type { Settings } from '../../config/setting-definitions.js';
import type { Site } from '../../content/live/site.js';
import { isSameSecret, randomBelow } from '../../crypto/primitives.js';
import type { Sealer } from '../../crypto/seal.js';
import type { Log } from '../../log/observation.js';
import { onCommit } from '../../store/base/transaction.js';
import type { Store } from '../../store/open/open.js';
import { ancestorsOf } from './ancestors.js';
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
  let parents = new Map<number, number>();
  site.onContentChange((rows) => {
    // A parent that is read meanwhile goes into the old map.
    parents = new Map();
    if (rows === 'everything') memory.invalidate();
    else memory.invalidatePages(rows.flatMap(({ before, after }) => [before?.get('id'), after?.get('id')]));
  });
  live.onChange(() => memory.invalidate());
  const endListening = onCommit(own, 'banners', async () => memory.invalidate());
  const flush = () => buffer.flush();
  const slotDeps = {
    view: () => memory.current(),
    counts: (ad: number) => sums.of(ad),
    ancestors: (resource: number) => ancestorsOf(store, resource, parents),
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
