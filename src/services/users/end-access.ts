/** Ends what a user got by logging in: access tokens and sessions. API keys are an operator's doing and stay. */
import type { Store } from '../../store/open.js';
import { markOauthTokensRevoked } from '../../store/rows/oauth-tokens.js';
import { removeSessionsOfUser } from '../../store/rows/sessions.js';
import { seenTokensOf } from '../oauth/seen-tokens.js';
import { seenSessionsOf } from '../sessions/seen-sessions.js';

/** Servers follow within a second. `now` is Unix milliseconds. */
export async function endAccessOf({ own }: Pick<Store, 'own'>, userId: number, now: number): Promise<void> {
  await own.write(
    async (tx) => {
      await markOauthTokensRevoked(tx, { userId }, now);
      await removeSessionsOfUser(tx, userId);
    },
    // Ending twice is harmless, so work whose outcome is unknown may be repeated.
    { outcome: async () => undefined },
  );
  seenTokensOf(own).forget();
  seenSessionsOf(own).forget();
}
