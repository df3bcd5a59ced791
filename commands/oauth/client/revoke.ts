/** `hcd oauth client revoke CLIENT_ID`: revokes an OAuth client. */
import {
  type ClientRevocation,
  type ClientView,
  loadClient,
  revokeClient,
} from '../../../src/identity/oauth/manage-clients.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import type { Deps } from '../../deps.js';
import { toggle } from '../../parameters.js';
import { isoTime } from '../../result.js';
import { clientParameter, clientRecord } from '../shared.js';

export const command = defineCommand({
  path: 'oauth client revoke',
  summary: 'Revoke an OAuth client',
  description:
    'Revokes a client permanently: it gets no new tokens. Its existing tokens work until they expire; --with-tokens revokes them too, and every server refuses them within one second. A revoked client stays in the list and cannot be restored, and its id cannot be used again.',
  arguments: { clientId: clientParameter },
  options: { withTokens: toggle('Also revoke its tokens') },
  examples: [
    { line: 'oauth client revoke website', does: 'Revoke a client and keep its tokens' },
    { line: 'oauth client revoke website --with-tokens --yes', does: 'Revoke a client whose secret leaked' },
  ],
  destructive: {},
  async run({ clientId, withTokens }, deps) {
    const store = await deps.openReady();
    const now = deps.clock.now();
    if (deps.prompt.isInteractive) await confirm(deps, await loadClient(store, clientId, now));
    const revocation = await revokeClient(store, { clientId, withTokens, now });
    return { kind: 'done', message: messageOf(revocation), data: clientRecord(revocation.client) };
  },
});

function messageOf({ client, wasRevoked, revokedTokens }: ClientRevocation): string {
  const { clientId, liveTokens, revokedOn } = client;
  const first = wasRevoked
    ? `Already revoked at ${isoTime(revokedOn)}: client ${clientId}.`
    : `Revoked client ${clientId}. It gets no new tokens.`;
  if (revokedTokens > 0) return `${first} Revoked tokens: ${revokedTokens}.`;
  return liveTokens > 0 ? `${first} Tokens that still work until they expire: ${liveTokens}.` : first;
}

async function confirm(deps: Deps, { clientId, state, liveTokens }: ClientView): Promise<void> {
  if (state === 'revoked') return;
  await confirmChange(deps, `Revoke client ${clientId} (live tokens: ${liveTokens}) permanently?`);
}
