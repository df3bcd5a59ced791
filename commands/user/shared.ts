/** What the commands for users of the content system share. A password is never read from an argument. */
import { textValue } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import { generatePassword } from '../../src/identity/users/new-password.js';
import type { UserView } from '../../src/identity/users/user-view.js';
import { isoTime } from '../../src/values/dates.js';
import type { JsonRecord } from '../command.js';
import type { Deps } from '../deps.js';
import { required, toggle, usageError, type Values } from '../parameters.js';

const usernameValue = textValue({
  accepts: 'a name of 1 to 100 characters without controls and without spaces at its ends',
  pattern: /^(?=\S)(?=.*\S$)\P{Cc}{1,100}$/u,
});

export const userParameter = required(usernameValue, { placeholder: 'NAME', description: 'Name of the user' });

export const passwordOptions = {
  passwordStdin: toggle('Read the password from standard input'),
  generate: toggle('Generate a password and print it'),
};

export function userRecord(user: UserView): JsonRecord {
  return {
    id: user.id,
    username: user.username,
    fullname: user.fullName,
    email: user.email,
    state: user.state,
    sudo: user.sudo,
    groups: user.groups,
    permissions: user.permissions,
    last_login_on: isoTime(user.lastLogIn),
    created_on: isoTime(user.createdOn),
  };
}

export async function readPassword(
  { passwordStdin, generate }: Values<typeof passwordOptions>,
  { io, prompt }: Deps,
): Promise<string> {
  if (passwordStdin && generate) throw usageError({ '--generate': 'cannot be combined with --password-stdin' });
  if (generate) return generatePassword();
  // Some shells put a byte order mark before what they pipe.
  if (passwordStdin) return (await io.stdin.readAll()).replace(/^\ufeff/, '').replace(/\r?\n$/, '');
  const flag = '--password-stdin';
  const first = await prompt.password({ message: 'Password', flag });
  const second = await prompt.password({ message: 'Repeat password', flag });
  if (first === second) return first;
  throw new AppError('refused', { message: 'The passwords do not match; nothing was changed' });
}
