/** Gives an API key a new secret; the old one ends at once, or after an overlap in which both work. */

import { createCredential, credentialHash } from '../../crypto/credential-text.js';
import { AppError } from '../../errors/app-error.js';
import { tellRevocation } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { type ApiKeyRow, type ApiKeySelector, apiKeys } from '../models/api-keys.js';
import type { IssuedKey } from './issue-key.js';
import { loadKeyRow } from './key-view.js';

export interface RotationRequest {
  readonly selector: ApiKeySelector;
  /** Milliseconds for which the old secret works on; 0 = not at all. */
  readonly overlap: number;
  /** Unix milliseconds. */
  readonly now: number;
}

export interface Rotation {
  readonly key: IssuedKey;
  /** When the old secret ends, Unix milliseconds; null = it ended. */
  readonly previousEndsOn: number | null;
}

/** Throws not_found, and refused for a key that has ended or whose earlier overlap still runs. */
export async function rotateKey(store: Store, { selector, overlap, now }: RotationRequest): Promise<Rotation> {
  const row = await loadKeyRow(store, selector);
  checkRotatable(row, { overlap, now });
  const { id, lookupId, name, scopes, expiresOn } = row;
  const credential = createCredential('gk', lookupId);
  const secretHash = credentialHash(credential);
  // By the second, as it is shown and as it ends.
  const previousEndsOn = overlap === 0 ? null : Math.floor((now + overlap) / 1000) * 1000;
  const previousHash = previousEndsOn === null ? null : row.secretHash;
  const rotation = { secretHash, previousHash, previousEndsOn, rotatedOn: now };
  // Only while the key has the secret that was read and was not revoked.
  const where = { id, secretHash: row.secretHash, revokedOn: null };
  const changes = await store.own.write((tx) => apiKeys.on(tx).update(rotation, { where }), {
    outcome: async (tx) => (await apiKeys.on(tx).count({ where: { id, secretHash } })) || undefined,
  });
  if (changes === 0)
    throw new AppError('refused', { message: `The key ${id} was changed at the same time; look at it again` });
  await tellRevocation(store.own);
  return { key: { id, name, key: credential.text, lookupId, scopes, expiresOn }, previousEndsOn };
}

/** A key keeps one old secret, so a second overlap would end the first one before its time. */
function checkRotatable(row: ApiKeyRow, { overlap, now }: Pick<RotationRequest, 'overlap' | 'now'>): void {
  const { id, revokedOn, expiresOn, previousEndsOn } = row;
  if (revokedOn !== null) throw refusal(`The key ${id} was revoked; make a new one: hcd key create`);
  if (expiresOn !== null && expiresOn <= now)
    throw refusal(`The key ${id} has expired; make a new one: hcd key create`);
  if (overlap > 0 && previousEndsOn !== null && previousEndsOn > now) {
    throw refusal(
      `The key ${id} has an old secret that works until ${isoTimeOfMs(previousEndsOn)}; wait, or rotate without --overlap to end both now`,
    );
  }
}

function refusal(message: string): AppError {
  return new AppError('refused', { message });
}
