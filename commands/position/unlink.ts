/** `hcd position unlink POSITION BANNER`: a banner is shown there no more. */
import { idValue, positionParameter } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';

export const command = defineCommand({
  path: 'position unlink',
  summary: 'Take a banner away from a position',
  description:
    'Removes the link of a banner to a position; the banners behind it move up, and click addresses of the link lead nowhere then. The banner and its statistics stay.',
  arguments: {
    position: positionParameter,
    banner: required(idValue, { placeholder: 'BANNER', description: 'Id of the banner' }),
  },
  options: {},
  examples: [
    { line: 'position unlink sidebar 3', does: 'Show a banner there no more' },
    { line: 'position unlink 2 3 --json', does: 'The same, from a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-link.js')).runUnlink(options, deps),
});
