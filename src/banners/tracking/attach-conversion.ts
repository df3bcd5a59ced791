/**
 * Attributes an order to a click: the conversion belongs to day, banner and position of the click. A click has one
 * order, the last one that was submitted, and counts once.
 */

import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Database } from '../../store/base/database.js';
import { writeNoted } from '../management/note-write.js';
import { addToDays } from '../rows/ad-days.js';
import { eventKeyText, findEvents } from '../rows/ad-events.js';
import { readNames } from '../rows/ad-names.js';
import { type AttributedClick, findClick, lockClick, setOrder } from '../rows/ad-orders.js';
import { type ClickReference, readClickReference } from '../rules/click-reference.js';
import { addDays } from '../rules/local-time.js';
import type { TrackingDigests } from './tracking-digests.js';

export interface ConversionDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly digests: Pick<TrackingDigests, 'click'>;
  readonly isSameSecret: (given: string, expected: string) => boolean;
  /** Writes the clicks that wait in this process. */
  readonly flush: () => Promise<void>;
}

export interface Conversion {
  /** Id of the click's row, or the value of its cookie. */
  readonly click: number | string;
  readonly orderId: string;
}

export interface Attached extends Omit<AttributedClick, 'orderId'> {
  /** The click had no order before. */
  readonly isFirst: boolean;
}

/** Other processes write their clicks within a second: so often, and so far apart, is looked again. */
const looks = 4;
const betweenLooks = 300;

/** Throws not_found for a click that there is not. */
export async function attachConversion(deps: ConversionDeps, { click, orderId }: Conversion): Promise<Attached> {
  const id = await findClickId(deps, click);
  const attached = id === null ? null : await attach(deps.own, id, orderId);
  if (attached === null) throw new AppError('not_found');
  return attached;
}

function attach(own: Database, id: number, orderId: string): Promise<Attached | null> {
  return writeNoted(own, async (tx, note) => {
    // Held: of two that come at once one is the first, and a change of the time zone does not move it meanwhile.
    const click = await lockClick(tx, id);
    if (click === null) return null;
    const { orderId: before, ...attached } = click;
    const { day, ad, position } = click;
    await setOrder(tx, id, orderId);
    if (before === null) await addToDays(tx, [{ day, ad, position, clicks: 0, impressions: 0, conversions: 1 }]);
    await note({
      entity: 'click',
      id,
      label: (await readNames(tx, 'ad', [ad])).get(ad) ?? '',
      action: 'conversion',
      username: 'rest-api',
      before: { order_id: before },
      after: { order_id: orderId },
    });
    return { ...attached, isFirst: before === null };
  });
}

async function findClickId({ own, ...deps }: ConversionDeps, click: number | string): Promise<number | null> {
  if (typeof click === 'number') return (await findClick(own.primary, click))?.id ?? null;
  const reference = readClickReference(click, { digest: deps.digests.click, isSame: deps.isSameSecret });
  if (reference === null) return null;
  await deps.flush();
  for (let look = 1; ; look += 1) {
    const found = await findReferenced(own, reference);
    if (found !== null || look === looks) return found;
    await deps.clock.sleep(betweenLooks);
  }
}

/** A change of the time zone may have put the click under the day before or after; its visitor is of no other click. */
async function findReferenced(own: Database, reference: ClickReference): Promise<number | null> {
  const keys = [0, -1, 1].map((days) => ({ ...reference, day: addDays(reference.day, days) }));
  const ids = await findEvents(own.primary, 'clicks', keys);
  return keys.map((key) => ids.get(eventKeyText(key))).find((id) => id !== undefined) ?? null;
}
