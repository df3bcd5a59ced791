/** `hcd user list`: the users of the content system. */
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';

export const command = defineCommand({
  path: 'user list',
  summary: 'List users with what they may do',
  description:
    'Lists every user of the content system with state (active, inactive, blocked), groups, last log-in, and the permissions that the user has in the context gateway_context: of all that policies hold those that the gateway asks for, * for everything. Never a password.',
  arguments: {},
  options: { usable: toggle('Only users who may log in') },
  examples: [
    { line: 'user list', does: 'Show all users' },
    { line: 'user list --usable --json', does: 'Read the users who may log in, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-list.js')).runList(options, deps),
});
