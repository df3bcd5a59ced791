/** Rules and hashes of new passwords, with class names as the CMS writes them: only version 3 has namespaces. */

import { users } from '../../content/models/access.js';
import { randomBase62 } from '../../crypto/credential-text.js';
import { hashPassword, longestBcryptPassword, longestPassword, type PasswordScheme } from '../../crypto/password.js';
import { invalidField } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';

/** As the CMS demands. */
const shortest = 8;
/** 119 bits, and short enough to read out. */
const generatedLength = 20;

export function generatePassword(): string {
  return randomBase62(generatedLength);
}

/** PHP verifies bcrypt everywhere, but argon2id only where it was built in. Throws validation_failed. */
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

/** The end of a sentence that never repeats the password; null for an accepted one. */
export function newPasswordProblem(password: string, scheme: PasswordScheme): string | null {
  if ([...password].length < shortest) return `must have ${shortest} characters or more`;
  const most = scheme === 'bcrypt' ? longestBcryptPassword : longestPassword;
  if (Buffer.byteLength(password) > most) return `must have ${most} bytes at most`;
  if (password.includes('\ufffd')) return 'must be UTF-8 text';
  return /\p{Cc}/u.test(password) ? 'must not have control characters' : null;
}

export async function readHostNames({ content, prefix, kind }: Store) {
  const some =
    kind === 'own'
      ? []
      : await users.on(content.primary, prefix).findAll({ attributes: ['classKey'], order: ['id'], limit: 50 });
  const isVersion3 = some.length === 0 || some.some(({ classKey }) => classKey.includes('\\'));
  const space = isVersion3 ? 'MODX\\Revolution\\' : '';
  return {
    user: `${space}modUser`,
    userGroup: `${space}modUserGroup`,
    /** Verified by password_verify of PHP. */
    nativeHash: isVersion3 ? `${space}Hashing\\modNative` : 'hashing.modNative',
  };
}
