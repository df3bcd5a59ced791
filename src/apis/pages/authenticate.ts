/**
 * The caller of the page delivery API: anonymous without Authorization header. Tokens cannot be issued by this
 * version, so every one that is sent is unknown.
 */
import type { Identity } from '../../access/identity.js';
import { anonymous } from '../../access/identity.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller } from '../../http/api.js';

/** Throws invalid_token for anything in the Authorization header. */
export function authenticatePages(caller: Caller): Identity {
  if (caller.header('authorization') === undefined) return anonymous;
  throw new AppError('invalid_token');
}
