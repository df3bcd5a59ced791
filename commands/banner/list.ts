/** `hcd banner list`: list banners. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { listBanners } from '../../src/banners/management/read-banners.js';
import { bannerTypes } from '../../src/banners/rules/banner.js';
import { bannerStates } from '../../src/banners/rules/banner-state.js';
import { booleanValue, choiceValue, listValue, textValue } from '../../src/config/value-type.js';
import { defineSiteCommand } from '../command.js';
import { defaultRows, idValue, optional, rowParameters, toggle } from '../parameters.js';
import { withState } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists banners with their positions, dates and counters. The flags filter the list like the parameters of GET /ads; --query is matched literally. With --json each banner has all its fields, its state and the reason for it.',
  options: {
    query: optional(textValue(), {
      placeholder: 'TEXT',
      description: 'Show only banners with this text in the name or description',
    }),
    active: optional(booleanValue, {
      placeholder: 'FLAG',
      description: 'Show only active (1) or inactive (0) banners',
    }),
    type: optional(choiceValue(bannerTypes), 'Show only banners of this type'),
    productId: optional(idValue, 'Show only banners of this product'),
    categoryId: optional(idValue, 'Show only banners of this category'),
    tag: optional(textValue(), 'Show only banners with this tag'),
    position: optional(
      listValue(idValue, { min: 1, accepts: 'a comma list of ids of positions' }),
      'Show only banners at one of these positions',
    ),
    mode: optional(
      choiceValue(['include', 'exclude']),
      'Whether --position includes or excludes banners (default: include)',
    ),
    onSchedule: toggle('Show only banners whose dates and hours match now, in the time zone of banners_timezone'),
    state: optional(
      choiceValue(bannerStates),
      'Show only banners that run, or do not for this reason: the first one that holds, in this order',
    ),
    sort: optional(choiceValue(['id', 'name', 'active', 'start', 'end']), {
      placeholder: 'FIELD',
      description: 'Field to sort by (default: id)',
    }),
    desc: toggle('Sort in descending order'),
    ...rowParameters,
  },
  examples: {
    'banner list --on-schedule --active 1': 'Show the banners that can be shown now',
    'banner list --state capped': 'List the banners that have reached a limit',
    'banner list --position 2 --sort end --json': 'List the banners of a position as JSON',
  },
  async run(options, deps) {
    const { limit = defaultRows, offset = 0, position, mode = 'include', sort = 'id' } = options;
    const { banners_timezone: zone } = await deps.settings('banners');
    const moment = { ms: deps.clock.now(), zone };
    const { rows, total } = await listBanners(deps.store, {
      query: options.query ?? null,
      active: options.active ?? null,
      type: options.type ?? null,
      productId: options.productId ?? null,
      categoryId: options.categoryId ?? null,
      tag: options.tag ?? null,
      positions: position === undefined ? null : { mode, ids: position },
      onScheduleAt: options.onSchedule ? moment : null,
      ...(options.state === undefined ? {} : { state: { is: options.state, at: moment } }),
      ...{ sort, descending: options.desc, limit, offset },
      images: await readImages(deps.store, deps.env),
    });
    return {
      kind: 'list',
      columns: ['id', 'name', 'type', 'active', 'impressions', 'clicks', 'conversions', 'end', 'positions'],
      spare: ['type', 'conversions', 'positions', 'end'],
      marks: { active: { '0': 'past' } },
      rows: rows.map((banner) => withState(banner, moment)),
      total,
      offset,
      empty: 'No matching banners. Add one: hcd banner add --name NAME',
    };
  },
});
