/** `hcd user passwd`: change the password of a user. */
import { changePassword } from '../../src/identity/users/manage-users.js';
import { loadUserRow } from '../../src/identity/users/user-view.js';
import { defineSiteCommand } from '../command.js';
import { passwordOptions, readPassword, userParameter } from './shared.js';

const ended = 'The sessions and access tokens of the user stop working within one second.';

export const command = defineSiteCommand({
  description:
    'Changes the password of a user. On a terminal the command asks for it twice; scripts use --password-stdin or --generate. A password has at least 8 characters. Sessions and access tokens of the user stop working within one second; API keys with the access rights of the user keep working. Failed logins are reset, so a user who was locked out can log in.\n\nThe password is stored as argon2id. On the database of an existing site it is stored as bcrypt, which its content system can verify, and is limited to 72 bytes.',
  arguments: { username: userParameter },
  options: passwordOptions,
  examples: {
    'user passwd rowan': 'Enter the new password',
    'user passwd rowan --generate --json': 'Generate a password and print it as JSON',
  },
  async run(options, deps) {
    const { username } = options;
    // No password is entered for a user who does not exist.
    await loadUserRow(deps.store, username);
    const password = await readPassword(options, deps);
    const id = await changePassword(deps.store, { username, password, now: deps.clock.now() });
    if (!options.generate) {
      return { kind: 'done', message: `Changed the password of ${username}. ${ended}`, data: { id, username } };
    }
    return {
      kind: 'record',
      record: { id, username, password },
      notes: ['Copy the password now: it is not shown again.', ended],
    };
  },
});
