/** Checks that the sums of the days are what a recount of the raw rows gives, day by day. */
import { addDays } from '../../banners/local-time.js';
import type { Reader } from '../../store/database.js';
import {
  type DayLimits,
  type PlaceSums,
  readDayLimits,
  readSumsOfDay,
  recountDay,
} from '../../store/rows/ad-recount.js';

const figures = ['clicks', 'impressions', 'conversions'] as const;
type Figure = (typeof figures)[number];

/** A sum that is not what its rows say. */
export interface WrongSum {
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  readonly figure: Figure;
  readonly stored: number;
  readonly counted: number;
}

/**
 * Sums that are wrong. A sum below its rows always is; a sum above them only after the first day that has rows, since
 * retention removes rows and keeps sums. Events that come in during the check may show as wrong: check such a day again.
 */
export async function* findWrongSums(own: Reader, stop?: AbortSignal): AsyncGenerator<WrongSum> {
  const clicks = await readDayLimits(own, 'clicks');
  const impressions = await readDayLimits(own, 'impressions');
  const limits = [clicks, impressions, await readDayLimits(own, 'sums')].filter((one) => one !== null);
  if (limits.length === 0) return;
  const last = Math.max(...limits.map((one) => one.last));
  for (let day = Math.min(...limits.map((one) => one.first)); day <= last; day = addDays(day, 1)) {
    if (stop?.aborted === true) return;
    const isComplete = { clicks: isAfterFirst(day, clicks), impressions: isAfterFirst(day, impressions) };
    yield* wrongOf(day, isComplete, {
      stored: await readSumsOfDay(own, day),
      counted: [...(await recountDay(own, 'clicks', day)), ...(await recountDay(own, 'impressions', day))],
    });
  }
}

function isAfterFirst(day: number, limits: DayLimits | null): boolean {
  return limits !== null && day > limits.first;
}

interface Sides {
  readonly stored: readonly PlaceSums[];
  readonly counted: readonly PlaceSums[];
}

function* wrongOf(
  day: number,
  isComplete: { readonly clicks: boolean; readonly impressions: boolean },
  { stored, counted }: Sides,
): Generator<WrongSum> {
  const places = new Map<string, Place>();
  const placeOf = ({ ad, position }: PlaceSums): Place => {
    const key = `${ad}-${position}`;
    const place = places.get(key) ?? { ad, position, stored: { ...nothing }, counted: { ...nothing } };
    places.set(key, place);
    return place;
  };
  for (const row of stored) for (const figure of figures) placeOf(row).stored[figure] += row[figure];
  for (const row of counted) for (const figure of figures) placeOf(row).counted[figure] += row[figure];
  for (const { ad, position, ...sides } of places.values()) {
    for (const figure of figures) {
      const one = sides.stored[figure];
      const other = sides.counted[figure];
      const mustMatch = figure === 'impressions' ? isComplete.impressions : isComplete.clicks;
      if (one < other || (one > other && mustMatch)) yield { day, ad, position, figure, stored: one, counted: other };
    }
  }
}

const nothing = Object.freeze({ clicks: 0, impressions: 0, conversions: 0 });

interface Place {
  readonly ad: number;
  readonly position: number;
  readonly stored: Record<Figure, number>;
  readonly counted: Record<Figure, number>;
}
