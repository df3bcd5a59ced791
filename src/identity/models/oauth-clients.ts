/** OAuth clients. Secrets are never in them, only digests. */
import { commaList, end, integer, key, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export type OauthClientRow = RowOf<typeof oauthClients>;

export const oauthClients = defineModel('hcd_oauth_clients', {
  /** Chosen by the operator who made the client; compared exactly. */
  clientId: key(text(64)),
  secretHash: text(64),
  /** Digest of the secret before the last rotation, which works until `previousEndsOn`. */
  previousHash: orNull(text(64)),
  previousEndsOn: orNull(end()),
  name: text(100),
  scopes: commaList(),
  grants: commaList(190),
  /** Requests of each of its tokens in one window; null = the general value. */
  rateLimitMax: orNull(integer()),
  /** Seconds. */
  rateLimitWindow: orNull(integer()),
  revokedOn: orNull(time()),
  rotatedOn: orNull(time()),
  /** When it last got a token. */
  lastUsedOn: orNull(time()),
  createdOn: time(),
  createdBy: text(190),
});
