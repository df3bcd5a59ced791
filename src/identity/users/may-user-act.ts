/**
 * Whether the user behind a key or token may still act: who is deactivated, blocked or removed takes it along, and another
 * password what a log-in gave.
 */

import type { Store } from '../../store/open/open.js';
import { readUsers } from '../rows/users.js';
import { hasPassword } from './password-mark.js';
import { standingProblem } from './user-standing.js';

export interface CredentialHolder {
  /** Null = nobody stands behind the credential. */
  readonly userId: number | null;
  /** Of the password of the log-in that gave it; null = none did. */
  readonly passwordMark: string | null;
}

/** A read or two at once; none for a credential without a user. `now` is Unix milliseconds. */
export async function mayUserAct(
  store: Pick<Store, 'content' | 'prefix'>,
  { userId, passwordMark }: CredentialHolder,
  now: number,
): Promise<boolean> {
  if (userId === null) return true;
  const { content, prefix } = store;
  const [[user], isSamePassword] = await Promise.all([
    readUsers(content.primary, prefix, [userId]),
    passwordMark === null || hasPassword(store, { userId, mark: passwordMark }),
  ]);
  return isSamePassword && user !== undefined && standingProblem(user, now / 1000) === null;
}
