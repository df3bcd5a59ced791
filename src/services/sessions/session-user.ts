/** The user behind a session: read anew at each verification, so that who is blocked or loses a group loses it here. */
import type { Principal } from '../../access/acl.js';
import { standingProblem } from '../../content/user-standing.js';
import type { Store } from '../../store/open.js';
import { readPrincipal } from '../../store/rows/access.js';
import { readUsers } from '../../store/rows/users.js';

export interface SessionUser {
  readonly username: string;
  readonly principal: Principal;
}

/** Null for a user who is gone, inactive or blocked. `now` is Unix milliseconds. */
export async function findSessionUser(
  { content, prefix }: Pick<Store, 'content' | 'prefix'>,
  userId: number,
  now: number,
): Promise<SessionUser | null> {
  const [[user], principal] = await Promise.all([
    readUsers(content.primary, prefix, [userId]),
    readPrincipal(content.primary, prefix, userId),
  ]);
  if (user === undefined || principal === null || standingProblem(user, now / 1000) !== null) return null;
  return { username: user.username, principal };
}
