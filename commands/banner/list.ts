/** `hcd banner list`: the banners with what visitors did. */
import { bannerTypes } from '../../src/banners/rules/banner.js';
import { booleanValue, choiceValue, listValue, textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';
import { idValue, partParameters } from './parameters.js';

const sorts = ['id', 'name', 'active', 'start', 'end'] as const;

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
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-list.js')).runList(options, deps),
});
