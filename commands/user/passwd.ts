/** `hcd user passwd NAME`: another password for a user. */
import { changePassword } from '../../src/identity/users/change-password.js';
import { loadUserRow } from '../../src/identity/users/user-view.js';
import { defineCommand } from '../command.js';
import { openReady } from '../store/open-ready.js';
import { passwordOptions, userParameter } from './parameters.js';
import { readPassword } from './read-password.js';

const ended = 'Sessions and access tokens of the user end within one second.';

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
  async run(options, deps) {
    const { username } = options;
    const store = await openReady(deps);
    // Before anybody types a password for a user who does not exist.
    await loadUserRow(store, username);
    const { password, isGenerated } = await readPassword(options, deps);
    const id = await changePassword(store, { username, password, now: deps.clock.now() });
    if (!isGenerated) {
      return { kind: 'done', message: `Changed the password of ${username}. ${ended}`, data: { id, username } };
    }
    return {
      kind: 'record',
      record: { id, username, password },
      notes: ['The password is shown only now.', ended],
    };
  },
});
