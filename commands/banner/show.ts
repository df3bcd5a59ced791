/** `hcd banner show ID`: one banner with its counters. */
import { defineCommand } from '../command.js';
import { bannerParameter } from './parameters.js';

export const command = defineCommand({
  path: 'banner show',
  summary: 'Show a banner',
  description:
    'Shows every field of a banner, its positions, what visitors did with it over all time, and the address of its image. Times are UTC; show_hours are by the clocks of banners_timezone.',
  arguments: { id: bannerParameter },
  options: {},
  examples: [
    { line: 'banner show 3', does: 'Show a banner' },
    { line: 'banner show 3 --json', does: 'Read it, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-show.js')).runShow(options, deps),
});
