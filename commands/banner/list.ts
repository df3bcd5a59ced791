/** `hcd banner list`: the banners with what visitors did. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { listBanners } from '../../src/banners/management/read-banners.js';
import { bannerTypes } from '../../src/banners/rules/banner.js';
import { booleanValue, choiceValue, listValue, textValue } from '../../src/config/value-type.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';
import type { Marks } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { bannerJson } from './banner-json.js';
import { defaultLimit, idValue, partParameters } from './parameters.js';

const sorts = ['id', 'name', 'active', 'start', 'end'] as const;

const columns = ['id', 'name', 'type', 'active', 'impressions', 'clicks', 'conversions', 'end', 'positions'];

const spare = ['type', 'conversions', 'positions', 'end'];

const marks: Marks = { active: { '0': 'past' } };

export const command = defineCommand({
  path: 'banner list',
  summary: 'List banners',
  description:
    'Lists banners with their positions, dates and counters. The flags narrow the list as the parameters of GET /ads do; a search takes every character as it is. --on-schedule leaves the banners whose dates and hours let them be shown now, by the clocks of banners_timezone. With --json each banner has all its fields.',
  arguments: {},
  options: {
    query: optional(textValue(), { placeholder: 'TEXT', description: 'Only banners with this in name or description' }),
    active: optional(booleanValue, { placeholder: 'FLAG', description: 'Only banners that are switched on, or off' }),
    type: optional(choiceValue(bannerTypes), { placeholder: 'TYPE', description: 'Only banners of this type' }),
    productId: optional(idValue, { placeholder: 'N', description: 'Only banners of this product' }),
    categoryId: optional(idValue, { placeholder: 'N', description: 'Only banners of this category' }),
    tag: optional(textValue(), { placeholder: 'TAG', description: 'Only banners with this tag' }),
    position: optional(listValue(idValue, { min: 1, accepts: 'a comma list of ids of positions' }), {
      placeholder: 'LIST',
      description: 'Only banners at one of these positions',
    }),
    mode: optional(choiceValue(['include', 'exclude']), {
      placeholder: 'MODE',
      description: 'With exclude only banners at none of the positions that --position names',
    }),
    onSchedule: toggle('Only banners whose dates and hours include this moment'),
    sort: optional(choiceValue(sorts), { placeholder: 'FIELD', description: 'Order; id by default' }),
    desc: toggle('The other way round'),
    ...partParameters,
  },
  examples: [
    { line: 'banner list --on-schedule --active 1', does: 'Show what may be shown now' },
    { line: 'banner list --position 2 --sort end --json', does: 'Read the banners of a position, for a script' },
  ],
  async run(options, deps) {
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
  },
});
