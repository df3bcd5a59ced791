/** Ends a page token, from the next request on, in every process (docs/reference/pages.md#tokens-in-the-store). */
import type { Environment } from '../../config/environment.js';
import { changeTokens } from './change-tokens.js';
import { checkNotLocked } from './issue-token.js';
import type { ContentStore } from './token-settings.js';
import { findToken, listTokens, type TokenSelector, type TokenView, tokenView } from './token-view.js';

export interface TokenRevocation {
  readonly token: TokenView;
  /** It had been revoked before; its time stays as it was. */
  readonly wasRevoked: boolean;
}

/** Throws not_found, and refused when the list is bad or locked. `now` is Unix milliseconds. */
export async function revokeToken(
  store: ContentStore,
  request: { readonly selector: TokenSelector; readonly env: Environment; readonly now: number },
): Promise<TokenRevocation> {
  const { selector, env, now } = request;
  checkNotLocked(env);
  // First by a read: a wrong name makes no row in the settings.
  const { prefix } = findToken((await listTokens(store, { env, now })).tokens, selector);
  return changeTokens(store, (tokens) => {
    const before = findToken(tokens, { prefix });
    const wasRevoked = before.revoked !== null;
    const after = wasRevoked ? before : { ...before, revoked: Math.floor(now / 1000) };
    const result = { token: tokenView(after, now), wasRevoked };
    return { tokens: wasRevoked ? null : tokens.map((one) => (one === before ? after : one)), result };
  });
}
