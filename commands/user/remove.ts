/** `hcd user remove NAME`: removes a user of the content system. */
import { removeUser } from '../../src/identity/users/manage-users.js';
import { loadUserRow } from '../../src/identity/users/user-view.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { userParameter } from './shared.js';

export const command = defineCommand({
  path: 'user remove',
  summary: 'Remove a user',
  description:
    'Removes a user permanently, with profile, memberships and settings, and the group "gateway: NAME" when it has no other members. Sessions and access tokens of the user stop working within one second, and so do API keys with the access rights of the user. Content of the user is kept. The last active sudo user of an existing site cannot be removed.',
  arguments: { username: userParameter },
  options: {},
  examples: [
    { line: 'user remove rowan', does: 'Remove the user rowan' },
    { line: 'user remove rowan --yes --json', does: 'Remove the user rowan without confirmation' },
  ],
  destructive: {},
  async run({ username }, deps) {
    const store = await deps.openReady();
    await loadUserRow(store, username);
    await confirmChange(deps, `Remove the user ${username} permanently?`);
    const id = await removeUser(store, { username, now: deps.clock.now() });
    return { kind: 'done', message: `Removed the user ${username}.`, data: { id, username } };
  },
});
