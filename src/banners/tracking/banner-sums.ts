/** Counts of capped banners: sums at most a second old plus this process's events; other processes lag a second. */

import type { Reader } from '../../store/base/database.js';
import { type EventKind, isOneOf, sumDays } from '../models/events.js';
import type { Condition } from '../models/page.js';
import { addDays } from '../rules/local-time.js';
import type { Counts } from '../rules/targeting.js';

type Sums = ReadonlyMap<number, Counts>;

type Pending = (kind: EventKind, ad: number) => number;

const none: Counts = Object.freeze({ clicks: 0, impressions: 0 });

export class BannerSums {
  readonly #own: Reader;
  readonly #pending: Pending;
  #followed: readonly number[] = [];
  /** Until the day before yesterday, which hardly changes; read together with the banners. */
  #old: Sums = new Map();
  #oldUntil = 0;
  #recent: Sums = new Map();
  /** Before the current read of `recent` began, and since then. */
  #settling = new Map<number, Counts>();
  #written = new Map<number, Counts>();

  constructor(own: Reader, pending: Pending) {
    this.#own = own;
    this.#pending = pending;
  }

  async follow(ads: readonly number[], today: number): Promise<void> {
    this.#followed = ads;
    this.#oldUntil = 0;
    await this.refresh(today);
  }

  async refresh(today: number): Promise<void> {
    if (this.#followed.length === 0) return;
    const from = addDays(today, -1);
    if (from !== this.#oldUntil) {
      this.#old = await this.#read([isOneOf('ad', this.#followed), ['`day` < ?', [from]]]);
      this.#oldUntil = from;
    }
    for (const [ad, counts] of this.#written) this.#settling.set(ad, sum(this.#settling.get(ad), counts));
    this.#written = new Map();
    // Of all banners: few rows, along the primary key.
    this.#recent = await this.#read([['`day` >= ?', [from]]]);
    this.#settling = new Map();
  }

  note(kind: EventKind, ad: number): void {
    this.#written.set(ad, sum(this.#written.get(ad), { ...none, [kind]: 1 }));
  }

  #read(conditions: readonly Condition[]): Promise<Sums> {
    return sumDays(this.#own, { by: 'ad', conditions, heavy: false });
  }

  of(ad: number): Counts {
    const waiting = { clicks: this.#pending('clicks', ad), impressions: this.#pending('impressions', ad) };
    return [this.#old, this.#recent, this.#settling, this.#written]
      .map((sums) => sums.get(ad))
      .reduce<Counts>((total, counts) => sum(total, counts ?? none), waiting);
  }
}

function sum(one: Counts | undefined, other: Counts): Counts {
  return { clicks: (one?.clicks ?? 0) + other.clicks, impressions: (one?.impressions ?? 0) + other.impressions };
}
