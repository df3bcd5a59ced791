/** The API keys that were found good a moment ago. */
import type { ApiKeyIdentity } from '../../access/identity.js';
import type { SeenCredential, SeenCredentials } from '../../memory/seen-credentials.js';
import { seenMemory } from '../../memory/seen-memory.js';

export interface SeenKey extends SeenCredential {
  readonly keyId: number;
  readonly identity: ApiKeyIdentity;
}

export type SeenKeys = SeenCredentials<SeenKey>;

export const seenKeysOf = seenMemory<SeenKey>();
