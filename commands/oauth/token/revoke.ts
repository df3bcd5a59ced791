/** `hcd oauth token revoke TOKEN_ID`: ends an access token before its time. */
import { revokeToken } from '../../../src/identity/oauth/manage-tokens.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import { openReady } from '../../store/open-ready.js';
import { tokenRecord } from '../oauth-record.js';
import { tokenParameter } from '../parameters.js';

export const command = defineCommand({
  path: 'oauth token revoke',
  summary: 'End an access token before its time',
  description:
    'Ends a token: every server refuses it within one second, with 401 invalid_token. Its client may get another one; hcd oauth client revoke stops that. A token that has ended stays as it is.',
  arguments: { tokenId: tokenParameter },
  options: {},
  examples: [
    { line: 'oauth token revoke 5f0c1f9e8d7a6b43', does: 'End the token that a log line names' },
    { line: 'oauth token revoke 5f0c1f9e8d7a6b43 --yes --json', does: 'The same, for a script' },
  ],
  destructive: {},
  async run({ tokenId }, deps) {
    const store = await openReady(deps);
    await confirmChange(deps, `Revoke the token ${tokenId} for good?`);
    const { token, hadEnded } = await revokeToken(store, tokenId, deps.clock.now());
    const message = hadEnded
      ? `Nothing to do: the token ${tokenId} had ended before.`
      : `Revoked the token ${tokenId}. Servers refuse it within one second.`;
    return { kind: 'done', message, data: tokenRecord(token) };
  },
});
