/** `hcd user remove`: remove a user. */
import { removeUser } from '../../src/identity/users/manage-users.js';
import { loadUserRow } from '../../src/identity/users/user-view.js';
import { defineSiteCommand } from '../command.js';
import { userParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Removes a user permanently, with profile, memberships and settings, and the group "gateway: NAME" when it has no other members. Sessions and access tokens of the user stop working within one second, and so do API keys with the access rights of the user. Content of the user is kept. The last active sudo user of an existing site cannot be removed.',
  arguments: { username: userParameter },
  examples: {
    'user remove rowan': 'Remove the user rowan',
    'user remove rowan --yes --json': 'Remove the user rowan without confirmation',
  },
  destructive: {},
  async run({ username }, deps) {
    await loadUserRow(deps.store, username);
    await deps.confirm(`Remove the user ${username} permanently?`);
    const id = await removeUser(deps.store, { username, now: deps.clock.now() });
    return { kind: 'done', message: `Removed the user ${username}.`, data: { id, username } };
  },
});
