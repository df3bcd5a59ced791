/** Banners, positions, links and linked resources in memory, so that clicks and slots do not wait for a database. */
import type { Clock, Timer } from '../../clock/clock.js';
import { siteContent } from '../../content/models/resources.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Database, Reader } from '../../store/base/database.js';
import type { RowOf } from '../../store/models/model.js';
import { batchesOf, groupBy } from '../../values/batches.js';
import { joined } from '../../values/joined.js';
import { ads, bannerAttributes } from '../models/ads.js';
import { links } from '../models/links.js';
import { positionAttributes, positions } from '../models/positions.js';
import type { Link, Position } from '../rules/banner.js';
import type { Banner } from '../rules/banner-fields.js';
import { localDay } from '../rules/local-time.js';
import { linkedResource } from '../rules/redirect-target.js';
import type { BannerSums } from './banner-sums.js';

export interface Placement {
  readonly link: Link;
  readonly banner: Banner;
  readonly position: Position;
}

/** A consistent view, replaced as a whole after a change. */
export interface PlacementView {
  /** By the id of the link, which is the `adposition` of addresses. */
  readonly placements: ReadonlyMap<number, Placement>;
  readonly positions: ReadonlyMap<number, Position>;
  readonly atPosition: ReadonlyMap<number, readonly Placement[]>;
  readonly pages: ReadonlyMap<number, LinkedPage>;
}

interface PlacementMemoryDeps {
  readonly own: Database;
  readonly content: Database;
  readonly prefix: string;
  readonly sums: BannerSums;
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Two checks and a read stay within the promised second. */
const interval = 400;
/** Finds changes that other programs made. */
const fullInterval = 30_000;

/** Reading more than this would block the event loop for too long. */
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
  #wanted: ReadonlySet<number> = new Set();
  #revision: string | undefined;
  #readAt = 0;
  /** Number of the last change heard of, and of the one that the view shows. */
  #known = 1;
  #shown = 0;
  #reading: Promise<void> = Promise.resolve();
  #failing = false;
  #timer: Timer | null = null;

  constructor(deps: PlacementMemoryDeps) {
    this.#deps = deps;
  }

  current(): PlacementView {
    return this.#view;
  }

  invalidate(): void {
    this.#known += 1;
  }

  invalidatePages(changed: readonly unknown[]): void {
    if (changed.some((id) => this.#wanted.has(Number(id)))) this.invalidate();
  }

  /** Undefined when the view already shows every known change, or the database does not answer. */
  fresh(): Promise<void> | undefined {
    if (this.#shown === this.#known || this.#failing) return undefined;
    return this.#catchUp();
  }

  readonly #catchUp = joined(async () => {
    try {
      while (this.#shown !== this.#known) await this.refresh();
    } catch (error) {
      this.#failed(error);
    }
  });

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

  /** While the database does not answer, the last view stays in use; this is logged once. */
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
  for (const link of placed) {
    const banner = bannerOf.get(link.ad);
    const position = positionOf.get(link.position);
    if (banner === undefined || position === undefined) continue;
    placements.set(link.id, { link, banner, position });
  }
  return Object.freeze({
    placements,
    positions: positionOf,
    atPosition: groupBy(placements.values(), ({ position }) => position.id),
    pages: new Map(pages.map((page) => [page.id, page])),
  });
}

/** More than there can be concurrent writers. */
const newest = 50;

/** Covers several audit entries, because transactions may commit in another order than they got their ids. */
async function readRevision(reader: Reader): Promise<string> {
  const newestOf = (entity: 'ad' | 'position'): string =>
    `SELECT \`id\` FROM (SELECT \`id\` FROM \`hcd_ad_audit\` WHERE \`entity\` = '${entity}' ORDER BY \`id\` DESC LIMIT ?) AS \`of_${entity}\``;
  const sql = `${newestOf('ad')} UNION ALL ${newestOf('position')}`;
  const rows = await reader.select({ sql, params: [newest, newest] });
  return rows.map(([id]) => Number(id)).join(' ');
}

const pageAttributes = ['id', 'context_key', 'pagetitle', 'uri'] as const;

export type LinkedPage = Pick<RowOf<typeof siteContent>, (typeof pageAttributes)[number]>;

const batchSize = 100;

async function readLinkedPages(reader: Reader, prefix: string, ids: readonly number[]): Promise<LinkedPage[]> {
  const pages: LinkedPage[] = [];
  for (const id of batchesOf([...new Set(ids)], batchSize)) {
    const { lookUpAll } = siteContent.on(reader, prefix);
    pages.push(...(await lookUpAll({ id, deleted: false }, { attributes: pageAttributes })));
  }
  return pages;
}
