/** Ends a token for `hcd oauth token revoke`. */
import { revokeToken } from '../../../src/identity/oauth/manage-tokens.js';
import { confirmChange } from '../../confirm.js';
import type { Deps } from '../../deps.js';
import type { DoneResult } from '../../result.js';
import { openReady } from '../../store/open-ready.js';
import { tokenRecord } from '../oauth-record.js';

export async function runRevoke({ tokenId }: { readonly tokenId: string }, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  await confirmChange(deps, `Revoke the token ${tokenId} for good?`);
  const { token, hadEnded } = await revokeToken(store, tokenId, deps.clock.now());
  const message = hadEnded
    ? `Nothing to do: the token ${tokenId} had ended before.`
    : `Revoked the token ${tokenId}. Servers refuse it within one second.`;
  return { kind: 'done', message, data: tokenRecord(token) };
}
