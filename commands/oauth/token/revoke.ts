/** `hcd oauth token revoke TOKEN_ID`: revokes an access token. */
import { revokeToken } from '../../../src/identity/oauth/manage-tokens.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import { tokenParameter, tokenRecord } from '../shared.js';

export const command = defineCommand({
  path: 'oauth token revoke',
  summary: 'Revoke an access token',
  description:
    'Revokes a token. Every server refuses it within one second, with 401 invalid_token. Its client can get another one; to prevent that, use hcd oauth client revoke.',
  arguments: { tokenId: tokenParameter },
  options: {},
  examples: [
    { line: 'oauth token revoke 5f0c1f9e8d7a6b43', does: 'Revoke the token that a log line names' },
    { line: 'oauth token revoke 5f0c1f9e8d7a6b43 --yes --json', does: 'Revoke a token without confirmation' },
  ],
  destructive: {},
  async run({ tokenId }, deps) {
    const store = await deps.openReady();
    await confirmChange(deps, `Revoke the token ${tokenId} permanently?`);
    const { token, hadEnded } = await revokeToken(store, tokenId, deps.clock.now());
    const message = hadEnded
      ? `The token ${tokenId} was already expired or revoked; nothing to do.`
      : `Revoked the token ${tokenId}. Servers refuse it within one second.`;
    return { kind: 'done', message, data: tokenRecord(token) };
  },
});
