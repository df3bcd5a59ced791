/** `hcd position order POSITION BANNER...`: the banners of a position in another order. */
import { idValue, positionParameter } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { repeated } from '../parameters.js';

export const command = defineCommand({
  path: 'position order',
  summary: 'Order the banners of a position',
  description:
    'Puts the named banners first, in this order, and leaves the others behind them as they were; without names it shows the order. The order counts in the rotation idx. Prints the links.',
  arguments: {
    position: positionParameter,
    banners: repeated(idValue, { placeholder: 'BANNER', description: 'Ids of banners, the first one first' }),
  },
  options: {},
  examples: [
    { line: 'position order sidebar 7 3', does: 'Put two banners first' },
    { line: 'position order sidebar --json', does: 'Read the links of a position, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-link.js')).runOrder(options, deps),
});
