/** Events of the sample site's banners before it was loaded: always the same sequence. */

import type { ShowHours } from '../../banners/rules/banner.js';
import { hoursType } from '../../banners/rules/field-types.js';
import { ValueProblem } from '../../content/objects/values.js';
import { dayMs } from '../../values/dates.js';
import type { TransferRecord } from '../transfer/read-records.js';

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
  const random = numbersFrom(20_261_121);
  const shown = new Map<string, number>();
  let orders = 7000;
  for (let daysAgo = trafficDays - 1; daysAgo >= 0; daysAgo -= 1) {
    const day = ((((weekday - 1 - daysAgo) % 7) + 7) % 7) + 1;
    for (const banner of banners) {
      if (!runs(banner, -daysAgo, day)) continue;
      const { daily, clickShare, orderShare } = figures.get(banner.name) ?? none;
      const expected = daily * growth(daysAgo) * ofWeekday(banner, day) * (0.8 + random() * 0.4);
      for (let left = Math.round(expected); left > 0; left -= 1) {
        const count = (shown.get(banner.name) ?? 0) + 1;
        if (banner.maxImpressions > 0 && count > banner.maxImpressions) break;
        shown.set(banner.name, count);
        const isClicked = random() < clickShare;
        const isOrdered = isClicked && random() < orderShare;
        if (isOrdered) orders += 1;
        yield {
          daysAgo,
          minute: weighted(allowedHours(banner), random()) * 60 + Math.floor(random() * 60),
          banner: banner.name,
          position: byWeight(banner, random()),
          visitor: hex(random()) + hex(random()),
          ip: networks[Math.floor(random() * networks.length)] ?? '',
          click: isClicked
            ? {
                referrer: referrers[Math.floor(random() ** 1.6 * referrers.length)] ?? '',
                orderId: isOrdered ? `L-${orders}` : null,
              }
            : null,
        };
      }
    }
  }
}

function runs({ firstDay, lastDay, showHours }: SampleBanner, day: number, weekday: number): boolean {
  if (firstDay !== null && day < firstDay) return false;
  if (lastDay !== null && day > lastDay) return false;
  return showHours === null || showHours.days.includes(weekday);
}

/** A third more visitors at the end than at the beginning, with a busy fortnight in between. */
function growth(daysAgo: number): number {
  const trend = 1 + (trafficDays - daysAgo) / (3 * trafficDays);
  return daysAgo >= 60 && daysAgo < 74 ? trend * 1.35 : trend;
}

/** A banner for some days, such as a weekend, is not affected by the day. */
function ofWeekday({ showHours }: SampleBanner, weekday: number): number {
  return showHours === null ? (weekdays[weekday - 1] ?? 1) : 1;
}

function allowedHours({ showHours }: SampleBanner): readonly number[] {
  return hours.map((weight, hour) => (showHours === null || showHours.hours.includes(hour) ? weight : 0));
}

function weighted(weights: readonly number[], share: number): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let left = share * sum;
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}

function byWeight({ positions }: SampleBanner, share: number): string {
  const index = weighted(
    positions.map(({ weight }) => weight),
    share,
  );
  return positions[index]?.position ?? '';
}

function hex(share: number): string {
  return Math.floor(share * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

/** Mulberry32: numbers from 0 to 1 that depend on the seed only. */
function numbersFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
export function bannersOf(records: readonly Pick<TransferRecord, 'object' | 'record' | 'exported'>[]): SampleBanner[] {
  const links = records.filter(({ object }) => object === 'banner_links').map(({ record }) => record);
  return records
    .filter(({ object }) => object === 'banners')
    .map((one) => {
      const { name, show_hours = null, max_impressions: most } = one.record;
      const hours = hoursType.parse(show_hours);
      return {
        name: String(name),
        ...daysOf(one),
        showHours: hours instanceof ValueProblem ? null : hours,
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
}: Pick<TransferRecord, 'record' | 'exported'>): Pick<SampleBanner, 'firstDay' | 'lastDay'> {
  const dayOf = (time: string): number => Math.floor(Date.parse(time) / dayMs);
  const daysFrom = (time: unknown) => (typeof time === 'string' ? dayOf(time) - dayOf(exported) : null);
  return { firstDay: daysFrom(start), lastDay: daysFrom(end) };
}
