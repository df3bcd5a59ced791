/** Removes a user for `hcd user remove`. */
import { removeUser } from '../../src/identity/users/remove-user.js';
import { loadUserRow } from '../../src/identity/users/user-view.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

export async function runRemove({ username }: { readonly username: string }, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  await loadUserRow(store, username);
  await confirmChange(deps, `Remove the user ${username} for good?`);
  const id = await removeUser(store, { username, now: deps.clock.now() });
  return { kind: 'done', message: `Removed the user ${username}.`, data: { id, username } };
}
