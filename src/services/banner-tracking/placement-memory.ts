/**
 * Banners, positions, links and what their addresses need, held in memory: a click, a pixel or a slot asks no database.
 * Looked at anew several times a second, so that a change made anywhere holds within one second.
 */
import type { Banner } from '../../banners/banner.js';
import { localDay } from '../../banners/local-time.js';
import type { Link, Position } from '../../banners/position.js';
import { linkedResource } from '../../banners/redirect-target.js';
import type { Clock, Timer } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Database } from '../../store/database.js';
import { type Placements, readBannersRevision, readPlacements } from '../../store/rows/ad-placements.js';
import { type LinkedPage, readLinkedPages } from '../../store/rows/linked-pages.js';
import { bannerOf } from '../banners/stored-banner.js';
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
  #revision: string | undefined;
  #readAt = 0;
  #stale = true;
  #failing = false;
  #timer: Timer | null = null;

  constructor(deps: PlacementMemoryDeps) {
    this.#deps = deps;
  }

  current(): PlacementView {
    return this.#view;
  }

  /** What the view was made of has changed outside the banners: resources or settings. */
  invalidate(): void {
    this.#stale = true;
  }

  /** Reads what has changed. */
  async refresh(): Promise<void> {
    const { own, clock, sums } = this.#deps;
    const isDue = this.#stale || clock.elapsed() - this.#readAt >= fullInterval;
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
    this.#stale = false;
    try {
      const placements = await readPlacements(own.primary, { heavy: this.#view.placements.size > fewPlacements });
      const banners = placements.ads.map(bannerOf);
      const pages = await readLinkedPages(content.primary, prefix, pagesOf(banners));
      this.#view = viewOf({ ...placements, banners, pages });
      this.#revision = placements.revision;
      this.#readAt = startedAt;
      const capped = banners.filter((banner) => banner.max_clicks > 0 || banner.max_impressions > 0);
      await sums.follow(
        capped.map(({ id }) => id),
        this.#today(),
      );
    } catch (error) {
      this.#stale = true;
      throw error;
    }
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
