/** Page tokens as records: the members of the stored record, times as ISO 8601. */
import { timeValue } from '../../src/config/time-values.js';
import type { IssuedToken } from '../../src/identity/page-tokens/manage-tokens.js';
import type { TokenView } from '../../src/identity/page-tokens/token-view.js';
import type { JsonRecord } from '../result.js';

/** A token with its secret: the only record that has it. */
export function issuedRecord({ id, name, token, prefix, scopes, expires }: IssuedToken): JsonRecord {
  return { id, name, token, prefix, scopes, expires: isoTime(expires) };
}

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

/** `2026-11-21T09:30:00Z`; null stays null. */
export function isoTime(seconds: number | null): string | null {
  return seconds === null ? null : timeValue.format(seconds);
}
