/** Whether a banner runs, and the reason in words, for lists of people. Counters are those of all time. */
import type { Position, ShowHours } from './banner.js';
import type { Banner } from './banner-fields.js';
import type { Counts } from './figures.js';
import { dayText, localDay, localTime } from './local-time.js';
import { type HiddenReason, isBelowCaps, type Moment, whyOff } from './targeting.js';

/** The first that holds, from the second on. */
export const bannerStates = ['running', 'disabled', 'ended', 'planned', 'capped', 'unplaced', 'off_hours'] as const;
export type BannerState = (typeof bannerStates)[number];

interface StateQuestion {
  readonly moment: Moment;
  readonly counts: Pick<Counts, 'clicks' | 'impressions'>;
  readonly positions: readonly number[];
}

export function bannerState(banner: Banner, question: StateQuestion) {
  const { moment, counts } = question;
  const state = stateOf(banner, question);
  return { state, state_reason: reasonText(state, { banner, zone: moment.zone, counts }) };
}

function stateOf(banner: Banner, { moment, counts, positions }: StateQuestion): BannerState {
  const off = whyOff(banner, moment);
  if (off !== null && off !== 'off_hours') return off;
  if (!isBelowCaps(banner, () => counts)) return 'capped';
  if (positions.length === 0) return 'unplaced';
  return off ?? 'running';
}

interface ReasonFacts {
  readonly banner: Banner;
  readonly zone: string;
  readonly counts: Pick<Counts, 'clicks' | 'impressions'>;
  readonly titles?: ReadonlyMap<number, string>;
  readonly position?: Position;
}

/** A sentence without its subject, the banner. Times are in the zone. */
export function reasonText(reason: BannerState | HiddenReason | 'context', facts: ReasonFacts): string {
  const { banner, zone, counts, titles = new Map<number, string>(), position } = facts;
  const named = (id: number): string => (titles.has(id) ? `"${titles.get(id)}" (${id})` : String(id));
  switch (reason) {
    case 'running':
      return banner.end === null ? 'is shown, without an end' : `is shown until ${momentText(banner.end, zone)}`;
    case 'disabled':
      return 'is turned off';
    case 'ended':
      return `ended on ${momentText(banner.end ?? 0, zone)}`;
    case 'planned':
      return `starts on ${momentText(banner.start ?? 0, zone)}`;
    case 'off_hours':
      return `is shown only ${hoursText(banner.show_hours)} (${zone})`;
    case 'capped':
      return banner.max_clicks > 0 && counts.clicks >= banner.max_clicks
        ? `has ${counts.clicks} of at most ${banner.max_clicks} clicks`
        : `has ${counts.impressions} of at most ${banner.max_impressions} impressions`;
    case 'unplaced':
      return 'is at no position';
    case 'page':
      return banner.target_resource_id > 0
        ? `is only for the page ${named(banner.target_resource_id)}`
        : `is only for pages of the section ${named(banner.target_parent_id)}`;
    case 'product':
      return banner.product_id > 0
        ? `is only for the product ${named(banner.product_id)}`
        : `is only for products of the category ${named(banner.category_id)}`;
    case 'tags':
      return banner.tags.length === 0 ? 'has no tags' : `has only the tags ${banner.tags.join(', ')}`;
    case 'context':
      return `is at a position of the context ${position?.context_key ?? ''} only`;
  }
}

/** `2026-11-30 23:59`. */
function momentText(seconds: number, zone: string): string {
  const { hour, minute } = localTime(seconds * 1000, zone);
  const clock = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
  return `${dayText(localDay(seconds * 1000, zone))} ${clock}`;
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function hoursText(hours: ShowHours | null): string {
  const days = spansOf(hours?.days ?? []).map(([first, last]) => span(weekdays[first - 1], weekdays[last - 1]));
  const times = spansOf(hours?.hours ?? []).map(([first, last]) => `${first}:00 to ${last}:59`);
  return [days.join(', '), times.join(', ')].filter((text) => text !== '').join(', ');
}

function span(first = '', last = ''): string {
  return first === last ? first : `${first} to ${last}`;
}

/** `[1, 2, 3, 5]` is 1 to 3 and 5. */
function spansOf(numbers: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const spans: (readonly [number, number])[] = [];
  for (const number of numbers) {
    const before = spans.at(-1);
    if (before !== undefined && before[1] === number - 1) spans[spans.length - 1] = [before[0], number];
    else spans.push([number, number]);
  }
  return spans;
}
