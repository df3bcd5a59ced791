/** What the commands for access tokens of the gateway share. */
import type { AccessTokenView } from '../../../src/identity/oauth/manage-tokens.js';
import { isoTime, type JsonRecord } from '../../command.js';

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
