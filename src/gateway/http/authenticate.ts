/** Finds the credential of a request and has it verified (docs/reference/gateway.md#credentials). */
import { anonymous, type Identity, type SessionIdentity } from '../../access/identity.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller } from '../../http/interface/api.js';

/** Gives the identity of a key or token; null when it is unknown, malformed, expired or revoked. */
export type VerifyCredential = (credential: string) => Promise<Identity | null>;

/** Gives the session that the cookies of a request name; null for none, and for one that has ended. */
type FindSession = (caller: Caller) => Promise<SessionIdentity | null>;

interface Verifiers {
  readonly verify: VerifyCredential;
  readonly findSession: FindSession;
}

const bearer = /^bearer(?:\s+(.*))?$/i;
/** Schemes of a proxy in front of this server: not meant for it. */
const foreign = /^(?:basic|digest|negotiate|ntlm)(?:\s|$)/i;

/**
 * Anonymous without a credential. Bearer wins over X-API-Key. HTTP Basic and its like do not count as credentials here: a site
 * behind them sends them along with every request. Anything else in Authorization is a credential that is wrong.
 * Cookies count only without a credential. One of a session that has ended is not a wrong credential: browsers send it on
 * their own, to public pages and to the log-in too.
 */
export async function identifyCaller(caller: Caller, { verify, findSession }: Verifiers): Promise<Identity> {
  const given = caller.header('authorization')?.trim() ?? '';
  const authorization = bearer.exec(given);
  if (authorization === null && given !== '' && !foreign.test(given)) throw new AppError('invalid_token');
  const credential = authorization ? (authorization[1]?.trim() ?? '') : caller.header('x-api-key')?.trim();
  if (credential === undefined) return (await findSession(caller)) ?? anonymous;
  // Longer than any credential of ours, or with a gap: refused without a look-up.
  const wellFormed = credential.length > 0 && credential.length <= 256 && !/\s/.test(credential);
  const identity = wellFormed ? await verify(credential) : null;
  if (!identity) throw new AppError('invalid_token');
  return identity;
}
