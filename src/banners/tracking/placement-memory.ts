/**
 * Banners, positions, links and what their addresses need, held in memory: a click, a pixel or a slot asks no database.
 * Looked at anew several times a second, so that a change made anywhere holds within one second.
 */

import type { Clock, Timer } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import { bannerOf } from '../management/stored-banner.js';
import { type Placements, readBannersRevision, readPlacements } from '../rows/ad-placements.js';
import { type LinkedPage, readLinkedPages } from '../rows/linked-pages.js';
import type { Banner } from '../rules/banner.js';
import { localDay } from '../rules/local-time.js';
import type { Link, Position } from '../rules/position.js';
import { linkedResource } from '../rules/redirect-target.js';
import type { BannerSums } from './banner-sums.js';

/** One banner at one position. */
export interface Placement {
  readonly link: Link;
  readonly banner: Banner;
  readonly position: Position;
}

/** One consistent view; another object after every change. */
export interface PlacementView {
  /** By the id of the link, which is the `adposition` of addresses. */
  readonly placements: ReadonlyMap<number, Placement>;
  readonly positions: ReadonlyMap<number, Position>;
  /** By the id of the position. */
  readonly atPosition: ReadonlyMap<number, readonly Placement[]>;
  /** Resources that addresses link to, and products. */
  readonly pages: ReadonlyMap<number, LinkedPage>;
}

export interface PlacementMemoryDeps {
  readonly own: Database;
  readonly content: Database;
  /** Of the content tables. */
  readonly prefix: string;
  readonly sums: BannerSums;
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Milliseconds between two looks; two of them and the reading itself stay within the promised second. */
const interval = 400;
/** Milliseconds after which everything is read again: for changes that somebody made without this program. */
const fullInterval = 30_000;

/** So many are read in a few milliseconds; more than that are read beside the event loop. */
const fewPlacements = 500;

const nothing: PlacementView = Object.freeze({
  placements: new Map(),
  positions: new Map(),
  atPosition: new Map(),
  pages: new Map(),
});

export class PlacementMemory {
  readonly #deps: PlacementMemoryDeps;
  #view = nothing;
  /** Resources that the view asked for, whether they are there or not. */
  #wanted: ReadonlySet<number> = new Set();
  #revision: string | undefined;
  #readAt = 0;
  /** Changes that this process knows of, and those that were known when what is shown was read. */
  #known = 1;
  #shown = 0;
  #reading: Promise<void> = Promise.resolve();
  #catchingUp: Promise<void> | undefined;
  #failing = false;
  #timer: Timer | null = null;

  constructor(deps: PlacementMemoryDeps) {
    this.#deps = deps;
  }

  current(): PlacementView {
    return this.#view;
  }

  /** Something that the view was made of has changed. */
  invalidate(): void {
    this.#known += 1;
  }

  /** The same of one of these resources. */
  invalidatePages(changed: readonly unknown[]): void {
    if (changed.some((id) => this.#wanted.has(Number(id)))) this.invalidate();
  }

  /**
   * Resolves when the view shows every change that this process knows of; undefined when it does already. While the
   * database does not answer, the last view stays in use.
   */
  fresh(): Promise<void> | undefined {
    if (this.#shown === this.#known || this.#failing) return undefined;
    this.#catchingUp ??= this.#catchUp().finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  async #catchUp(): Promise<void> {
    try {
      while (this.#shown !== this.#known) await this.refresh();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Reads what has changed, after what is being read already. */
  refresh(): Promise<void> {
    const refreshed = this.#reading.then(() => this.#refresh());
    this.#reading = refreshed.catch(() => undefined);
    return refreshed;
  }

  async #refresh(): Promise<void> {
    const { own, clock, sums } = this.#deps;
    const isDue = this.#shown !== this.#known || clock.elapsed() - this.#readAt >= fullInterval;
    if (isDue || (await readBannersRevision(own.primary)) !== this.#revision) await this.#readAll();
    await sums.refresh(this.#today());
  }

  /** Keeps the view fresh until `stop`; a database that does not answer is told once, and the last view stays in use. */
  start(): void {
    this.#timer ??= this.#deps.clock.every({
      intervalMs: interval,
      work: async () => {
        await this.refresh();
        this.#failing = false;
      },
      onError: (error) => this.#failed(error),
    });
  }

  stop(): void {
    this.#timer?.stop();
    this.#timer = null;
  }

  async #readAll(): Promise<void> {
    const { own, content, prefix, clock, sums } = this.#deps;
    const startedAt = clock.elapsed();
    const known = this.#known;
    const placements = await readPlacements(own.primary, { heavy: this.#view.placements.size > fewPlacements });
    const banners = placements.ads.map(bannerOf);
    const linked = pagesOf(banners);
    const pages = await readLinkedPages(content.primary, prefix, linked);
    const capped = banners.filter((banner) => banner.max_clicks > 0 || banner.max_impressions > 0);
    await sums.follow(
      capped.map(({ id }) => id),
      this.#today(),
    );
    this.#view = viewOf({ ...placements, banners, pages });
    this.#wanted = new Set(linked);
    this.#revision = placements.revision;
    this.#readAt = startedAt;
    this.#shown = known;
  }

  #today(): number {
    return localDay(this.#deps.clock.now(), this.#deps.zone());
  }

  #failed(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    // A store that does not answer is told by the reading of settings.
    if (error instanceof AppError && error.kind === 'unavailable') return;
    this.#deps.log({ kind: 'unexpected_error', during: 'reading banners', error });
  }
}

function pagesOf(banners: readonly Banner[]): number[] {
  return banners.flatMap((banner) => {
    const linked = linkedResource(banner.url);
    return [...(linked === null ? [] : [linked]), ...(banner.product_id > 0 ? [banner.product_id] : [])];
  });
}

interface Facts extends Pick<Placements, 'positions' | 'links'> {
  readonly banners: readonly Banner[];
  readonly pages: readonly LinkedPage[];
}

function viewOf({ banners, positions, links, pages }: Facts): PlacementView {
  const bannerOf = new Map(banners.map((banner) => [banner.id, banner]));
  const positionOf = new Map(positions.map((position) => [position.id, position]));
  const placements = new Map<number, Placement>();
  const atPosition = new Map<number, Placement[]>();
  for (const link of links) {
    const banner = bannerOf.get(link.ad);
    const position = positionOf.get(link.position);
    if (banner === undefined || position === undefined) continue;
    const placement = { link, banner, position };
    placements.set(link.id, placement);
    const there = atPosition.get(position.id);
    if (there === undefined) atPosition.set(position.id, [placement]);
    else there.push(placement);
  }
  return Object.freeze({
    placements,
    positions: positionOf,
    atPosition,
    pages: new Map(pages.map((page) => [page.id, page])),
  });
}
