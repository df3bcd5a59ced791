/** The access tokens that were found good a moment ago. */
import type { AccessTokenIdentity } from '../../access/identity.js';
import type { SeenCredential } from '../../memory/seen-credentials.js';
import { seenMemory } from '../../memory/seen-memory.js';

export interface SeenToken extends SeenCredential {
  readonly identity: AccessTokenIdentity;
}

export const seenTokensOf = seenMemory<SeenToken>();
