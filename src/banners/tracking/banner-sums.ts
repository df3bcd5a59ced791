/**
 * Clicks and impressions of banners with a cap, as near to the present as memory can be: what the database had at most
 * a second ago, and what this process has recorded or holds ready since then. Other processes' last second is missing.
 */

import type { Reader } from '../../store/base/database.js';
import type { EventKind } from '../rows/ad-events.js';
import { type AdSum, readSumsBefore, readSumsFrom } from '../rows/ad-placements.js';
import { addDays } from '../rules/local-time.js';
import type { Counts } from '../rules/targeting.js';

type Sums = ReadonlyMap<number, Counts>;

/** Events that wait to be written, by kind and banner. */
export type Pending = (kind: EventKind, ad: number) => number;

const none: Counts = Object.freeze({ clicks: 0, impressions: 0 });

export class BannerSums {
  readonly #own: Reader;
  readonly #pending: Pending;
  /** Ids of the banners with a cap. */
  #followed: readonly number[] = [];
  /** Up to the day before yesterday, which hardly changes any more; read when the banners are. */
  #old: Sums = new Map();
  /** The first day that is not in it. */
  #oldUntil = 0;
  #recent: Sums = new Map();
  /** Written by this process: before the reading of `recent` that is under way began, and since then. */
  #settling = new Map<number, Counts>();
  #written = new Map<number, Counts>();

  constructor(own: Reader, pending: Pending) {
    this.#own = own;
    this.#pending = pending;
  }

  /** From now on these banners are counted. */
  async follow(ads: readonly number[], today: number): Promise<void> {
    this.#followed = ads;
    this.#oldUntil = 0;
    await this.refresh(today);
  }

  async refresh(today: number): Promise<void> {
    if (this.#followed.length === 0) return;
    const from = addDays(today, -1);
    if (from !== this.#oldUntil) {
      this.#old = byAd(await readSumsBefore(this.#own, from, this.#followed));
      this.#oldUntil = from;
    }
    for (const [ad, counts] of this.#written) this.#settling.set(ad, sum(this.#settling.get(ad), counts));
    this.#written = new Map();
    this.#recent = byAd(await readSumsFrom(this.#own, from));
    this.#settling = new Map();
  }

  /** Adds so many events that this process has written. */
  note(kind: EventKind, { ad, count }: { readonly ad: number; readonly count: number }): void {
    const more = kind === 'clicks' ? { clicks: count, impressions: 0 } : { clicks: 0, impressions: count };
    this.#written.set(ad, sum(this.#written.get(ad), more));
  }

  of(ad: number): Counts {
    const waiting = { clicks: this.#pending('clicks', ad), impressions: this.#pending('impressions', ad) };
    return [this.#old, this.#recent, this.#settling, this.#written]
      .map((sums) => sums.get(ad))
      .reduce<Counts>((total, counts) => sum(total, counts ?? none), waiting);
  }
}

function byAd(sums: readonly AdSum[]): Sums {
  return new Map(sums.map(({ ad, clicks, impressions }) => [ad, { clicks, impressions }]));
}

function sum(one: Counts | undefined, other: Counts): Counts {
  return { clicks: (one?.clicks ?? 0) + other.clicks, impressions: (one?.impressions ?? 0) + other.impressions };
}
