/** The user of a password grant (RFC 6749 4.3): name and password against the store, refusals as the token endpoint tells them. */
import { AppError } from '../../errors/app-error.js';
import type { LogIn } from '../users/log-in.js';
import { type GrantRefusal, refuse } from './grant.js';

/** What the client sent; undefined = left out. */
export interface UserCredentials {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** Throws rate_limited, and unavailable when guesses cannot be counted. */
export async function logInUser(
  logIn: LogIn,
  { username, password }: UserCredentials,
  address: string,
): Promise<GrantRefusal | { readonly kind: 'user'; readonly userId: number }> {
  if (username === undefined) return refuse('invalid_request', 'username is missing');
  if (password === undefined) return refuse('invalid_request', 'password is missing');
  try {
    const { userId } = await logIn({ username, password, address });
    return { kind: 'user', userId };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_credentials') throw error;
    return refuse('invalid_grant', 'The user is unknown or may not log in, or the password is wrong');
  }
}
