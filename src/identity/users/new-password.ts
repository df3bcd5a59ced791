/** New passwords: what they must be, how they are hashed, and one that is made at random. */
import { hashPassword, longestBcryptPassword, longestPassword, type PasswordScheme } from '../../crypto/password.js';
import { randomBase62 } from '../../crypto/random.js';
import { invalidField } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { readHostNames } from './host-names.js';

/** Characters; the CMS asks for as many. */
const shortest = 8;
/** 119 bits, and short enough to read out. */
const generatedLength = 20;

export function generatePassword(): string {
  return randomBase62(generatedLength);
}

/**
 * The hash of a new password in a form that the content system of the site verifies. An attached one does so with PHP,
 * which has bcrypt everywhere and argon2id only where it was built in. Throws validation_failed for a bad password.
 */
export async function hashNewPassword(
  store: Store,
  password: string,
): Promise<{ readonly hash: string; readonly hashClass: string }> {
  const scheme = store.kind === 'attached' ? 'bcrypt' : 'argon2id';
  const weakness = newPasswordProblem(password, scheme);
  if (weakness !== null) throw invalidField('password', `The password ${weakness}`);
  const { nativeHash: hashClass } = await readHostNames(store);
  return { hash: await hashPassword(password, scheme), hashClass };
}

/** What is wrong with a new password, as the end of a sentence; null when nothing is. Never repeats it. */
export function newPasswordProblem(password: string, scheme: PasswordScheme): string | null {
  if ([...password].length < shortest) return `must have ${shortest} characters or more`;
  const most = scheme === 'bcrypt' ? longestBcryptPassword : longestPassword;
  if (Buffer.byteLength(password) > most) return `must have ${most} bytes at most`;
  if (password.includes('\ufffd')) return 'must be UTF-8 text';
  return /\p{Cc}/u.test(password) ? 'must not have control characters' : null;
}
