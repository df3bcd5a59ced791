/** The access tokens that were found good a moment ago, one memory per open database. */
import type { AccessTokenIdentity } from '../../access/identity.js';
import type { Database } from '../../store/database.js';
import { type SeenCredential, SeenCredentials } from '../seen-credentials.js';

export interface SeenToken extends SeenCredential {
  readonly identity: AccessTokenIdentity;
}

export type SeenTokens = SeenCredentials<SeenToken>;

/** Who revokes a token in this process need not know who verifies. */
const memories = new WeakMap<Database, SeenTokens>();

export function seenTokensOf(own: Database): SeenTokens {
  const known = memories.get(own) ?? new SeenCredentials<SeenToken>();
  memories.set(own, known);
  return known;
}
