/** Finds daily sums that differ from a recount of the raw rows, day by day. */
import type { Settings } from '../../config/setting-definitions.js';
import type { Reader } from '../../store/base/database.js';
import { dayMs } from '../../values/dates.js';
import { joinLimits } from '../models/events.js';
import { addDays, dayText, localDay } from '../rules/local-time.js';
import { countedSums, kindOf, readDayLimits, type SumName, storedSums } from './day-sums.js';

export type WrongSum = SumName & { readonly day: number; readonly stored: number; readonly counted: number };

export interface SumsCheck {
  readonly from?: number | null;
  /** Before these days rows may have been removed; null = before the day of the first row. */
  readonly keptFrom?: Readonly<Record<'clicks' | 'impressions', number | null>>;
  readonly stop?: AbortSignal;
}

/** Whether the day still has all rows of the kind; without them a sum above its rows is not wrong. */
export type IsComplete = (kind: 'clicks' | 'impressions', day: number) => boolean;

/** The first days without rows that are past their retention. */
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

export async function* checkDays(own: Reader, { from = null, keptFrom, stop }: SumsCheck): AsyncGenerator<CheckedDay> {
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
