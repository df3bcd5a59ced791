/** Imports events by the rule of live ones. A row without a whole address counts as a separate visitor. */

import type { Environment } from '../../config/definitions.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { hmacSha256Hex, sha256Hex } from '../../crypto/primitives.js';
import type { Store } from '../../store/open/open.js';
import { rootSecret } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import { type NamedKind, readNames } from '../models/audit.js';
import { clicks, type EventKind, impressions } from '../models/events.js';
import { localDay } from '../rules/local-time.js';
import { eventKeyText, truncateAddress, visitorOf } from '../rules/visitor.js';
import { establishDaysZone } from '../statistics/move-days.js';
import { findEvents } from './event-rows.js';
import { type NewClick, recordClicks, recordImpressions } from './record-events.js';
import { trackingDigests } from './tracker.js';

export interface ImportedEvent {
  readonly id: number | null;
  readonly ad: number;
  readonly position: number;
  readonly at: number;
  readonly referrer: string;
  readonly ip: string;
  readonly orderId: string | null;
}

export interface ImportCounts {
  readonly added: number;
  /** The event exists, or another one of the same visitor and day. */
  readonly known: number;
  /** Their ids belong to other events. */
  readonly taken: number;
}

export interface EventImport {
  unknown(kind: NamedKind, ids: readonly number[]): Promise<ReadonlySet<number>>;
  write(events: readonly ImportedEvent[]): Promise<ImportCounts>;
  /** Counts what `write` would do after the events previewed so far. */
  preview(events: readonly ImportedEvent[]): Promise<ImportCounts>;
}

interface ImportOptions {
  readonly kind: EventKind;
  readonly env: Environment;
  /** The configured root secret; null = the one of the store. */
  readonly secret: string | null;
}

export async function openEventImport(store: Store, { kind, env, secret }: ImportOptions): Promise<EventImport> {
  const { own } = store;
  const { values } = await readRuntimeSettings(store, env);
  const zone = values.banners_timezone;
  const key = secret ?? (await rootSecret(store));
  // The same key as a server's: an event that was counted live is recognised by its address.
  const digest = trackingDigests((purpose, text) => hmacSha256Hex(key, `${purpose}:${text}`)).visitor;
  const rowOf = (event: ImportedEvent): ImportedEvent & NewClick => {
    const day = localDay(event.at, zone);
    const kept = truncateAddress(event.ip);
    const isWhole = kept !== event.ip && kept !== '';
    return {
      ...event,
      day,
      ip: values.banners_store_full_ip ? event.ip : kept,
      visitor: isWhole ? visitorOf({ ip: event.ip, day, digest }) : rowVisitor(event, digest),
    };
  };
  const previewedKeys = new Set<number>();
  const previewedIds = new Map<number, number>();
  const holders = async (events: readonly NumberedEvent[]): Promise<Map<number, number>> => {
    const found = new Map<number, number>();
    const model = kind === 'clicks' ? clicks.on(own.primary) : impressions.on(own.primary);
    for (const id of batchesOf(idsOf(events))) {
      for (const event of await model.lookUpAll({ id })) found.set(event.id, fingerprint(event));
    }
    return found;
  };
  return {
    async unknown(named, ids) {
      const known = await readNames(own.primary, named, ids);
      return new Set(ids.filter((id) => !known.has(id)));
    },
    async write(events) {
      await establishDaysZone(own, zone);
      const used = await holders(events);
      const rows = events.filter((event) => isOtherEvent(event, used)).map(rowOf);
      const recorded = kind === 'clicks' ? await recordClicks(own, rows) : await recordImpressions(own, rows);
      const added = recorded.filter(Boolean).length;
      const passed = rows.filter((_, at) => recorded[at] !== true);
      const existing = await findEvents(own.primary, kind, passed);
      const taken = passed.filter((row) => !existing.has(eventKeyText(row))).length;
      return { added, taken, known: events.length - added - taken };
    },
    async preview(events) {
      const rows = events.map(rowOf);
      const existing = await findEvents(own.primary, kind, rows);
      const used = await holders(rows);
      const counts = { added: 0, known: 0, taken: 0 };
      for (const row of rows) {
        const key = shortHash(eventKeyText(row));
        // In the order of the checks of `write`.
        if (!isOtherEvent(row, used) || !isOtherEvent(row, previewedIds)) counts.known += 1;
        else if (existing.has(eventKeyText(row)) || previewedKeys.has(key)) counts.known += 1;
        else if (row.id !== null && (used.has(row.id) || previewedIds.has(row.id))) counts.taken += 1;
        else {
          counts.added += 1;
          previewedKeys.add(key);
          if (row.id !== null) previewedIds.set(row.id, fingerprint(row));
        }
      }
      return counts;
    },
  };
}

type EventFacts = Pick<ImportedEvent, 'ad' | 'position' | 'at'>;

type NumberedEvent = EventFacts & { readonly id: number | null };

function idsOf(events: readonly NumberedEvent[]): number[] {
  return events.flatMap(({ id }) => (id === null ? [] : [id]));
}

/** False if the event with its id is this event. Exports cut addresses, so the visitor does not identify it. */
function isOtherEvent(event: NumberedEvent, holders: ReadonlyMap<number, number>): boolean {
  return event.id === null || holders.get(event.id) !== fingerprint(event);
}

/** Exports have no milliseconds. */
function fingerprint({ ad, position, at }: EventFacts): number {
  return shortHash(`${ad}-${position}-${Math.floor(at / 1000)}`);
}

function rowVisitor({ id, at, ip, referrer, orderId }: ImportedEvent, digest: (text: string) => string): string {
  return digest(JSON.stringify(['row', id, at, ip, referrer, orderId])).slice(0, 16);
}

/** 52 bits: a million keys in a set of numbers instead of long texts. */
function shortHash(text: string): number {
  return Number.parseInt(sha256Hex(text).slice(0, 13), 16);
}
