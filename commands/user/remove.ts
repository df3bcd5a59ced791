/** `hcd user remove NAME`: removes a user of the content system. */
import { removeUser } from '../../src/identity/users/remove-user.js';
import { loadUserRow } from '../../src/identity/users/user-view.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { openReady } from '../store/open-ready.js';
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
  async run({ username }, deps) {
    const store = await openReady(deps);
    await loadUserRow(store, username);
    await confirmChange(deps, `Remove the user ${username} for good?`);
    const id = await removeUser(store, { username, now: deps.clock.now() });
    return { kind: 'done', message: `Removed the user ${username}.`, data: { id, username } };
  },
});
