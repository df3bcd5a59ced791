/** OAuth clients and access tokens as records: the names of the tables' columns, times as ISO 8601. */
import { timeValue } from '../../src/config/time-values.js';
import type { ClientView, IssuedClient } from '../../src/identity/oauth/manage-clients.js';
import type { AccessTokenView } from '../../src/identity/oauth/manage-tokens.js';
import type { JsonRecord } from '../result.js';

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

/** `2026-11-21T09:30:00Z`; null stays null. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : timeValue.format(Math.floor(milliseconds / 1000));
}
