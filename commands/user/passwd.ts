/** `hcd user passwd NAME`: another password for a user. */
import { defineCommand } from '../command.js';
import { passwordOptions, userParameter } from './parameters.js';

export const command = defineCommand({
  path: 'user passwd',
  summary: 'Give a user another password',
  description:
    'Sets the password of a user: asked twice on a terminal, from standard input with --password-stdin, or made by --generate. It has 8 characters or more. The sessions and access tokens that the user got by logging in end within one second; API keys that act for the user work on. Failed log-ins are forgotten, so that a user who was locked out gets in.\n\nThe new password is stored as argon2id; on the database of an existing site as bcrypt, which its content system verifies, and at most 72 bytes long.',
  arguments: { username: userParameter },
  options: passwordOptions,
  examples: [
    { line: 'user passwd rowan', does: 'Ask for the new password' },
    { line: 'user passwd rowan --generate --json', does: 'Make a password, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-passwd.js')).runPasswd(options, deps),
});
