/** A page token with which a first caller reads the pages of the sample site; it ends by itself. */
import type { Environment } from '../../config/environment.js';
import { type IssuedToken, issueToken } from '../../identity/page-tokens/manage-tokens.js';
import { pageScopes, tokensVariable } from '../../identity/page-tokens/token-settings.js';
import type { Store } from '../../store/open/open.js';

const tokenLife = 30 * 86_400_000;

/** null where the environment gives the list of tokens: nothing can be added to it. */
export async function issueSamplePageToken(
  store: Store,
  { env, now }: { readonly env: Environment; readonly now: number },
): Promise<IssuedToken | null> {
  if ((env[tokensVariable] ?? '') !== '') return null;
  return issueToken(store, { env, scopes: pageScopes, name: 'demo', expiresOn: now + tokenLife, now });
}
