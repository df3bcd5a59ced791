/** The access tokens that were found good a moment ago. */
import type { AccessTokenIdentity } from '../../access/identity.js';
import type { SeenCredential } from '../seen-credentials.js';
import { seenMemory } from '../seen-memory.js';

export interface SeenToken extends SeenCredential {
  readonly identity: AccessTokenIdentity;
}

export const seenTokensOf = seenMemory<SeenToken>();
