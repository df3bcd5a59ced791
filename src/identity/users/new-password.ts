/** What a new password must be, and a password that nobody has to think of. */
import { longestBcryptPassword, longestPassword, type PasswordScheme } from '../../crypto/password.js';
import { randomBase62 } from '../../crypto/random.js';

/** Characters; the CMS asks for as many. */
const shortest = 8;
/** 119 bits, and short enough to read out. */
const generatedLength = 20;

export function generatePassword(): string {
  return randomBase62(generatedLength);
}

/** What is wrong with a new password, as the end of a sentence; null when nothing is. Never repeats it. */
export function newPasswordProblem(password: string, scheme: PasswordScheme): string | null {
  if ([...password].length < shortest) return `must have ${shortest} characters or more`;
  const most = scheme === 'bcrypt' ? longestBcryptPassword : longestPassword;
  if (Buffer.byteLength(password) > most) return `must have ${most} bytes at most`;
  if (password.includes('\ufffd')) return 'must be UTF-8 text';
  return /\p{Cc}/u.test(password) ? 'must not have control characters' : null;
}
