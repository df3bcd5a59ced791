/** What the commands for tokens of the page delivery API share. */
import type { TokenView } from '../../src/identity/page-tokens/manage-tokens.js';
import { isoTime } from '../../src/values/dates.js';
import type { JsonRecord } from '../command.js';

export function tokenRecord(token: TokenView): JsonRecord {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    scopes: token.scopes,
    state: token.state,
    created: isoTime(token.created),
    expires: isoTime(token.expires),
    revoked: isoTime(token.revoked),
    lastUsed: isoTime(token.lastUsed),
  };
}
