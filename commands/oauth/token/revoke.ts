/** `hcd oauth token revoke`: revoke an access token. */
import { revokeToken } from '../../../src/identity/oauth/manage-tokens.js';
import { accept, refuse } from '../../../src/values/checked.js';
import { defineSiteCommand } from '../../command.js';
import { type Readable, required } from '../../parameters.js';
import { tokenRecord } from './shared.js';

const tokenIdAccepts = 'the id of an access token: the 16 hexadecimal digits between the underscores of the token';

/** Errors do not repeat the text: it may be the token itself. */
const tokenIdValue: Readable<string> = {
  kind: 'text',
  accepts: tokenIdAccepts,
  parse: (text) =>
    /^[0-9a-f]{16}$/.test(text) ? accept(text) : refuse(`must be ${tokenIdAccepts} (see hcd oauth token list)`),
};

const tokenParameter = required(tokenIdValue, {
  placeholder: 'TOKEN_ID',
  description: 'Id of the token: the part between the underscores of the token',
});

export const command = defineSiteCommand({
  description:
    'Revokes a token. Every server refuses it within one second, with 401 invalid_token. Its client can get another one; to prevent that, use hcd oauth client revoke.',
  arguments: { tokenId: tokenParameter },
  examples: {
    'oauth token revoke 5f0c1f9e8d7a6b43': 'Revoke the token that a log line names',
    'oauth token revoke 5f0c1f9e8d7a6b43 --yes --json': 'Revoke a token without confirmation',
  },
  destructive: {},
  async run({ tokenId }, deps) {
    await deps.confirm(`Revoke the token ${tokenId} permanently?`);
    const { token, hadEnded } = await revokeToken(deps.store, tokenId, deps.clock.now());
    const message = hadEnded
      ? `The token ${tokenId} was already expired or revoked; nothing to do.`
      : `Revoked the token ${tokenId}. Servers refuse it within one second.`;
    return { kind: 'done', message, data: tokenRecord(token) };
  },
});
