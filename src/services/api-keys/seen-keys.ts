/** The API keys that were found good a moment ago, one memory per open database. */
import type { ApiKeyIdentity } from '../../access/identity.js';
import type { Database } from '../../store/database.js';
import { type SeenCredential, SeenCredentials } from '../seen-credentials.js';

export interface SeenKey extends SeenCredential {
  readonly keyId: number;
  readonly identity: ApiKeyIdentity;
}

export type SeenKeys = SeenCredentials<SeenKey>;

/** Who changes a key in this process need not know who verifies. */
const memories = new WeakMap<Database, SeenKeys>();

export function seenKeysOf(own: Database): SeenKeys {
  const known = memories.get(own) ?? new SeenCredentials<SeenKey>();
  memories.set(own, known);
  return known;
}
