/** Reads banners with their counters, positions and the address of their image. */

import { type AdministrationOptions, openAdministration } from '../../content/live/administrator.js';
import { type LiveSnapshot, mediaOf } from '../../content/live/live-state.js';
import type { Reader } from '../../store/base/database.js';
import { containsPattern, dialectOf } from '../../store/base/dialect.js';
import type { Store } from '../../store/open/open.js';
import { listsBy } from '../../values/batches.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { ads, bannerAttributes, findBanner } from '../models/ads.js';
import { adDays, clicks, readCounters } from '../models/events.js';
import { links } from '../models/links.js';
import { type Condition, type Page, readPage } from '../models/page.js';
import { positions } from '../models/positions.js';
import { type Banner, type BannerRecord, bannerRecord } from '../rules/banner-fields.js';
import type { BannerState } from '../rules/banner-state.js';
import { type Counts, noCounts } from '../rules/figures.js';
import { type Moment, momentBits } from '../rules/targeting.js';
import { type BannerStore, noBanner, noPosition } from './banner-store.js';
import type { WrittenBanner } from './create-banner.js';
import { linksOf } from './position-links.js';

/** A banner as answers show it (docs/banners.md#banners). */
export interface BannerView extends BannerRecord, Counts {
  readonly positions: readonly number[];
  readonly current_image: string;
}

interface BannerListRequest extends Page {
  /** Part of name or description, case-insensitive; no character is a wildcard. */
  readonly query: string | null;
  readonly active: boolean | null;
  readonly type: string | null;
  readonly productId: number | null;
  readonly categoryId: number | null;
  readonly tag: string | null;
  readonly positions: { readonly mode: 'include' | 'exclude'; readonly ids: readonly number[] } | null;
  readonly onScheduleAt: Moment | null;
  readonly state?: { readonly is: BannerState; readonly at: Moment };
  /** Unset times count as the earliest. */
  readonly sort: 'id' | 'name' | 'active' | 'start' | 'end';
  readonly images: ImageAddress;
}

export async function listBanners({ own }: BannerStore, request: BannerListRequest) {
  const { sort, descending, limit, offset, images } = request;
  const conditions = conditionsOf(own.primary, request);
  const { rows, total } = await readPage(own.primary, ads, { conditions, sort, descending, limit, offset });
  return { rows: await viewsOf(own.primary, { banners: rows, images }), total };
}

function conditionsOf(reader: Reader, request: BannerListRequest): readonly Condition[] {
  const { query, active, type, productId, categoryId, tag, positions: places, onScheduleAt, state } = request;
  const given = {
    active: active === null ? null : Number(active),
    type,
    product_id: productId,
    category_id: categoryId,
  };
  const equal = Object.entries(given).map(([name, value]): Condition => [`\`${name}\` = ?`, [value]]);
  const { foldedText, foldedMark } = dialectOf(reader.dialect);
  const like = (name: string): string => `${foldedText(`\`${name}\``)} LIKE ${foldedMark} ESCAPE '!'`;
  const pattern = containsPattern(query ?? '');
  return [
    ...(query === null ? [] : [[`${like('name')} OR ${like('description')}`, [pattern, pattern]] as const]),
    ...equal.filter(([, [value]]) => value !== null),
    // The alphabet of tags has no quote, so a tag between two of them is the whole tag.
    ...(tag === null ? [] : [['INSTR(`tags`, ?) > 0', [`"${tag}"`]] as const]),
    ...(places === null ? [] : [placesCondition(places)]),
    ...(onScheduleAt === null ? [] : scheduleConditions(onScheduleAt)),
    ...(state === undefined ? [] : stateConditions(state.is, state.at)),
  ];
}

function placesCondition({ mode, ids }: NonNullable<BannerListRequest['positions']>): Condition {
  const isAtOne =
    ids.length === 0
      ? '1 = 0'
      : `EXISTS (SELECT 1 FROM \`${links.table}\` WHERE \`ad\` = \`${ads.table}\`.\`id\` AND \`position\` IN (${ids.map(() => '?').join(', ')}))`;
  return [mode === 'include' ? isAtOne : `NOT (${isAtOne})`, ids];
}

type Reasons = Readonly<Record<Exclude<BannerState, 'running'>, Condition>>;

/** In the order in which the first that holds is the state. */
function reasonsAt({ ms, zone }: Moment): Reasons {
  const seconds = Math.floor(ms / 1000);
  const { days, hours } = momentBits(ms, zone);
  const counted = (name: string) =>
    `(SELECT COALESCE(SUM(\`${name}\`), 0) FROM \`${adDays.table}\` WHERE \`ad\` = \`${ads.table}\`.\`id\`)`;
  const isCapped = (name: string) => `(\`max_${name}\` > 0 AND ${counted(name)} >= \`max_${name}\`)`;
  const isOff = (name: string) => `(\`show_${name}_bits\` <> 0 AND (\`show_${name}_bits\` & ?) = 0)`;
  return {
    disabled: ['`active` = 0', []],
    ended: ['`end` IS NOT NULL AND `end` < ?', [seconds]],
    planned: ['`start` IS NOT NULL AND `start` > ?', [seconds]],
    capped: [`${isCapped('clicks')} OR ${isCapped('impressions')}`, []],
    unplaced: [`NOT EXISTS (SELECT 1 FROM \`${links.table}\` WHERE \`ad\` = \`${ads.table}\`.\`id\`)`, []],
    off_hours: [`${isOff('days')} OR ${isOff('hours')}`, [days, hours]],
  };
}

function not([sql, params]: Condition): Condition {
  return [`NOT (${sql})`, params];
}

function scheduleConditions(moment: Moment): readonly Condition[] {
  const { ended, planned, off_hours } = reasonsAt(moment);
  return [ended, planned, off_hours].map(not);
}

function stateConditions(state: BannerState, moment: Moment): readonly Condition[] {
  const reasons = Object.entries(reasonsAt(moment));
  const at = reasons.findIndex(([name]) => name === state);
  return reasons.slice(0, at < 0 ? undefined : at + 1).map(([name, reason]) => (name === state ? reason : not(reason)));
}

/** Throws not_found. */
export async function readBanner(
  { own }: BannerStore,
  { id, images }: { readonly id: number; readonly images: ImageAddress },
): Promise<BannerView> {
  const banner = await findBanner(own.primary, id);
  const [view] = banner === null ? [] : await viewsOf(own.primary, { banners: [banner], images });
  if (view === undefined) throw noBanner(id);
  return view;
}

/** The banner as it was just written, without later changes of others. */
export async function viewWritten(
  { own }: BannerStore,
  { banner, images }: { readonly banner: WrittenBanner; readonly images: ImageAddress },
): Promise<BannerView> {
  const { positions: ids, ...record } = banner;
  const counters = await readCounters(own.primary, { by: 'ad', ids: [banner.id] });
  return { ...record, ...(counters.get(banner.id) ?? noCounts), positions: ids, current_image: images(banner) };
}

interface PositionQuestion {
  readonly position: number;
  readonly limit: number;
  readonly offset: number;
  readonly images: ImageAddress;
}

/** Throws not_found. */
export async function listBannersOfPosition({ own }: BannerStore, question: PositionQuestion) {
  const { position } = question;
  if ((await positions.on(own.primary).lookUp({ id: position })) === null) throw noPosition(position);
  const { rows, total } = await readLinked(own.primary, question);
  return { rows: rows.map(({ view }) => view), total };
}

/** In the order of the position. `adposition` of a view is the id of the link, which click addresses name. */
export async function readLinked(reader: Reader, { position, limit, offset, images }: PositionQuestion) {
  const linked = await linksOf(reader, position);
  const shown = linked.slice(offset, offset + limit);
  const found = await ads.on(reader).lookUpAll({ id: shown.map(({ ad }) => ad) }, { attributes: bannerAttributes });
  const banners = new Map(found.map((banner) => [banner.id, banner]));
  const views = new Map((await viewsOf(reader, { banners: found, images })).map((view) => [view.id, view]));
  const rows = shown.flatMap(({ id, ad, idx, weight }) => {
    const [banner, view] = [banners.get(ad), views.get(ad)];
    if (banner === undefined || view === undefined) return [];
    return [{ banner, view: { ...view, adposition: id, idx, weight } }];
  });
  return { rows, total: linked.length };
}

/** Two statements, however many banners there are. */
async function viewsOf(
  reader: Reader,
  { banners, images }: { readonly banners: readonly Banner[]; readonly images: ImageAddress },
): Promise<readonly BannerView[]> {
  const ids = banners.map(({ id }) => id);
  const [counters, linked] = await Promise.all([
    readCounters(reader, { by: 'ad', ids }),
    links.on(reader).lookUpAll({ ad: ids }, { attributes: ['ad', 'position'], order: ['position'] }),
  ]);
  const places = listsBy(linked, ({ ad, position }) => [ad, position]);
  return banners.map((banner) => ({
    ...bannerRecord(banner),
    ...(counters.get(banner.id) ?? noCounts),
    positions: places.get(banner.id) ?? [],
    current_image: images(banner),
  }));
}

/** `position_name` is null for a removed position. Throws not_found. */
export async function listClicks({ own }: BannerStore, { ad, ...page }: Page & { readonly ad: number }) {
  const reader = own.primary;
  if ((await ads.on(reader).lookUp({ id: ad })) === null) throw noBanner(ad);
  const conditions = [['`ad` = ?', [ad]] as const];
  const { rows, total } = await readPage(reader, clicks, { ...page, conditions, sort: 'at', isWhole: true });
  const ids = [...new Set(rows.map(({ position }) => position))];
  const named = await positions.on(reader).lookUpAll({ id: ids }, { attributes: ['id', 'name'] });
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return {
    rows: rows.map((row) => ({
      id: row.id,
      position: row.position,
      position_name: names.get(row.position) ?? null,
      clicked_at: isoTimeOfMs(row.at),
      referrer: row.referrer,
      ip: row.ip,
      order_id: row.orderId,
    })),
    total,
  };
}

export type ImageAddress = (banner: Pick<Banner, 'image' | 'source'>) => string;

/** Finds the address at which the image of a banner can be seen (docs/banners.md#banners). */
export function liveImages(snapshot: LiveSnapshot): ImageAddress {
  const { sourceOf, urlOf } = mediaOf(snapshot);
  return ({ image, source: own }) => {
    const source = sourceOf(own || snapshot.settings.values.banners_media_source);
    return source === undefined ? image : urlOf(image, source);
  };
}

export async function readImages(store: Store, options: AdministrationOptions): Promise<ImageAddress> {
  return liveImages((await openAdministration(store, options)).live);
}
