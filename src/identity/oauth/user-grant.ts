/** The user of a password grant (RFC 6749 4.3): name and password against the store, refusals as the token endpoint tells them. */
import { AppError } from '../../errors/app-error.js';
import type { LoggedIn, LogIn, LogInRequest } from '../users/log-in.js';
import { type GrantRefusal, refuse } from './grant.js';

/** What the client sent; undefined = left out. */
export interface UserCredentials {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** The same for every user who gets no token. */
export const wrongUser = refuse('invalid_grant', 'The user is unknown or may not log in, or the password is wrong');

/** Throws rate_limited, and unavailable when guesses cannot be counted. */
export async function logInUser(
  logIn: LogIn,
  { username, password }: UserCredentials,
  request: LogInRequest,
): Promise<GrantRefusal | ({ readonly kind: 'user' } & LoggedIn)> {
  if (username === undefined) return refuse('invalid_request', 'username is missing');
  if (password === undefined) return refuse('invalid_request', 'password is missing');
  try {
    return { kind: 'user', ...(await logIn({ username, password, request })) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_credentials') throw error;
    return wrongUser;
  }
}
