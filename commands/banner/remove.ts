/** `hcd banner remove ID`: a banner that is needed no more. */
import { defineCommand } from '../command.js';
import { bannerParameter } from './parameters.js';

export const command = defineCommand({
  path: 'banner remove',
  summary: 'Remove a banner',
  description:
    'Removes a banner and its links to positions for good; its click addresses lead nowhere then. Statistics keep its clicks and impressions, and its id is never given again. hcd banner disable only hides it.',
  arguments: { id: bannerParameter },
  options: {},
  examples: [
    { line: 'banner remove 3', does: 'Remove a banner' },
    { line: 'banner remove 3 --yes --json', does: 'The same, from a script' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-switch.js')).runRemove(options, deps),
});
