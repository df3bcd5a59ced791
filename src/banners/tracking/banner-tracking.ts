/** Connects the parts of tracking with an open store: memory of banners, buffer of events, messages. */
import type { Clock } from '../../clock/clock.js';
import type { Settings } from '../../config/settings.js';
import type { Site } from '../../content/live/site.js';
import { isSameSecret, randomBelow, randomId } from '../../crypto/primitives.js';
import { isSealed, type Sealer } from '../../crypto/seal.js';
import type { Log } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import { onCommit } from '../../store/base/transaction.js';
import type { Store } from '../../store/open/open.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { perObject } from '../../values/kept-values.js';
import { insertDeliveries, prepareReceiver, type SettingReceiver } from '../../webhooks/queue/enqueue.js';
import type { EventKind } from '../models/events.js';
import { eventKeyText } from '../rules/visitor.js';
import { attachConversion, type Conversion } from './attach-conversion.js';
import { BannerSums } from './banner-sums.js';
import { EventBuffer, type Messages, type TrackedEvent } from './event-buffer.js';
import { findEvents } from './event-rows.js';
import { PlacementMemory } from './placement-memory.js';
import { ancestorsOf, readSlot, type Slot, type SlotQuestion } from './read-slot.js';
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
    onWritten: (kind, ad) => sums.note(kind, ad),
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

type MessageSettings = Pick<
  Settings,
  'banners_webhook_url' | 'banners_webhook_impression_url' | 'banners_webhook_secret'
>;

interface BannerMessagesDeps {
  readonly own: Database;
  readonly settings: () => MessageSettings;
  readonly sealer: Sealer;
}

/** These events have no revision: receivers recognise repeated ones by their id. */
const noRevision = 0;

/** Queues messages about events (docs/banners-tracking.md#messages) in the transaction of the events. */
function makeBannerMessages({ own, settings, sealer }: BannerMessagesDeps): Messages {
  /** An event that is written again because an answer was lost keeps its id. */
  const idOf = perObject<TrackedEvent, string>(() => randomId());
  return {
    wants: (kind) => receiverOf(kind, settings()).url !== '',
    async queue(events) {
      const [first] = events;
      if (first === undefined) return undefined;
      const receiver = openReceiver(receiverOf(first.kind, settings()), sealer);
      const id = receiver.url === '' ? null : await prepareReceiver(own, receiver, sealer);
      if (id === null) return undefined;
      return async (tx, recorded) => {
        const rows = first.kind === 'clicks' ? await findEvents(tx, 'clicks', events) : new Map<string, number>();
        for (const [at, event] of events.entries()) {
          await insertDeliveries(tx, {
            subscriptionIds: [id],
            eventId: idOf(event),
            event: receiver.event,
            revision: noRevision,
            body: messageBody(event, { isNew: recorded[at] === true, row: rows.get(eventKeyText(event)) ?? null }),
          });
        }
      };
    },
  };
}

const receivers = {
  clicks: { setting: 'banners_webhook_url', event: 'banner.click' },
  impressions: { setting: 'banners_webhook_impression_url', event: 'banner.impression' },
} as const;

function receiverOf(kind: EventKind, settings: MessageSettings): SettingReceiver {
  const receiver = receivers[kind];
  return { ...receiver, url: settings[receiver.setting], secret: settings.banners_webhook_secret };
}

/** Under another root secret the receiver refuses the messages, and doctor says why. */
function openReceiver(receiver: SettingReceiver, sealer: Sealer): SettingReceiver {
  if (!isSealed(receiver.secret)) return receiver;
  const opened = sealer.unseal(receiver.secret);
  return opened.kind === 'opened' ? { ...receiver, secret: opened.text } : receiver;
}

function messageBody(
  event: TrackedEvent,
  { isNew, row }: { readonly isNew: boolean; readonly row: number | null },
): string {
  const isClick = event.kind === 'clicks';
  return JSON.stringify({
    event: isClick ? 'click' : 'impression',
    ad_id: event.ad,
    position_id: event.position,
    adposition: event.adposition,
    ...(isClick ? { referrer: event.referrer } : {}),
    ip: event.ip,
    ...(isClick ? { click_id: row } : {}),
    timestamp: isoTimeOfMs(event.at),
    ...(isClick ? { redirect_url: event.target } : {}),
    recorded: isNew,
    duplicate: !isNew,
  });
}
