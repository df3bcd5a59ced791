/** `hcd user remove NAME`: removes a user of the content system. */
import { defineCommand } from '../command.js';
import { userParameter } from './parameters.js';

export const command = defineCommand({
  path: 'user remove',
  summary: 'Remove a user for good',
  description:
    'Removes a user with profile, memberships and settings, and the group "gateway: NAME" when nobody else is in it. Sessions and access tokens of the user end within one second, and API keys that act for the user stop working. What the user wrote stays. The last active user of an existing site who may do everything cannot be removed.',
  arguments: { username: userParameter },
  options: {},
  examples: [
    { line: 'user remove rowan', does: 'Remove the user rowan after a question' },
    { line: 'user remove rowan --yes --json', does: 'Remove the user in a script' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-remove.js')).runRemove(options, deps),
});
