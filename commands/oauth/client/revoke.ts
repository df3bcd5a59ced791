/** `hcd oauth client revoke CLIENT_ID`: ends an OAuth client for good. */
import { type ClientView, loadClient } from '../../../src/identity/oauth/client-view.js';
import { type ClientRevocation, revokeClient } from '../../../src/identity/oauth/revoke-client.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import type { Deps } from '../../deps.js';
import { toggle } from '../../parameters.js';
import { openReady } from '../../store/open-ready.js';
import { clientRecord, isoTime } from '../oauth-record.js';
import { clientParameter } from '../parameters.js';

export const command = defineCommand({
  path: 'oauth client revoke',
  summary: 'End an OAuth client for good',
  description:
    'Ends a client: it gets no new token from now on. The tokens that it has work until they end by themselves; with --with-tokens they end as well, and every server refuses them within one second. A revoked client stays in the list, cannot be brought back, and its id is not given out again.',
  arguments: { clientId: clientParameter },
  options: { withTokens: toggle('End its tokens as well') },
  examples: [
    { line: 'oauth client revoke website', does: 'Give the client no more tokens' },
    { line: 'oauth client revoke website --with-tokens --yes', does: 'Shut out a client whose secret leaked' },
  ],
  destructive: {},
  async run({ clientId, withTokens }, deps) {
    const store = await openReady(deps);
    const now = deps.clock.now();
    if (deps.prompt.isInteractive) await confirm(deps, await loadClient(store, clientId, now));
    const revocation = await revokeClient(store, { clientId, withTokens, now });
    return { kind: 'done', message: messageOf(revocation), data: clientRecord(revocation.client) };
  },
});

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
