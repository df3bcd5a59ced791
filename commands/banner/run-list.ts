/** Reads banners for `hcd banner list`. */

import { readImages } from '../../src/banners/management/banner-images.js';
import { type BannerListRequest, listBanners } from '../../src/banners/management/read-banners.js';
import type { BannerType } from '../../src/banners/rules/banner.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import type { Deps } from '../deps.js';
import type { ListResult, Marks } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { bannerJson } from './banner-json.js';
import { defaultLimit, type PartFlags } from './parameters.js';

const columns = ['id', 'name', 'type', 'active', 'impressions', 'clicks', 'conversions', 'end', 'positions'];
const spare = ['type', 'conversions', 'positions', 'end'];
const marks: Marks = { active: { '0': 'past' } };

export interface ListOptions extends PartFlags {
  readonly query: string | undefined;
  readonly active: boolean | undefined;
  readonly type: BannerType | undefined;
  readonly productId: number | undefined;
  readonly categoryId: number | undefined;
  readonly tag: string | undefined;
  readonly position: readonly number[] | undefined;
  readonly mode: 'include' | 'exclude' | undefined;
  readonly onSchedule: boolean;
  readonly sort: BannerListRequest['page']['sort'] | undefined;
  readonly desc: boolean;
}

export async function runList(options: ListOptions, deps: Deps): Promise<ListResult> {
  const { limit = defaultLimit, offset = 0, position, mode = 'include', sort = 'id' } = options;
  const store = await openReady(deps);
  const { values } = await readRuntimeSettings(store, deps.env);
  const { banners, total } = await listBanners(store, {
    query: options.query ?? null,
    active: options.active ?? null,
    type: options.type ?? null,
    productId: options.productId ?? null,
    categoryId: options.categoryId ?? null,
    tag: options.tag ?? null,
    positions: position === undefined ? null : { mode, ids: position },
    onScheduleAt: options.onSchedule ? { ms: deps.clock.now(), zone: values.banners_timezone } : null,
    page: { sort, descending: options.desc, limit, offset },
    images: await readImages(store, deps.env),
  });
  const isSilentlyCut = offset + banners.length < total && !deps.flags.json && !deps.io.stdout.isTerminal;
  return {
    kind: 'list',
    columns,
    spare,
    marks,
    rows: banners.map(bannerJson),
    total,
    empty: 'No banner is like that. Make one: hcd banner add --name NAME',
    notes: isSilentlyCut ? [`${banners.length} of ${total} shown.`] : [],
  };
}
