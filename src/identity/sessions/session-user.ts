/** The user behind a session: read anew at each verification, so that who is blocked or loses a group loses it here. */
import type { Principal } from '../../access/acl.js';
import { readPrincipal } from '../../content/models/access.js';
import type { Store } from '../../store/open/open.js';
import { readUsers } from '../rows/users.js';
import { hasPassword } from '../users/password-mark.js';
import { standingProblem } from '../users/user-standing.js';

export interface SessionUser {
  readonly username: string;
  readonly principal: Principal;
}

/** Who logged in, and by which password; a null mark asks for none. */
export interface SessionHolder {
  readonly userId: number;
  readonly passwordMark: string | null;
}

/** Null for a user who is gone, inactive or blocked, or has another password now. `now` is Unix milliseconds. */
export async function findSessionUser(
  store: Pick<Store, 'content' | 'prefix'>,
  { userId, passwordMark }: SessionHolder,
  now: number,
): Promise<SessionUser | null> {
  const { content, prefix } = store;
  const [[user], principal, isSamePassword] = await Promise.all([
    readUsers(content.primary, prefix, [userId]),
    readPrincipal(content.primary, prefix, userId),
    passwordMark === null || hasPassword(store, { userId, mark: passwordMark }),
  ]);
  if (user === undefined || principal === null || !isSamePassword) return null;
  if (standingProblem(user, now / 1000) !== null) return null;
  return { username: user.username, principal };
}
