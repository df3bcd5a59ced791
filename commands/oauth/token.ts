/** `hcd oauth token`: access tokens of the gateway. */
import { type AccessTokenView, listTokens, pruneTokens, revokeToken } from '../../src/identity/oauth/manage-clients.js';
import { defineSiteCommand, recordOf } from '../command.js';
import { selectorValue } from '../credentials.js';
import { optional, required, toggle } from '../parameters.js';
import { clientIdValue } from './client.js';

function tokenRecord(token: AccessTokenView) {
  return recordOf(token, ['tokenId', 'clientId', 'user', 'scopes', 'state', 'issuedOn', 'expiresOn', 'revokedOn']);
}

const tokenIdValue = selectorValue(
  {
    accepts: 'the id of an access token: the 16 hexadecimal digits between the underscores of the token',
    list: 'hcd oauth token list',
  },
  (text) => (/^[0-9a-f]{16}$/.test(text) ? text : undefined),
);

const tokenParameter = required(tokenIdValue, 'Id of the token: the part between the underscores of the token', {
  placeholder: 'TOKEN_ID',
});

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists access tokens that have not expired, the first to expire first: client, user (for the grant password), scopes and state. The tokens themselves are never shown.',
    options: {
      client: optional(clientIdValue, 'Show only tokens of this client', { placeholder: 'CLIENT_ID' }),
      all: toggle('Also show expired tokens that are still stored'),
    },
    examples: {
      'oauth token list': 'List the tokens that have not expired',
      'oauth token list --client website --json': 'List the tokens of one client as JSON',
    },
    async run({ client, all }, deps) {
      const tokens = await listTokens(deps.store, { clientId: client ?? null, all, now: deps.clock.now() });
      return {
        kind: 'list',
        columns: ['token_id', 'client_id', 'user', 'scopes', 'state', 'issued_on', 'expires_on'],
        spare: ['issued_on', 'user'],
        marks: { state: { user_inactive: 'warning', password_changed: 'past', expired: 'past', revoked: 'past' } },
        rows: tokens.map(tokenRecord),
        empty: 'No access tokens.',
      };
    },
  }),

  revoke: defineSiteCommand({
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
  }),

  prune: defineSiteCommand({
    description:
      'Removes expired tokens from the database, including revoked ones. Expired tokens do not work anyway; removing them keeps the table small. Run it daily on a site whose clients get many tokens.',
    examples: {
      'oauth token prune': 'Remove expired tokens',
      'oauth token prune --yes --json': 'Remove expired tokens from a scheduled job',
    },
    destructive: {},
    async run(_options, deps) {
      await deps.confirm('Remove all expired access tokens?');
      const removed = await pruneTokens(deps.store, deps.clock.now());
      return { kind: 'done', message: `Removed expired access tokens: ${removed}.`, data: { removed } };
    },
  }),
};
