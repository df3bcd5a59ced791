/** `hcd banner key show`: the key of the banner API. */
import { defineCommand } from '../../command.js';

export const command = defineCommand({
  path: 'banner key show',
  summary: 'Show the key of the banner API',
  description:
    'Shows the key that clients of the banner API send as "Authorization: Bearer KEY" or "X-API-Key: KEY", the one before it while it still works, and the names of the keys that may only read. The keys themselves of the latter are shown once, when they are made.',
  arguments: {},
  options: {},
  examples: [
    { line: 'banner key show', does: 'Show the key' },
    { line: 'banner key show --json', does: 'Read it, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (_options, deps) => (await import('./run-key.js')).runShow(deps),
});
