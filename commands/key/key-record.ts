/** API keys as records: the names of the table's columns, times as ISO 8601. */
import { timeValue } from '../../src/config/time-values.js';
import type { KeyView } from '../../src/identity/keys/key-view.js';
import type { IssuedKey } from '../../src/identity/keys/manage-keys.js';
import type { JsonRecord } from '../result.js';

/** A key with its secret: the only record that has it. */
export function issuedRecord({ id, name, key, lookupId, scopes, expiresOn }: IssuedKey): JsonRecord {
  return { id, name, key, lookup_id: lookupId, scopes, expires_on: isoTime(expiresOn) };
}

export function keyRecord(key: KeyView): JsonRecord {
  return {
    id: key.id,
    name: key.name,
    lookup_id: key.lookupId,
    scopes: key.scopes,
    state: key.state,
    user: key.user,
    rate_limit_max: key.rateLimitMax,
    rate_limit_window: key.rateLimitWindow,
    expires_on: isoTime(key.expiresOn),
    last_used_on: isoTime(key.lastUsedOn),
    created_on: isoTime(key.createdOn),
    created_by: key.createdBy,
    rotated_on: isoTime(key.rotatedOn),
    previous_ends_on: isoTime(key.previousEndsOn),
    revoked_on: isoTime(key.revokedOn),
  };
}

/** `2026-11-21T09:30:00Z`; null stays null. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : timeValue.format(Math.floor(milliseconds / 1000));
}
