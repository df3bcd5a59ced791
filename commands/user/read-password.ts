/** Gets a new password: asked twice on a terminal, from standard input, or generated. Never from an argument. */
import { AppError } from '../../src/errors/app-error.js';
import { generatePassword } from '../../src/identity/users/new-password.js';
import type { Deps } from '../deps.js';
import { usageError } from '../usage-error.js';

export interface PasswordOptions {
  readonly passwordStdin: boolean;
  readonly generate: boolean;
}

export interface GivenPassword {
  readonly password: string;
  /** A generated password has to be shown. */
  readonly isGenerated: boolean;
}

export async function readPassword({ passwordStdin, generate }: PasswordOptions, deps: Deps): Promise<GivenPassword> {
  if (passwordStdin && generate) throw usageError({ '--generate': 'cannot be combined with --password-stdin' });
  if (generate) return { password: generatePassword(), isGenerated: true };
  const password = passwordStdin ? await readLine(deps) : await askTwice(deps);
  return { password, isGenerated: false };
}

async function readLine({ io }: Deps): Promise<string> {
  // Some shells put a byte order mark before what they pipe.
  return (await io.stdin.readAll()).replace(/^\ufeff/, '').replace(/\r?\n$/, '');
}

async function askTwice({ prompt }: Deps): Promise<string> {
  const flag = '--password-stdin';
  const first = await prompt.password({ message: 'Password', flag });
  const second = await prompt.password({ message: 'Repeat password', flag });
  if (first === second) return first;
  throw new AppError('refused', { message: 'The passwords do not match; nothing was changed' });
}
