/** `hcd position list`: the places at which banners are shown. */
import { choiceValue, textValue } from '../../src/config/value-type.js';
import { partParameters } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';

export const command = defineCommand({
  path: 'position list',
  summary: 'List positions of banners',
  description:
    'Lists the positions with the number of their banners and what visitors did there. A position without a context is in every context.',
  arguments: {},
  options: {
    query: optional(textValue(), { placeholder: 'TEXT', description: 'Only positions with this in their name' }),
    sort: optional(choiceValue(['id', 'name']), { placeholder: 'FIELD', description: 'Order; id by default' }),
    ...partParameters,
  },
  examples: [
    { line: 'position list', does: 'Show all positions' },
    { line: 'position list --query side --json', does: 'Read some, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-list.js')).runList(options, deps),
});
