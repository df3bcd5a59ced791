/** Ends what a user got by logging in: access tokens and sessions. API keys are an operator's doing and stay. */

import { tellRevocation } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { revokeOauthTokens } from '../models/oauth-tokens.js';
import { sessions } from '../models/sessions.js';

/** Servers follow at once where the database tells them of commits, within a second elsewhere. `now` is Unix milliseconds. */
export async function endAccessOf({ own }: Pick<Store, 'own'>, userId: number, now: number): Promise<void> {
  await own.write(
    async (tx) => {
      await revokeOauthTokens(tx, { userId }, now);
      await sessions.on(tx).destroy({ where: { userId } });
    },
    // Ending twice is harmless, so work whose outcome is unknown may be repeated.
    { outcome: async () => undefined },
  );
  await tellRevocation(own);
}
