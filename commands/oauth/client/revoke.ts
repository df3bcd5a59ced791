/** `hcd oauth client revoke`: revoke an OAuth client. */
import { type ClientRevocation, loadClient, revokeClient } from '../../../src/identity/oauth/manage-clients.js';
import { defineSiteCommand, isoTime } from '../../command.js';
import { toggle } from '../../parameters.js';
import { clientParameter, clientRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Revokes a client permanently: it gets no new tokens. Its existing tokens work until they expire; --with-tokens revokes them too, and every server refuses them within one second. A revoked client stays in the list and cannot be restored, and its id cannot be used again.',
  arguments: { clientId: clientParameter },
  options: { withTokens: toggle('Also revoke its tokens') },
  examples: {
    'oauth client revoke website': 'Revoke a client and keep its tokens',
    'oauth client revoke website --with-tokens --yes': 'Revoke a client whose secret leaked',
  },
  destructive: {},
  async run({ clientId, withTokens }, deps) {
    const now = deps.clock.now();
    await deps.confirm(async () => {
      const { state, liveTokens } = await loadClient(deps.store, clientId, now);
      return state === 'revoked' ? null : `Revoke client ${clientId} (live tokens: ${liveTokens}) permanently?`;
    });
    const revocation = await revokeClient(deps.store, { clientId, withTokens, now });
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
