/** `hcd section-type remove KEY`: takes a section type out of force. */
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { keyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'section-type remove',
  summary: 'Remove a section type, or hide a shipped one',
  description:
    'Removes a definition of this site; where it replaced a shipped one, that is in force again. A shipped type is hidden. A type that pages use, in their draft or in what is published, is refused without --force: their sections could no longer be rendered, and drafts with them could not be saved.',
  arguments: { key: keyParameter },
  options: { force: toggle('Remove it although pages use it') },
  examples: [
    { line: 'section-type remove stats', does: 'Hide a shipped type that nobody is to use' },
    { line: 'section-type remove price_list --force --yes', does: 'Remove a type whatever uses it' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-remove.js')).runRemove(options, deps),
});
