/** What the commands for OAuth clients of the gateway share. */
import { textValue } from '../../../src/config/value-type.js';
import type { ClientView, IssuedClient } from '../../../src/identity/oauth/manage-clients.js';
import { isoTime, type JsonRecord } from '../../command.js';
import { required } from '../../parameters.js';

export const clientIdValue = textValue({
  accepts: 'a text of 1 to 64 characters without controls and without spaces at its ends',
  pattern: /^(?=\S)(?=.*\S$)\P{Cc}{1,64}$/u,
});

export const clientParameter = required(clientIdValue, { placeholder: 'CLIENT_ID', description: 'Id of the client' });

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
