/** Whether the credential that made a preview still works: a preview ends with it. */
import type { LiveSnapshot } from '../../content/live/live-state.js';
import type { Store } from '../../store/open/open.js';
import { apiKeys } from '../models/api-keys.js';
import { oauthTokens } from '../models/oauth.js';
import type { PreviewRow } from '../models/previews.js';
import { findSession } from '../models/sessions.js';
import { cmsSessionRules, findSealedCmsLogin } from '../sessions/find-cms-session.js';

interface MakerStanding {
  /** Unix milliseconds. */
  readonly endsOn: number;
  /** Null = no log-in gave the credential. */
  readonly passwordMark: string | null;
}

const unending: MakerStanding = Object.freeze({ endsOn: Number.POSITIVE_INFINITY, passwordMark: null });

interface Surroundings {
  readonly store: Pick<Store, 'own' | 'content' | 'prefix' | 'tables'>;
  readonly live: LiveSnapshot;
}

interface ShownPreview {
  readonly row: PreviewRow;
  /** The preview's own token. */
  readonly token: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Null when it has ended. */
export async function standingOfMaker(
  { store, live }: Surroundings,
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
