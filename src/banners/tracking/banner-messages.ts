/** Queues messages about events (docs/banners-tracking.md#messages) in the transaction of the events. */

import type { Settings } from '../../config/setting-definitions.js';
import { randomId } from '../../crypto/primitives.js';
import { isSealed, type Sealer } from '../../crypto/seal.js';
import type { Database } from '../../store/base/database.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { perObject } from '../../values/per-object.js';
import { insertDeliveries } from '../../webhooks/queue/enqueue.js';
import { prepareReceiver, type SettingReceiver } from '../../webhooks/queue/setting-receiver.js';
import type { EventKind } from '../models/events.js';
import type { Messages, TrackedEvent } from './event-buffer.js';
import { eventKeyText, findEvents } from './event-rows.js';

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

export function makeBannerMessages({ own, settings, sealer }: BannerMessagesDeps): Messages {
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

function receiverOf(kind: EventKind, settings: MessageSettings): SettingReceiver {
  const secret = settings.banners_webhook_secret;
  return kind === 'clicks'
    ? { setting: 'banners_webhook_url', event: 'banner.click', url: settings.banners_webhook_url, secret }
    : {
        setting: 'banners_webhook_impression_url',
        event: 'banner.impression',
        url: settings.banners_webhook_impression_url,
        secret,
      };
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
