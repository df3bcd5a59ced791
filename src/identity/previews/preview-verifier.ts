/**
 * Verifies the tokens of previews: one indexed read on the primary, another for one that an API key made, and for one
 * of a user two for the user; none for a token that was good a moment ago.
 */
import type { PreviewIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { credentialHash, parseCredential } from '../../crypto/credential-text.js';
import { isSameSecret } from '../../crypto/hash.js';
import { rememberVerified } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { apiKeys } from '../models/api-keys.js';
import { type PreviewRow, previews } from '../models/previews.js';
import { mayUserAct } from '../users/user-standing.js';
import { keyOfMaker } from './manage-previews.js';

/** Gives the identity of a token; null when it is malformed, unknown, revoked or expired. */
export type VerifyPreview = (token: string) => Promise<PreviewIdentity | null>;

/** No digest is empty, so this matches no token. */
const noHash = '';

/**
 * A preview ends with the API key that made it and with its user. The function throws unavailable when the database does
 * not answer: never a pass.
 */
export function makePreviewVerifier({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix'>;
  readonly clock: Clock;
}): VerifyPreview {
  const { own, content } = store;
  const verifiedBy = rememberVerified<PreviewIdentity>({ own, readers: [own.primary, content.primary], clock });
  return async function verifyPreview(token) {
    const credential = parseCredential(token, 'pv');
    if (credential === null) return null;
    const hash = credentialHash(credential);
    return verifiedBy(hash, async (now) => {
      const row = await previews.on(own.primary).lookUp({ lookupId: credential.lookupId });
      const isRight = isSameSecret(hash, row?.secretHash ?? noHash);
      if (row === null || !isRight || row.revokedOn !== null) return null;
      const endsOn = Math.min(row.expiresOn, await endOfMaker(row));
      if (endsOn <= now) return null;
      // A password has no part in it.
      if (!(await mayUserAct(store, { userId: row.userId, passwordMark: null }, now))) return null;
      return { value: identityOf(row), endsOn };
    });
  };

  /** When the API key ends that made a preview. */
  async function endOfMaker({ createdBy }: PreviewRow): Promise<number> {
    const lookupId = keyOfMaker(createdBy);
    if (lookupId === null) return Number.POSITIVE_INFINITY;
    const key = await apiKeys.on(own.primary).lookUp({ lookupId });
    return key === null || key.revokedOn !== null ? 0 : (key.expiresOn ?? Number.POSITIVE_INFINITY);
  }
}

function identityOf({ lookupId, userId, context, resource, draftRevision }: PreviewRow): PreviewIdentity {
  return Object.freeze({ kind: 'preview', id: lookupId, userId, context, resource, draftRevision });
}
