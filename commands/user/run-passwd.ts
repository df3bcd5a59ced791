/** Changes a password for `hcd user passwd`. */
import { changePassword } from '../../src/identity/users/change-password.js';
import { loadUserRow } from '../../src/identity/users/user-view.js';
import type { Deps } from '../deps.js';
import type { DoneResult, RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { type PasswordOptions, readPassword } from './read-password.js';

const ended = 'Sessions and access tokens of the user end within one second.';

export async function runPasswd(
  options: PasswordOptions & { readonly username: string },
  deps: Deps,
): Promise<DoneResult | RecordResult> {
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
}
