/** `hcd banner add`: a new banner from flags, JSON, a file or a preset. */
import { textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { writeParameters } from './field-flags.js';

export const command = defineCommand({
  path: 'banner add',
  summary: 'Add a banner',
  description:
    'Adds a banner by the rules of the banner API. A name is needed; on a terminal it is asked for. Times are ISO 8601 with Z or an offset, or Unix seconds; lists are separated by commas; show_hours is JSON such as {"days": [1,2,3,4,5], "hours": [9,10,11]} by the clocks of banners_timezone. product-id excludes category-id, target-resource-id excludes target-parent-id.\n\nWith --preset the banner gets the values of a preset, and its name; flags win over both. What is written is in hcd banner audit under the name cli.',
  arguments: {},
  options: {
    preset: optional(textValue(), {
      placeholder: 'PRESET',
      description: 'Start with the values of this preset: id or name',
    }),
    ...writeParameters,
  },
  examples: [
    {
      line: 'banner add --name "Spring sale" --url https://shop.example/sale --image banners/sale.png --positions 1,2',
      does: 'Add an image that is shown at two positions',
    },
    {
      line: 'banner add --file banner.json --active 0 --json',
      does: 'Add one from a file, switched off, for a script',
    },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-write.js')).runAdd(options, deps),
});
