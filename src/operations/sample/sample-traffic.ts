/** Events of the sample site's banners before it was loaded: always the same sequence. */
import type { ShowHours } from '../../banners/rules/banner.js';
import { hoursType } from '../../banners/rules/field-types.js';
import { sha256Hex } from '../../crypto/primitives.js';
import { dayMs } from '../../values/dates.js';
import type { NdjsonRecord } from '../transfer/ndjson.js';

export interface SampleEvent {
  /** 0 = the day of loading. */
  readonly daysAgo: number;
  readonly minute: number;
  readonly banner: string;
  readonly position: string;
  /** 16 hexadecimal digits, another one for every visit. */
  readonly visitor: string;
  /** As it is kept: the network. */
  readonly ip: string;
  /** Null: shown and not clicked. */
  readonly click: { readonly referrer: string; readonly orderId: string | null } | null;
}

export const trafficDays = 120;

/** Monday to Sunday. */
const weekdays = [1, 0.94, 0.98, 1.04, 1.12, 0.71, 0.63];
/** How busy days are, in turn. */
const swing = [1.08, 0.93, 1.15, 0.99, 0.88, 1.2, 1.02, 0.84, 1.1, 0.96, 0.9];
const hours = [1, 1, 0, 0, 0, 1, 2, 4, 6, 7, 7, 8, 9, 8, 7, 7, 8, 9, 11, 13, 14, 12, 7, 3];

const networks = ['192.0.2.0', '198.51.100.0', '203.0.113.0', '2001:db8::', '2001:db8:40::', '2001:db8:7f::'];

const referrers = [
  'https://www.larkfell.example/',
  'https://www.larkfell.example/equipment/',
  'https://search.example/?q=tent',
  'https://search.example/?q=backpack+repair',
  'https://walkers.example/forum/rain',
  'https://news.example/weekend',
  '',
];

interface Figures {
  /** Impressions on an ordinary working day, at all positions together. */
  readonly daily: number;
  readonly clickShare: number;
  readonly orderShare: number;
}

const none: Figures = { daily: 0, clickShare: 0, orderShare: 0 };

export const figures: ReadonlyMap<string, Figures> = new Map([
  ['Tents: three new Corries', { daily: 26, clickShare: 0.062, orderShare: 0.11 }],
  ['Backpacks for a week', { daily: 19, clickShare: 0.05, orderShare: 0.08 }],
  ['Season sale', { daily: 48, clickShare: 0.081, orderShare: 0.16 }],
  ['Early booking (over)', { daily: 30, clickShare: 0.055, orderShare: 0.2 }],
  ['Trips with a guide', { daily: 14, clickShare: 0.043, orderShare: 0.14 }],
  ['Open workshop', { daily: 11, clickShare: 0.036, orderShare: 0.03 }],
  ['Weekend evenings in the shop', { daily: 16, clickShare: 0.03, orderShare: 0 }],
  ['Join the club', { daily: 9, clickShare: 0.07, orderShare: 0.05 }],
  ['What a repair costs', { daily: 7, clickShare: 0.09, orderShare: 0.12 }],
  ['A friend: the ferry', { daily: 22, clickShare: 0.025, orderShare: 0 }],
  ['Winter: coming soon', none],
  ['Last pairs (switched off)', { daily: 12, clickShare: 0.065, orderShare: 0.18 }],
]);

/** The oldest day first; within a day in no order. `weekday` is the day of loading, Monday 1 to Sunday 7. */
export function* sampleTraffic({
  banners,
  weekday,
}: {
  readonly banners: readonly SampleBanner[];
  readonly weekday: number;
}): Generator<SampleEvent> {
  const shown = new Map<string, number>();
  let visits = 0;
  let orders = 7000;
  for (let daysAgo = trafficDays - 1; daysAgo >= 0; daysAgo -= 1) {
    const day = ((((weekday - 1 - daysAgo) % 7) + 7) % 7) + 1;
    // A third more visitors at the end than at the beginning.
    const trend = 1 + (trafficDays - daysAgo) / (3 * trafficDays);
    const busy = trend * (weekdays[day - 1] ?? 1) * (swing[daysAgo % swing.length] ?? 1);
    for (const banner of banners.filter((one) => runs(one, -daysAgo, day))) {
      const { daily, clickShare, orderShare } = figures.get(banner.name) ?? none;
      const before = shown.get(banner.name) ?? 0;
      const count = Math.min(Math.round(daily * busy), (banner.maxImpressions || Number.POSITIVE_INFINITY) - before);
      shown.set(banner.name, before + count);
      const open = repeated(
        hours.map((weight, hour) => [hour, banner.showHours?.hours.includes(hour) === false ? 0 : weight]),
      );
      const places = repeated(banner.positions.map(({ position, weight }) => [position, weight]));
      for (let left = count; left > 0; left -= 1) {
        visits += 1;
        const digest = sha256Hex(`visit ${visits}`);
        const share = (at: number): number => Number.parseInt(digest.slice(2 * at, 2 * at + 4), 16) / 2 ** 16;
        const isClicked = share(8) < clickShare;
        const isOrdered = isClicked && share(10) < orderShare;
        if (isOrdered) orders += 1;
        const click = { referrer: pick(referrers, share(12) ** 1.6) ?? '', orderId: isOrdered ? `L-${orders}` : null };
        yield {
          daysAgo,
          minute: (pick(open, share(14)) ?? 0) * 60 + Math.floor(share(16) * 60),
          banner: banner.name,
          position: pick(places, share(18)) ?? '',
          visitor: digest.slice(0, 16),
          ip: pick(networks, share(20)) ?? '',
          click: isClicked ? click : null,
        };
      }
    }
  }
}

/** Each item as often as its weight says. */
function repeated<T>(weighted: readonly (readonly [item: T, weight: number])[]): readonly T[] {
  return weighted.flatMap(([item, weight]) => Array.from({ length: weight }, () => item));
}

/** `share` is from 0 to 1. */
function pick<T>(list: readonly T[], share: number): T | undefined {
  return list[Math.floor(share * list.length)];
}

function runs({ firstDay, lastDay, showHours }: SampleBanner, day: number, weekday: number): boolean {
  if (firstDay !== null && day < firstDay) return false;
  if (lastDay !== null && day > lastDay) return false;
  return showHours === null || showHours.days.includes(weekday);
}

export interface SampleBanner {
  readonly name: string;
  /** In days from the one on which the file was written; null = unbounded. */
  readonly firstDay: number | null;
  readonly lastDay: number | null;
  readonly showHours: ShowHours | null;
  readonly maxImpressions: number;
  readonly positions: readonly { readonly position: string; readonly weight: number }[];
}

/** What is not sound is refused when the record is loaded. */
export function bannersOf(records: readonly Pick<NdjsonRecord, 'object' | 'record' | 'exported'>[]): SampleBanner[] {
  const links = records.filter(({ object }) => object === 'banner_links').map(({ record }) => record);
  return records
    .filter(({ object }) => object === 'banners')
    .map((one) => {
      const { name, show_hours = null, max_impressions: most } = one.record;
      const hours = hoursType.parse(show_hours);
      return {
        name: String(name),
        ...daysOf(one),
        showHours: hours.ok ? hours.value : null,
        maxImpressions: Number(most ?? 0),
        positions: links
          .filter(({ banner }) => banner === name)
          .map(({ position, weight }) => ({ position: String(position), weight: Number(weight) })),
      };
    });
}

export function daysOf({
  record: { start, end },
  exported,
}: Pick<NdjsonRecord, 'record' | 'exported'>): Pick<SampleBanner, 'firstDay' | 'lastDay'> {
  const dayOf = (time: string): number => Math.floor(Date.parse(time) / dayMs);
  const daysFrom = (time: unknown) => (typeof time === 'string' ? dayOf(time) - dayOf(exported) : null);
  return { firstDay: daysFrom(start), lastDay: daysFrom(end) };
}
