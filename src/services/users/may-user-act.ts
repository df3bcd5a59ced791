/** Whether the user behind a key or token may still act: who is deactivated, blocked or removed takes it along. */
import { standingProblem } from '../../content/user-standing.js';
import type { Store } from '../../store/open.js';
import { readUsers } from '../../store/rows/users.js';

/** One read; none for a credential without a user. `now` is Unix milliseconds. */
export async function mayUserAct(
  { content, prefix }: Pick<Store, 'content' | 'prefix'>,
  userId: number | null,
  now: number,
): Promise<boolean> {
  if (userId === null) return true;
  const [user] = await readUsers(content.primary, prefix, [userId]);
  return user !== undefined && standingProblem(user, now / 1000) === null;
}
