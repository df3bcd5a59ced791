/** `hcd banner list`: the banners with their counters. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { listBanners } from '../../src/banners/management/read-banners.js';
import { bannerTypes } from '../../src/banners/rules/banner.js';
import { booleanValue, choiceValue, listValue, textValue } from '../../src/config/value-type.js';
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import { defineCommand } from '../command.js';
import { defaultRows, optional, rowParameters, toggle } from '../parameters.js';
import type { Marks } from '../result.js';
import { bannerJson, idValue } from './shared.js';

const sorts = ['id', 'name', 'active', 'start', 'end'] as const;

const columns = ['id', 'name', 'type', 'active', 'impressions', 'clicks', 'conversions', 'end', 'positions'];

const spare = ['type', 'conversions', 'positions', 'end'];

const marks: Marks = { active: { '0': 'past' } };

export const command = defineCommand({
  path: 'banner list',
  summary: 'List banners',
  description:
    'Lists banners with their positions, dates and counters. The flags filter the list like the parameters of GET /ads; --query is matched literally. With --json each banner has all its fields.',
  arguments: {},
  options: {
    query: optional(textValue(), {
      placeholder: 'TEXT',
      description: 'Show only banners with this text in the name or description',
    }),
    active: optional(booleanValue, {
      placeholder: 'FLAG',
      description: 'Show only active (1) or inactive (0) banners',
    }),
    type: optional(choiceValue(bannerTypes), { placeholder: 'TYPE', description: 'Show only banners of this type' }),
    productId: optional(idValue, { placeholder: 'N', description: 'Show only banners of this product' }),
    categoryId: optional(idValue, { placeholder: 'N', description: 'Show only banners of this category' }),
    tag: optional(textValue(), { placeholder: 'TAG', description: 'Show only banners with this tag' }),
    position: optional(listValue(idValue, { min: 1, accepts: 'a comma list of ids of positions' }), {
      placeholder: 'LIST',
      description: 'Show only banners at one of these positions',
    }),
    mode: optional(choiceValue(['include', 'exclude']), {
      placeholder: 'MODE',
      description: 'Whether --position includes or excludes banners (default: include)',
    }),
    onSchedule: toggle('Show only banners whose dates and hours match now, in the time zone of banners_timezone'),
    sort: optional(choiceValue(sorts), { placeholder: 'FIELD', description: 'Field to sort by (default: id)' }),
    desc: toggle('Sort in descending order'),
    ...rowParameters,
  },
  examples: [
    { line: 'banner list --on-schedule --active 1', does: 'Show the banners that can be shown now' },
    { line: 'banner list --position 2 --sort end --json', does: 'List the banners of a position as JSON' },
  ],
  async run(options, deps) {
    const { limit = defaultRows, offset = 0, position, mode = 'include', sort = 'id' } = options;
    const store = await deps.openReady();
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
      ...{ sort, descending: options.desc, limit, offset },
      images: await readImages(store, deps.env),
    });
    return {
      kind: 'list',
      columns,
      spare,
      marks,
      rows: banners.map(bannerJson),
      total,
      offset,
      empty: 'No matching banners. Add one: hcd banner add --name NAME',
    };
  },
});
