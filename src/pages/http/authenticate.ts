/** The caller of the page delivery API (docs/pages-tokens.md#answers): a page token as Bearer, or none. */
import { anonymous, type Identity } from '../../access/identity.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller } from '../../http/interface/api.js';

/** Gives the identity of a token; null when it is unknown, malformed, expired or revoked. */
export type VerifyToken = (credential: string) => Identity | null | Promise<Identity | null>;

/** Longer than any token: refused without a look-up. */
const longest = 256;

/** Anonymous without Authorization header. Throws invalid_token for everything in it that is no good token. */
export function authenticatePages(caller: Caller, verify: VerifyToken): Identity | Promise<Identity> {
  const authorization = caller.header('authorization');
  if (authorization === undefined) return anonymous;
  const credential = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (credential === undefined || credential.length > longest) throw new AppError('invalid_token');
  const identity = verify(credential);
  return identity instanceof Promise ? identity.then(known) : known(identity);
}

function known(identity: Identity | null): Identity {
  if (identity === null) throw new AppError('invalid_token');
  return identity;
}
