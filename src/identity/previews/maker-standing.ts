/** What made a preview, and whether it still works: a preview ends with it. One indexed read; none for a command. */
import type { Database } from '../../store/base/database.js';
import { apiKeys } from '../models/api-keys.js';
import { oauthTokens } from '../models/oauth.js';
import type { PreviewRow } from '../models/previews.js';
import { findSession } from '../models/sessions.js';

interface MakerStanding {
  /** Unix milliseconds. */
  readonly endsOn: number;
  /** Of the password of the log-in that gave the credential; null = no log-in did. */
  readonly passwordMark: string | null;
}

const unending: MakerStanding = Object.freeze({ endsOn: Number.POSITIVE_INFINITY, passwordMark: null });

/** Null when it has ended. */
export async function standingOfMaker(
  { primary }: Pick<Database, 'primary'>,
  { createdBy, sessionHash }: PreviewRow,
  now: number,
): Promise<MakerStanding | null> {
  if (sessionHash !== null) {
    const session = await findSession(primary, sessionHash);
    return session && { endsOn: now + session.leftMs, passwordMark: session.passwordMark };
  }
  const [, kind, id = ''] = /^(api_key|access_token):(.+)$/.exec(createdBy) ?? [];
  if (kind === 'api_key') {
    const key = await apiKeys.on(primary).lookUp({ lookupId: id });
    return key === null || key.revokedOn !== null ? null : { ...unending, endsOn: key.expiresOn ?? unending.endsOn };
  }
  if (kind === 'access_token') {
    const token = await oauthTokens.on(primary).lookUp({ tokenId: id });
    if (token === null || token.revokedOn !== null) return null;
    return { endsOn: token.expiresOn, passwordMark: token.passwordMark };
  }
  return unending;
}
