/** Ends a client for `hcd oauth client revoke`. */
import { type ClientView, loadClient } from '../../../src/identity/oauth/client-view.js';
import { type ClientRevocation, revokeClient } from '../../../src/identity/oauth/revoke-client.js';
import { confirmChange } from '../../confirm.js';
import type { Deps } from '../../deps.js';
import type { DoneResult } from '../../result.js';
import { openReady } from '../../store/open-ready.js';
import { clientRecord, isoTime } from '../oauth-record.js';

export interface RevokeOptions {
  readonly clientId: string;
  readonly withTokens: boolean;
}

export async function runRevoke({ clientId, withTokens }: RevokeOptions, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const now = deps.clock.now();
  if (deps.prompt.isInteractive) await confirm(deps, await loadClient(store, clientId, now));
  const revocation = await revokeClient(store, { clientId, withTokens, now });
  return { kind: 'done', message: messageOf(revocation), data: clientRecord(revocation.client) };
}

function messageOf({ client, wasRevoked, revokedTokens }: ClientRevocation): string {
  const { clientId, liveTokens, revokedOn } = client;
  const first = wasRevoked
    ? `The client ${clientId} was revoked at ${isoTime(revokedOn)}.`
    : `Revoked the client ${clientId}: it gets no new token.`;
  if (revokedTokens > 0) return `${first} Tokens ended with it: ${revokedTokens}.`;
  return liveTokens > 0 ? `${first} Tokens that work until they end: ${liveTokens}.` : first;
}

async function confirm(deps: Deps, { clientId, state, liveTokens }: ClientView): Promise<void> {
  if (state === 'revoked') return;
  await confirmChange(deps, `Revoke the client ${clientId} (live tokens: ${liveTokens}) for good?`);
}
