/** Attributes an order to a click. A click has one order, the last one submitted, and counts once. */

import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Database } from '../../store/base/database.js';
import { writeNoted } from '../management/audit.js';
import { readNames } from '../models/audit.js';
import { clicks } from '../models/events.js';
import { addDays } from '../rules/local-time.js';
import { readClickReference } from '../rules/redirect-target.js';
import { type EventKey, eventKeyText } from '../rules/visitor.js';
import { addToDays } from '../statistics/add-to-days.js';
import { findEvents } from './event-rows.js';
import type { TrackingDigests } from './tracker.js';

interface ConversionDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly digests: Pick<TrackingDigests, 'click'>;
  readonly isSameSecret: (given: string, expected: string) => boolean;
  readonly flush: () => Promise<void>;
}

export interface Conversion {
  readonly click: number | string;
  readonly orderId: string;
}

export interface Attached {
  readonly id: number;
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  readonly isFirst: boolean;
}

/** Other processes write their clicks within a second. */
const looks = 4;
const betweenLooks = 300;

/** Throws not_found for an unknown click. */
export async function attachConversion(deps: ConversionDeps, { click, orderId }: Conversion): Promise<Attached> {
  const id = await findClickId(deps, click);
  const attached = id === null ? null : await attach(deps.own, id, orderId);
  if (attached === null) throw new AppError('not_found');
  return attached;
}

function attach(own: Database, id: number, orderId: string): Promise<Attached | null> {
  return writeNoted({ own, username: 'rest-api' }, async (tx, note) => {
    // Locked, so that one of two simultaneous orders is first, and a change of the time zone cannot move the click.
    const attributes = ['day', 'ad', 'position', 'orderId'] as const;
    const [click] = await clicks.on(tx).lookUpAll({ id }, { attributes, lock: true });
    if (click === undefined) return null;
    const { day, ad, position, orderId: before } = click;
    await clicks.on(tx).update({ orderId }, { where: { id } });
    if (before === null) await addToDays(tx, [{ day, ad, position, clicks: 0, impressions: 0, conversions: 1 }]);
    await note({
      entity: 'click',
      id,
      label: (await readNames(tx, 'ad', [ad])).get(ad) ?? '',
      action: 'conversion',
      before: { order_id: before },
      after: { order_id: orderId },
    });
    return { id, day, ad, position, isFirst: before === null };
  });
}

async function findClickId({ own, ...deps }: ConversionDeps, click: number | string): Promise<number | null> {
  if (typeof click === 'number') return (await clicks.on(own.primary).lookUp({ id: click }))?.id ?? null;
  const reference = readClickReference(click, { digest: deps.digests.click, isSame: deps.isSameSecret });
  if (reference === null) return null;
  await deps.flush();
  for (let look = 1; ; look += 1) {
    const found = await findReferenced(own, reference);
    if (found !== null || look === looks) return found;
    await deps.clock.sleep(betweenLooks);
  }
}

/** A change of the time zone may have moved the click to the day before or after; no other click has its visitor. */
async function findReferenced(own: Database, reference: EventKey): Promise<number | null> {
  const keys = [0, -1, 1].map((days) => ({ ...reference, day: addDays(reference.day, days) }));
  const ids = await findEvents(own.primary, 'clicks', keys);
  return keys.map((key) => ids.get(eventKeyText(key))).find((id) => id !== undefined) ?? null;
}
