/** Whether the CMS would let a user in (docs/users.md#log-ins): without that, credentials do not work. */
import { sha256Hex } from '../../crypto/primitives.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { findUserByName, findUsers, type UserRow, type UserStanding } from '../models/users.js';

export function standingProblem(user: UserStanding, nowSeconds: number): 'inactive' | 'blocked' | null {
  if (!user.active) return 'inactive';
  const isOver = user.blockedAfter > 0 && user.blockedAfter <= nowSeconds;
  return user.blocked || user.blockedUntil > nowSeconds || isOver ? 'blocked' : null;
}

/** A session or token keeps the mark and ends when any program changes the password or its hash. */
export function passwordMark(hash: string): string {
  return sha256Hex(hash);
}

interface NamedUser {
  readonly store: Pick<Store, 'content' | 'prefix' | 'tables'>;
  readonly username: string;
  readonly now: number;
}

/** Throws validation_failed for a user who does not exist, and refused for one who may not log in. */
export async function findUserOf(credential: string, { store, username, now }: NamedUser): Promise<number> {
  const named = await findUserByName(store.content.primary, store, username);
  const [user] = await findUsers(store.content.primary, store.prefix, [named?.id ?? 0]);
  if (user === undefined) throw invalidField('user', 'no user has this name; hcd user list shows every user');
  const problem = standingProblem(user, now / 1000);
  if (problem === null) return user.id;
  throw new AppError('refused', { message: `The user ${username} is ${problem}: the ${credential} would never work` });
}

interface CredentialHolder {
  readonly userId: number | null;
  /** Null = no log-in gave the credential. */
  readonly passwordMark: string | null;
}

/** Reads on the primary, so that an acknowledged change is seen. `now` is Unix milliseconds. */
export async function mayUserAct(
  store: Pick<Store, 'content' | 'prefix'>,
  { userId, passwordMark: mark }: CredentialHolder,
  now: number,
): Promise<boolean> {
  return userId === null || (await findActingUser(store, { userId, passwordMark: mark }, now)) !== null;
}

/** Null for a user who is removed, inactive or blocked, or who has another password than the mark. */
export async function findActingUser(
  { content, prefix }: Pick<Store, 'content' | 'prefix'>,
  { userId, passwordMark: mark }: CredentialHolder & { readonly userId: number },
  now: number,
): Promise<UserRow | null> {
  const [user] = await findUsers(content.primary, prefix, [userId]);
  if (user === undefined || standingProblem(user, now / 1000) !== null) return null;
  return mark === null || mark === passwordMark(user.hash) ? user : null;
}
