/** Verifies the tokens of previews. */
import type { PreviewIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import type { LiveSnapshot } from '../../content/live/live-state.js';
import { credentialHash, parseCredential } from '../../crypto/credential-text.js';
import { isSameSecret } from '../../crypto/hash.js';
import { databaseMark } from '../../memory/database-mark.js';
import { rememberVerified } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { type PreviewRow, previews } from '../models/previews.js';
import { mayUserAct } from '../users/user-standing.js';
import { standingOfMaker } from './maker-standing.js';

/** Null when the token is malformed, unknown, revoked or expired. */
export type VerifyPreview = (token: string) => Promise<PreviewIdentity | null>;

/** No digest is empty, so this matches no token. */
const noHash = '';

/** Also ends with its maker and user. Throws unavailable when the database does not answer: never a pass. */
export function makePreviewVerifier({
  store,
  clock,
  live,
}: {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix' | 'tables'>;
  readonly clock: Clock;
  readonly live: () => LiveSnapshot;
}): VerifyPreview {
  const { own, content } = store;
  const verifiedBy = rememberVerified<PreviewIdentity>({
    own,
    mark: databaseMark([own.primary, content.primary]),
    clock,
  });
  return async function verifyPreview(token) {
    const credential = parseCredential(token, 'pv');
    if (credential === null) return null;
    const hash = credentialHash(credential);
    return verifiedBy(hash, async (now) => {
      const row = await previews.on(own.primary).lookUp({ lookupId: credential.lookupId });
      const isRight = isSameSecret(hash, row?.secretHash ?? noHash);
      if (row === null || !isRight || row.revokedOn !== null) return null;
      const maker = await standingOfMaker({ store, live: live() }, { row, token, now });
      const endsOn = Math.min(row.expiresOn, maker?.endsOn ?? 0);
      if (maker === null || endsOn <= now) return null;
      if (!(await mayUserAct(store, { ...maker, userId: row.userId }, now))) return null;
      return { value: identityOf(row), endsOn };
    });
  };
}

function identityOf({ lookupId, userId, context, resource, draftRevision }: PreviewRow): PreviewIdentity {
  return Object.freeze({ kind: 'preview', id: lookupId, userId, context, resource, draftRevision });
}
