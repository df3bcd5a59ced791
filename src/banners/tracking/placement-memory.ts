/**
 * Banners, positions, links and the resources that their addresses need, in memory: clicks, pixels and slots do not wait
 * for a database. Checked several times a second, so that every change takes effect within one second.
 */

import type { Clock, Timer } from '../../clock/clock.js';
import { siteContent } from '../../content/models/resources.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Database, Reader } from '../../store/base/database.js';
import type { RowOf } from '../../store/models/model.js';
import { batchesOf } from '../../values/batches.js';
import { ads, bannerAttributes } from '../models/ads.js';
import { links } from '../models/links.js';
import { positionAttributes, positions } from '../models/positions.js';
import type { Banner, Link, Position } from '../rules/banner.js';
import { localDay } from '../rules/local-time.js';
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

interface PlacementMemoryDeps {
  readonly own: Database;
  readonly content: Database;
  /** Of the content tables. */
  readonly prefix: string;
  readonly sums: BannerSums;
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Milliseconds between two checks; two of them and a read stay within the promised second. */
const interval = 400;
/** Milliseconds after which everything is read again, for changes that other programs made. */
const fullInterval = 30_000;

/** So many are read in a few milliseconds; more are read off the event loop. */
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
  /** Resources that the view asked for, existing or not. */
  #wanted: ReadonlySet<number> = new Set();
  #revision: string | undefined;
  #readAt = 0;
  /** Changes that this process knows of, and those known when the view was read. */
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

  /** Notes a change of the view's data. */
  invalidate(): void {
    this.#known += 1;
  }

  /** The same for resources, if the view uses one of them. */
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

  /** Reads changes, after a read that is under way. */
  refresh(): Promise<void> {
    const refreshed = this.#reading.then(() => this.#refresh());
    this.#reading = refreshed.catch(() => undefined);
    return refreshed;
  }

  async #refresh(): Promise<void> {
    const { own, clock, sums } = this.#deps;
    const isDue = this.#shown !== this.#known || clock.elapsed() - this.#readAt >= fullInterval;
    if (isDue || (await readRevision(own.primary)) !== this.#revision) await this.#readAll();
    await sums.refresh(this.#today());
  }

  /** Keeps the view fresh until `stop`. While the database does not answer, the last view stays in use; it is logged once. */
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
    // Before the rows: a change during the reading then gets another revision.
    const revision = await readRevision(own.primary);
    const heavy = this.#view.placements.size > fewPlacements;
    const [banners, places, placed] = await Promise.all([
      ads.on(own.primary).lookUpAll({}, { attributes: bannerAttributes, heavy }),
      positions.on(own.primary).lookUpAll({}, { attributes: positionAttributes, heavy }),
      links.on(own.primary).lookUpAll({}, { heavy }),
    ]);
    const linked = pagesOf(banners);
    const pages = await readLinkedPages(content.primary, prefix, linked);
    const capped = banners.filter((banner) => banner.max_clicks > 0 || banner.max_impressions > 0);
    await sums.follow(
      capped.map(({ id }) => id),
      this.#today(),
    );
    this.#view = viewOf({ banners, positions: places, links: placed, pages });
    this.#wanted = new Set(linked);
    this.#revision = revision;
    this.#readAt = startedAt;
    this.#shown = known;
  }

  #today(): number {
    return localDay(this.#deps.clock.now(), this.#deps.zone());
  }

  #failed(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    // The live state reports a store that does not answer.
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

interface Facts {
  readonly banners: readonly Banner[];
  readonly positions: readonly Position[];
  readonly links: readonly Link[];
  readonly pages: readonly LinkedPage[];
}

function viewOf({ banners, positions: places, links: placed, pages }: Facts): PlacementView {
  const bannerOf = new Map(banners.map((banner) => [banner.id, banner]));
  const positionOf = new Map(places.map((position) => [position.id, position]));
  const placements = new Map<number, Placement>();
  const atPosition = new Map<number, Placement[]>();
  for (const link of placed) {
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

/** Newest entries of the audit log that the revision covers: more than there can be concurrent writers. */
const newest = 50;

/**
 * A text that differs after every change, because each change adds an entry of the audit log in its transaction. It covers
 * several entries, because transactions may commit in another order than they got their ids. Conversions and presets do
 * not change it.
 */
async function readRevision(reader: Reader): Promise<string> {
  const newestOf = (entity: 'ad' | 'position'): string =>
    `SELECT \`id\` FROM (SELECT \`id\` FROM \`hcd_ad_audit\` WHERE \`entity\` = '${entity}' ORDER BY \`id\` DESC LIMIT ?) AS \`of_${entity}\``;
  const sql = `${newestOf('ad')} UNION ALL ${newestOf('position')}`;
  const rows = await reader.select({ sql, params: [newest, newest] });
  return rows.map(([id]) => Number(id)).join(' ');
}

/** The fields of a resource that links need. */
const pageAttributes = ['id', 'context_key', 'pagetitle', 'uri'] as const;

export type LinkedPage = Pick<RowOf<typeof siteContent>, (typeof pageAttributes)[number]>;

/** Resources of one statement. */
const together = 100;

/** The resources that exist and are not deleted. */
async function readLinkedPages(reader: Reader, prefix: string, ids: readonly number[]): Promise<LinkedPage[]> {
  const pages: LinkedPage[] = [];
  for (const id of batchesOf([...new Set(ids)], together)) {
    const { lookUpAll } = siteContent.on(reader, prefix);
    pages.push(...(await lookUpAll({ id, deleted: false }, { attributes: pageAttributes })));
  }
  return pages;
}
