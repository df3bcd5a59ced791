/**
 * Gives a user another password, in a form that the CMS of the site understands, ends what the old one opened and
 * forgets failed guesses at it.
 */
import { hashPassword } from '../../crypto/password.js';
import { invalidField } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { passwordSubject } from '../limits/guess-limit.js';
import { clearRateCountersBelow } from '../rows/rate-counters.js';
import { replacePassword } from '../rows/user-passwords.js';
import { endAccessOf } from './end-access.js';
import { passwordScheme, readHostNames } from './host-names.js';
import { newPasswordProblem } from './new-password.js';
import { loadUserRow } from './user-view.js';

export interface PasswordChange {
  readonly username: string;
  readonly password: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Throws not_found, and validation_failed for a bad password. Gives the user's id. */
export async function changePassword(store: Store, { username, password, now }: PasswordChange): Promise<number> {
  const { id } = await loadUserRow(store, username);
  const scheme = passwordScheme(store);
  const weakness = newPasswordProblem(password, scheme);
  if (weakness !== null) throw invalidField('password', `The password ${weakness}`);
  const { nativeHash: hashClass } = await readHostNames(store);
  const hash = await hashPassword(password, scheme);
  const { content, prefix } = store;
  // Setting the same hash twice is harmless, so that work whose outcome is unknown may be repeated.
  const repeat = { outcome: async () => undefined };
  await content.write((tx) => replacePassword(tx, prefix, { userId: id, hash, hashClass }), repeat);
  await endAccessOf(store, id, now);
  await store.own.write((tx) => clearRateCountersBelow(tx, passwordSubject(username)), repeat);
  return id;
}
