/** Verifies the tokens of previews. */
import type { PreviewIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import type { LiveSnapshot } from '../../content/live/live-state.js';
import { credentialHash, parseCredential } from '../../crypto/credential-text.js';
import { isSameSecret } from '../../crypto/primitives.js';
import { databaseMark, rememberVerified } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { apiKeys } from '../models/api-keys.js';
import { oauthTokens } from '../models/oauth.js';
import { type PreviewRow, previews } from '../models/previews.js';
import { findSession } from '../models/sessions.js';
import { cmsSessionRules, findSealedCmsLogin } from '../sessions/find-cms-session.js';
import { mayUserAct } from '../users/user-standing.js';

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

interface MakerStanding {
  readonly endsOn: number;
  /** Null = no log-in gave the credential. */
  readonly passwordMark: string | null;
}

const unending: MakerStanding = Object.freeze({ endsOn: Number.POSITIVE_INFINITY, passwordMark: null });

interface ShownPreview {
  readonly row: PreviewRow;
  readonly token: string;
  readonly now: number;
}

async function standingOfMaker(
  {
    store,
    live,
  }: { readonly store: Pick<Store, 'own' | 'content' | 'prefix' | 'tables'>; readonly live: LiveSnapshot },
  { row, token, now }: ShownPreview,
): Promise<MakerStanding | null> {
  const { createdBy, sessionHash, cmsSession } = row;
  const { primary } = store.own;
  if (sessionHash !== null) {
    const session = await findSession(primary, sessionHash);
    return session && { endsOn: now + session.leftMs, passwordMark: session.passwordMark };
  }
  if (cmsSession !== null) {
    const rules = cmsSessionRules(store, live);
    const login = rules && (await findSealedCmsLogin(store, { sealed: cmsSession, secret: token }, rules));
    // After a log-out there the session may be that of another user.
    return login?.userId === row.userId ? { endsOn: now + login.leftMs, passwordMark: null } : null;
  }
  const [, kind, id = ''] = /^(api_key|access_token|session):(.+)$/.exec(createdBy) ?? [];
  if (kind === 'api_key') {
    const key = await apiKeys.on(primary).lookUp({ lookupId: id });
    return key === null || key.revokedOn !== null ? null : { ...unending, endsOn: key.expiresOn ?? unending.endsOn };
  }
  if (kind === 'access_token') {
    const token = await oauthTokens.on(primary).lookUp({ tokenId: id });
    if (token === null || token.revokedOn !== null) return null;
    return { endsOn: token.expiresOn, passwordMark: token.passwordMark };
  }
  // Previews of old releases do not record their session, so its end is unknown.
  if (kind === 'session') return null;
  return unending;
}
