/**
 * Whether the content system would let a user in (docs/users.md#log-ins), and so whether the credentials of the user
 * still work: who is deactivated, blocked or removed takes them along, and another password takes what a log-in gave.
 */
import { sha256Hex } from '../../crypto/hash.js';
import type { Store } from '../../store/open/open.js';
import { findUsers, type UserRow, type UserStanding } from '../models/users.js';

/** What is in the way of the user, or null. */
export function standingProblem(user: UserStanding, nowSeconds: number): 'inactive' | 'blocked' | null {
  if (!user.active) return 'inactive';
  const isOver = user.blockedAfter > 0 && user.blockedAfter <= nowSeconds;
  return user.blocked || user.blockedUntil > nowSeconds || isOver ? 'blocked' : null;
}

/**
 * Names the password that was right, without being good for anything else. What a log-in opens is kept with this mark and
 * ends with it, wherever the password is changed. A new hash of the same password is another mark.
 */
export function passwordMark(hash: string): string {
  return sha256Hex(hash);
}

interface CredentialHolder {
  /** Null = the credential has no user. */
  readonly userId: number | null;
  /** Of the password of the log-in that gave the credential; null = no log-in did. */
  readonly passwordMark: string | null;
}

/** Reads on the primary, so that a change that was acknowledged is seen. `now` is Unix milliseconds. */
export async function mayUserAct(
  store: Pick<Store, 'content' | 'prefix'>,
  { userId, passwordMark: mark }: CredentialHolder,
  now: number,
): Promise<boolean> {
  return userId === null || (await findActingUser(store, { userId, passwordMark: mark }, now)) !== null;
}

/** Null for a user who is gone, inactive or blocked, or who has another password than the mark. */
export async function findActingUser(
  { content, prefix }: Pick<Store, 'content' | 'prefix'>,
  { userId, passwordMark: mark }: CredentialHolder & { readonly userId: number },
  now: number,
): Promise<UserRow | null> {
  const [user] = await findUsers(content.primary, prefix, [userId]);
  if (user === undefined || standingProblem(user, now / 1000) !== null) return null;
  return mark === null || mark === passwordMark(user.hash) ? user : null;
}
