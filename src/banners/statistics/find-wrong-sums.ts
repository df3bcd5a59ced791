/** Finds daily sums that differ from a recount of the raw rows, day by day. */
import type { Settings } from '../../config/settings.js';
import { type Database, type Reader, repeatable, type Tx } from '../../store/base/database.js';
import { dayMs } from '../../values/dates.js';
import { joinLimits } from '../models/events.js';
import { addDays, dayText, localDay } from '../rules/local-time.js';
import { addToDays, changeReferrerDays, type DayIncrement, type ReferrerIncrement } from './add-to-days.js';
import { countedSums, keyOf, kindOf, readDayLimits, type SumName, storedSums } from './day-sums.js';

export type WrongSum = SumName & { readonly day: number; readonly stored: number; readonly counted: number };

export interface SumsCheck {
  readonly from?: number | null;
  /** Before these days rows may have been removed; null = before the day of the first row. */
  readonly keptFrom?: Readonly<Record<'clicks' | 'impressions', number | null>>;
  readonly stop?: AbortSignal;
}

/** Whether the day still has all rows of the kind; without them a sum above its rows is not wrong. */
type IsComplete = (kind: 'clicks' | 'impressions', day: number) => boolean;

export function keptDays(
  settings: Pick<Settings, 'banners_clicks_retention_days' | 'banners_impressions_retention_days' | 'banners_timezone'>,
  now: number,
): NonNullable<SumsCheck['keptFrom']> {
  const from = (days: number): number | null =>
    days === 0 ? null : addDays(localDay(now - days * dayMs, settings.banners_timezone), 1);
  return {
    clicks: from(settings.banners_clicks_retention_days),
    impressions: from(settings.banners_impressions_retention_days),
  };
}

interface CheckedDay {
  readonly day: number;
  readonly wrong: readonly WrongSum[];
  readonly isComplete: IsComplete;
}

/** Retention removes rows and keeps sums, so a sum above its rows is wrong only after the first day with rows. */
export async function* findWrongSums(own: Reader, check: SumsCheck = {}): AsyncGenerator<WrongSum> {
  for await (const { wrong } of checkDays(own, check)) yield* wrong;
}

async function* checkDays(own: Reader, { from = null, keptFrom, stop }: SumsCheck): AsyncGenerator<CheckedDay> {
  const clicks = await readDayLimits(own, 'clicks');
  const impressions = await readDayLimits(own, 'impressions');
  const days = joinLimits([clicks, impressions, await readDayLimits(own, 'sums')]);
  if (days === null) return;
  const firstRows = { clicks: clicks?.first, impressions: impressions?.first };
  const isComplete: IsComplete = (kind, day) => {
    const first = firstRows[kind];
    return first !== undefined && day > first && day >= (keptFrom?.[kind] ?? 0);
  };
  for (let day = Math.max(days.first, from ?? days.first); day <= days.last; day = addDays(day, 1)) {
    if (stop?.aborted === true) return;
    yield { day, wrong: await wrongSumsOf(own, day, isComplete), isComplete };
  }
}

async function wrongSumsOf(own: Reader, day: number, isComplete: IsComplete): Promise<readonly WrongSum[]> {
  // The stored sums are read before and after the rows: a right count lies between the two.
  const before = await storedSums(own, { day, positions: [], lock: false });
  const counted = await countedSums(own, day);
  const isBelow = [...counted].some(([key, { value }]) => value > (before.get(key)?.value ?? 0));
  const positions = [...counted.values()].map(({ name }) => name.position);
  const after = isBelow ? await storedSums(own, { day, positions, lock: false }) : before;
  const found: WrongSum[] = [];
  for (const [key, { name, value }] of counted) {
    const stored = after.get(key)?.value ?? 0;
    if (stored < value) found.push({ day, ...name, stored, counted: value });
  }
  for (const [key, { name, value: stored }] of before) {
    const value = counted.get(key)?.value ?? 0;
    if (stored > value && isComplete(kindOf(name), day)) found.push({ day, ...name, stored, counted: value });
  }
  return found.sort(byPlace);
}

const figureOrder: readonly SumName['figure'][] = ['clicks', 'impressions', 'conversions', 'clicks by referrer'];

function byPlace(one: WrongSum, other: WrongSum): number {
  const place = (sum: WrongSum): number => ('ad' in sum ? sum.ad : Number.POSITIVE_INFINITY);
  const figure = (sum: WrongSum): number => figureOrder.indexOf(sum.figure);
  return (
    (place(one) === place(other) ? 0 : place(one) - place(other)) ||
    one.position - other.position ||
    figure(one) - figure(other)
  );
}

export function describeSum(sum: WrongSum): string {
  const { day, figure, position, stored, counted } = sum;
  const what = 'ad' in sum ? `${figure} of banner ${sum.ad}` : `clicks from ${JSON.stringify(sum.referrer)}`;
  return `${what} at ${position === 0 ? 'all positions' : `position ${position}`} on ${dayText(day)}: ${stored}, not ${counted}`;
}

/** Including today; with very many events, all days would take seconds. */
export const usualDays = 3;

export interface Recount extends SumsCheck {
  readonly isLowering: boolean;
  readonly isDryRun: boolean;
  readonly onDay?: (done: number) => void;
}

export type RecountedSum = WrongSum & { readonly isFixed: boolean };

/** Corrects daily sums by a recount, one day per transaction. A sum above its rows is lowered only on request. */
export async function* recountDays(own: Database, recount: Recount): AsyncGenerator<RecountedSum> {
  const { isLowering, isDryRun, onDay } = recount;
  let done = 0;
  for await (const { day, wrong, isComplete } of checkDays(own.primary, recount)) {
    const isRecounted = wrong.length > 0 && !isDryRun;
    const fixed = isRecounted ? await recountDay(own, { day, wrong, isLowering, isComplete }) : new Set<string>();
    yield* wrong.map((sum) => ({ ...sum, isFixed: fixed.has(keyOf(sum)) }));
    done += 1;
    onDay?.(done);
  }
}

interface DayRecount {
  readonly day: number;
  readonly wrong: readonly WrongSum[];
  readonly isLowering: boolean;
  readonly isComplete: IsComplete;
}

async function recountDay(own: Database, recount: DayRecount): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  await own.write(
    async (tx) => {
      for (const { name } of await putRight(tx, recount)) changed.add(keyOf(name));
    },
    // If the first attempt took effect, nothing is left to change.
    repeatable,
  );
  return changed;
}

interface Change {
  readonly name: SumName;
  readonly by: number;
}

/** A sum that appears during the count belongs to a writer that has just finished, and is left unchanged. */
async function putRight(tx: Tx, { day, wrong, isLowering, isComplete }: DayRecount): Promise<readonly Change[]> {
  const locked = { day, positions: wrong.map(({ position }) => position), lock: true };
  const held = await storedSums(tx, locked);
  const counted = await countedSums(tx, day);
  const stored = await storedSums(tx, locked);
  const changes: Change[] = [];
  for (const name of wrong) {
    const key = keyOf(name);
    if (stored.has(key) !== held.has(key)) continue;
    const by = (counted.get(key)?.value ?? 0) - (stored.get(key)?.value ?? 0);
    if (by > 0 || (by < 0 && isLowering && isComplete(kindOf(name), day))) changes.push({ name, by });
  }
  await addToDays(
    tx,
    changes.flatMap((change) => dayIncrement(day, change)),
  );
  await changeReferrerDays(
    tx,
    changes.flatMap((change) => referrerIncrement(day, change)),
  );
  return changes;
}

function dayIncrement(day: number, { name, by }: Change): DayIncrement[] {
  if (name.figure === 'clicks by referrer') return [];
  const { ad, position, figure } = name;
  return [{ day, ad, position, clicks: 0, impressions: 0, conversions: 0, [figure]: by }];
}

function referrerIncrement(day: number, { name, by }: Change): ReferrerIncrement[] {
  return name.figure === 'clicks by referrer'
    ? [{ day, position: name.position, referrer: name.referrer, clicks: by }]
    : [];
}
