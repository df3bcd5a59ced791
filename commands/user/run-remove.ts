/** Removes a user for `hcd user remove`. */
import { AppError } from '../../src/errors/app-error.js';
import { removeUser } from '../../src/services/users/remove-user.js';
import { loadUserRow } from '../../src/services/users/user-view.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

export async function runRemove({ username }: { readonly username: string }, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  await loadUserRow(store, username);
  // Scripts are not asked: they named the user.
  if (deps.prompt.isInteractive) {
    const question = { message: `Remove the user ${username} for good?`, flag: '--yes' };
    if (!(await deps.prompt.confirm(question))) throw new AppError('refused', { message: 'Nothing was changed' });
  }
  const id = await removeUser(store, { username, now: deps.clock.now() });
  return { kind: 'done', message: `Removed the user ${username}.`, data: { id, username } };
}
