/** What the commands for OAuth clients and access tokens share: arguments and records. */
import { textValue, type ValueType } from '../../src/config/value-type.js';
import type { ClientView, IssuedClient } from '../../src/identity/oauth/manage-clients.js';
import type { AccessTokenView } from '../../src/identity/oauth/manage-tokens.js';
import { required } from '../parameters.js';
import { isoTime, type JsonRecord } from '../result.js';

const clientIdAccepts = 'a text of 1 to 64 characters without controls and without spaces at its ends';

export const clientIdValue = textValue({
  accepts: clientIdAccepts,
  pattern: /^(?=\S)(?=.*\S$)\P{Cc}{1,64}$/u,
});

export const clientParameter = required(clientIdValue, {
  placeholder: 'CLIENT_ID',
  description: 'Id of the client',
});

const tokenIdAccepts = 'the id of an access token: the 16 hexadecimal digits between the underscores of the token';

/** Errors do not repeat the text: it may be the token itself. */
const tokenIdValue: ValueType<string> = {
  kind: 'text',
  accepts: tokenIdAccepts,
  parse: (text) =>
    /^[0-9a-f]{16}$/.test(text)
      ? { ok: true, value: text }
      : { ok: false, problem: `must be ${tokenIdAccepts} (see hcd oauth token list)` },
  format: (id) => id,
};

export const tokenParameter = required(tokenIdValue, {
  placeholder: 'TOKEN_ID',
  description: 'Id of the token: the part between the underscores of the token',
});

/** A client with its secret: the only record that has it. */
export function issuedRecord({ clientId, clientSecret, name, scopes, grants }: IssuedClient): JsonRecord {
  return { client_id: clientId, client_secret: clientSecret, name, scopes, grants };
}

export function clientRecord(client: ClientView): JsonRecord {
  return {
    client_id: client.clientId,
    name: client.name,
    scopes: client.scopes,
    grants: client.grants,
    rate_limit_max: client.rateLimitMax,
    rate_limit_window: client.rateLimitWindow,
    state: client.state,
    live_tokens: client.liveTokens,
    last_used_on: isoTime(client.lastUsedOn),
    created_on: isoTime(client.createdOn),
    created_by: client.createdBy,
    rotated_on: isoTime(client.rotatedOn),
    previous_ends_on: isoTime(client.previousEndsOn),
    revoked_on: isoTime(client.revokedOn),
  };
}

export function tokenRecord(token: AccessTokenView): JsonRecord {
  return {
    token_id: token.tokenId,
    client_id: token.clientId,
    user: token.user,
    scopes: token.scopes,
    state: token.state,
    issued_on: isoTime(token.issuedOn),
    expires_on: isoTime(token.expiresOn),
    revoked_on: isoTime(token.revokedOn),
  };
}
