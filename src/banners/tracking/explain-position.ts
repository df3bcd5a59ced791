/** What a position would show, and why not each of its other banners. Reads the database, as commands do. */
import { siteContent } from '../../content/models/resources.js';
import type { Store } from '../../store/open/open.js';
import type { ImageAddress } from '../management/banner-images.js';
import { linksOf } from '../management/banner-links.js';
import { viewsOf } from '../management/read-banners.js';
import { ads, bannerAttributes } from '../models/ads.js';
import type { Banner, Position } from '../rules/banner.js';
import { reasonText } from '../rules/banner-state.js';
import { whyHidden } from '../rules/targeting.js';
import { ancestorsOf } from './ancestors.js';
import { type PlaceQuestion, placeOf } from './read-slot.js';

interface ExplainQuestion extends PlaceQuestion {
  readonly position: Position;
  readonly context: string;
  readonly images: ImageAddress;
  readonly limit: number;
  readonly offset: number;
}

/** In the order of the position. `reason` is null for a banner that is shown. */
export async function explainPosition(store: Store, question: ExplainQuestion) {
  const { own } = store;
  const { position, context, images, limit, offset } = question;
  const linked = await linksOf(own.primary, position.id);
  const shown = linked.slice(offset, offset + limit);
  const banners = await ads
    .on(own.primary)
    .lookUpAll({ id: shown.map(({ ad }) => ad) }, { attributes: bannerAttributes });
  const there = banners.map((banner) => ({ banner }));
  const place = await placeOf({ ancestors: (resource) => ancestorsOf(store, resource) }, question, there);
  const views = new Map((await viewsOf(own.primary, { banners, images })).map((view) => [view.id, view]));
  const titles = await readTitles(store, banners);
  const isElsewhere = position.context_key !== '' && position.context_key !== context;
  const byId = new Map(banners.map((banner) => [banner.id, banner]));
  const rows = shown.flatMap(({ id, ad, idx, weight }) => {
    const [banner, view] = [byId.get(ad), views.get(ad)];
    if (banner === undefined || view === undefined) return [];
    const why = isElsewhere ? 'context' : whyHidden(banner, place, () => view);
    const facts = { banner, zone: place.moment.zone, counts: view, titles, position };
    const reason = why === null ? null : reasonText(why, facts);
    return [{ ...view, adposition: id, idx, weight, shown: why === null, reason }];
  });
  return { rows, total: linked.length };
}

async function readTitles(
  { content, prefix }: Pick<Store, 'content' | 'prefix'>,
  banners: readonly Banner[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(
    banners.flatMap((one) => [one.target_resource_id, one.target_parent_id, one.product_id, one.category_id]),
  );
  ids.delete(0);
  if (ids.size === 0) return new Map();
  const attributes = ['id', 'pagetitle'] as const;
  const found = await siteContent.on(content.primary, prefix).lookUpAll({ id: [...ids] }, { attributes });
  return new Map(found.map(({ id, pagetitle }) => [id, pagetitle]));
}
