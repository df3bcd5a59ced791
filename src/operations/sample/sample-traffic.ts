/** Events of the sample site's banners before it was loaded: always the same sequence. */
import type { Banner } from '../../banners/rules/banner-fields.js';
import { addDays, dayStart, localDay, weekdayOf } from '../../banners/rules/local-time.js';
import type { EventRow } from '../../banners/tracking/event-rows.js';
import { sha256Hex } from '../../crypto/primitives.js';
import { minuteMs } from '../../values/dates.js';
import { readAsset } from '../../values/read-asset.js';

interface Traffic {
  readonly days: number;
  readonly weekdays: readonly number[];
  readonly swing: readonly number[];
  readonly hours: readonly number[];
  readonly networks: readonly string[];
  readonly referrers: readonly string[];
  /** `daily`: impressions on an ordinary working day, at all positions together. */
  readonly banners: Readonly<Record<string, Readonly<Record<'daily' | 'clickShare' | 'orderShare', number>>>>;
}

export function readTraffic(): Traffic {
  return JSON.parse(readAsset('sample', 'traffic.json').toString());
}

type Dates = Pick<Banner, 'id' | 'name' | 'start' | 'end' | 'show_hours' | 'max_impressions'>;

export interface SampleBanner extends Dates {
  readonly positions: readonly { readonly position: number; readonly weight: number }[];
}

export interface SampleEvent extends EventRow {
  readonly isClicked: boolean;
}

interface Question {
  readonly banners: readonly SampleBanner[];
  /** Unix milliseconds. */
  readonly now: number;
  readonly zone: string;
}

/** The oldest day first; within a day in no order. */
export function* sampleTraffic({ banners, now, zone }: Question): Generator<SampleEvent> {
  const { days, weekdays, swing, hours, networks, referrers, banners: figures } = readTraffic();
  const shown = new Map<number, number>();
  let visits = 0;
  let orders = 7000;
  for (let daysAgo = days - 1; daysAgo >= 0; daysAgo -= 1) {
    const day = addDays(localDay(now, zone), -daysAgo);
    const start = dayStart(day, zone);
    // A third more visitors at the end than at the beginning.
    const trend = 1 + (days - daysAgo) / (3 * days);
    const busy = trend * (weekdays[weekdayOf(day) - 1] ?? 1) * (swing[daysAgo % swing.length] ?? 1);
    for (const banner of banners.filter((one) => runs(one, { start, weekday: weekdayOf(day) }))) {
      const { daily, clickShare, orderShare } = figures[banner.name] ?? { daily: 0, clickShare: 0, orderShare: 0 };
      const before = shown.get(banner.id) ?? 0;
      const count = Math.min(Math.round(daily * busy), (banner.max_impressions || Number.POSITIVE_INFINITY) - before);
      shown.set(banner.id, before + count);
      const { show_hours: only } = banner;
      const open = repeated(hours.map((weight, hour) => [hour, only?.hours.includes(hour) === false ? 0 : weight]));
      const places = repeated(banner.positions.map(({ position, weight }) => [position, weight]));
      for (let left = count; left > 0; left -= 1) {
        visits += 1;
        const digest = sha256Hex(`visit ${visits}`);
        const share = (at: number): number => Number.parseInt(digest.slice(2 * at, 2 * at + 4), 16) / 2 ** 16;
        const isClicked = share(8) < clickShare;
        const isOrdered = isClicked && share(10) < orderShare;
        if (isOrdered) orders += 1;
        yield {
          ad: banner.id,
          position: pick(places, share(18)) ?? 0,
          at: start + ((pick(open, share(14)) ?? 0) * 60 + Math.floor(share(16) * 60)) * minuteMs,
          day,
          visitor: digest.slice(0, 16),
          ip: pick(networks, share(20)) ?? '',
          isClicked,
          referrer: pick(referrers, share(12) ** 1.6) ?? '',
          orderId: isOrdered ? `L-${orders}` : null,
        };
      }
    }
  }
}

function repeated<T>(weighted: readonly (readonly [item: T, weight: number])[]): readonly T[] {
  return weighted.flatMap(([item, weight]) => Array.from({ length: weight }, () => item));
}

function pick<T>(list: readonly T[], share: number): T | undefined {
  return list[Math.floor(share * list.length)];
}

/** Its dates are whole days of the zone. */
function runs(banner: Dates, day: { readonly start: number; readonly weekday: number }): boolean {
  const { start, end, show_hours: hours } = banner;
  if (start !== null && day.start < start * 1000) return false;
  if (end !== null && day.start > end * 1000) return false;
  return hours === null || hours.days.includes(day.weekday);
}
