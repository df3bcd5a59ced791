/**
 * Tells whether the password of a log-in is still the user's. What a log-in opens is kept with the mark of its password
 * and ends with it, whoever changes the password and wherever: by command, in the content system, or while it is checked.
 */
import { sha256Hex } from '../../crypto/hash.js';
import type { Store } from '../../store/open/open.js';
import { readPasswordHash } from '../rows/user-passwords.js';

/** Names the password that was right, without being good for anything else. A new hash of the same password is another. */
export function passwordMark(hash: string): string {
  return sha256Hex(hash);
}

/** One read, on the primary: a change that was acknowledged is seen. */
export async function hasPassword(
  { content, prefix }: Pick<Store, 'content' | 'prefix'>,
  { userId, mark }: { readonly userId: number; readonly mark: string },
): Promise<boolean> {
  const hash = await readPasswordHash(content.primary, prefix, userId);
  return hash !== null && passwordMark(hash) === mark;
}
