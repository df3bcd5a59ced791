/**
 * Tells whether the password of a log-in is still the user's. A log-in takes a while: what it opens is asked about after
 * it was written, so that a password which was changed meanwhile opens nothing that outlives the change.
 */
import { sha256Hex } from '../../crypto/hash.js';
import type { Store } from '../../store/open.js';
import { readPasswordHash } from '../../store/rows/user-passwords.js';

/** Names the password that was right, without being good for anything else. */
export function passwordMark(hash: string): string {
  return sha256Hex(hash);
}

/**
 * One read. Who changes a password writes it first and then ends what is open; who logs in opens first and then asks
 * here: one of the two sees the other.
 */
export async function hasPassword(
  { content, prefix }: Pick<Store, 'content' | 'prefix'>,
  { userId, mark }: { readonly userId: number; readonly mark: string },
): Promise<boolean> {
  const hash = await readPasswordHash(content.primary, prefix, userId);
  return hash !== null && passwordMark(hash) === mark;
}
