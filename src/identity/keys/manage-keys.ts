/** API keys. The text of a key exists only in the answer that creates it; the store keeps a digest. */
import type { OwnRateLimit } from '../../access/identity.js';
import { siteScopesProblem } from '../../content/objects/core-objects.js';
import type { Registry } from '../../content/objects/definition.js';
import { createCredential, credentialHash } from '../../crypto/credential-text.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import { hasTable } from '../../store/base/columns.js';
import type { Store } from '../../store/open/open.js';
import {
  type CredentialState,
  credentialState,
  endCredentials,
  refusal,
  rotateSecret,
} from '../credentials/secrets.js';
import { type ApiKeyRow, type ApiKeySelector, apiKeys } from '../models/api-keys.js';
import { findUsers } from '../models/users.js';
import { findUserOf, standingProblem } from '../users/user-standing.js';

export type { ApiKeySelector } from '../models/api-keys.js';

export interface KeyView extends Omit<ApiKeyRow, 'secretHash' | 'previousHash' | 'userId'> {
  readonly state: CredentialState;
  /** The user whose content rights decide; `#7` for a removed one; null = the key has no user. */
  readonly user: string | null;
}

/** Also counts revoked keys. Works before the migrations. */
export async function hasKeys({ own }: Pick<Store, 'own'>): Promise<boolean> {
  return (await hasTable(own.primary, apiKeys.table)) && (await apiKeys.on(own.primary).count()) > 0;
}

export async function listKeys(store: Store, now: number): Promise<KeyView[]> {
  return viewKeys(store, await apiKeys.on(store.own.primary).findAll({ order: ['id'] }), now);
}

export async function loadKey(store: Store, selector: ApiKeySelector, now: number): Promise<KeyView> {
  const [view] = await viewKeys(store, [await loadKeyRow(store, selector)], now);
  if (view === undefined) throw keyNotFound(selector);
  return view;
}

async function loadKeyRow({ own }: Store, selector: ApiKeySelector): Promise<ApiKeyRow> {
  const row = await apiKeys.on(own.primary).findOne({ where: selector });
  if (row === null) throw keyNotFound(selector);
  return row;
}

function keyNotFound(selector: ApiKeySelector): AppError {
  const given = 'id' in selector ? selector.id : selector.lookupId;
  return new AppError('not_found', { message: `There is no API key ${given}; hcd key list shows every key` });
}

async function viewKeys({ content, prefix }: Store, rows: readonly ApiKeyRow[], now: number): Promise<KeyView[]> {
  const ids = new Set(rows.flatMap(({ userId }) => (userId === null ? [] : [userId])));
  const users = new Map((await findUsers(content.primary, prefix, [...ids])).map((user) => [user.id, user]));
  return rows.map(({ secretHash: _secret, previousHash: _previous, userId, ...row }): KeyView => {
    const user = userId === null ? null : (users.get(userId) ?? null);
    const isRefused = userId !== null && (user === null || standingProblem(user, now / 1000) !== null);
    return {
      ...row,
      state: credentialState(row, { isUserRefused: isRefused, now }),
      user: userId === null ? null : (user?.username ?? `#${userId}`),
    };
  });
}

export interface KeyRequest {
  readonly registry: Registry;
  readonly scopes: readonly string[];
  readonly name: string | null;
  /** Unix milliseconds; null = never. */
  readonly expiresOn: number | null;
  /** The user whose content rights the key has; null = those of anonymous callers. */
  readonly username: string | null;
  readonly rateLimit: OwnRateLimit;
  readonly createdBy: string;
  readonly now: number;
}

export interface IssuedKey extends Pick<ApiKeyRow, 'id' | 'name' | 'lookupId' | 'scopes' | 'expiresOn'> {
  readonly key: string;
}

/** Throws validation_failed for unknown scopes, an end in the past and a user who does not exist or may not log in. */
export async function issueKey(store: Store, request: KeyRequest): Promise<IssuedKey> {
  const { registry, name, createdBy, now, rateLimit } = request;
  // Ends are shown by the second.
  const expiresOn = request.expiresOn === null ? null : Math.floor(request.expiresOn / 1000) * 1000;
  const scopes = Object.freeze([...new Set(request.scopes)]);
  const problem = await siteScopesProblem(scopes, { store, registry });
  if (problem !== null) throw invalidField('scopes', problem);
  if (expiresOn !== null && expiresOn <= now)
    throw invalidField('expires', 'The expiry of a key must be in the future');
  const userId = request.username === null ? null : await findUserOf('key', { store, username: request.username, now });
  const credential = createCredential('gk');
  const { lookupId, text } = credential;
  const secretHash = credentialHash(credential);
  const ofLimit = { rateLimitMax: rateLimit.max, rateLimitWindow: rateLimit.windowSeconds };
  const row = { lookupId, secretHash, name, scopes, userId, ...ofLimit, expiresOn, createdOn: now, createdBy };
  const id = await store.own.write((tx) => apiKeys.on(tx).create(row), {
    outcome: async (tx) => (await apiKeys.on(tx).findOne({ where: { lookupId } }))?.id,
  });
  return Object.freeze({ id, name, key: text, lookupId, scopes, expiresOn });
}

interface RotationRequest {
  readonly selector: ApiKeySelector;
  /** Milliseconds for which the old secret works on; 0 = not at all. */
  readonly overlap: number;
  readonly now: number;
}

/** Throws not_found, and refused for a key that has ended or whose earlier overlap still runs. */
export async function rotateKey(
  store: Store,
  { selector, overlap, now }: RotationRequest,
): Promise<{ readonly key: IssuedKey; readonly previousEndsOn: number | null }> {
  const row = await loadKeyRow(store, selector);
  const { id, lookupId, name, scopes, expiresOn, revokedOn } = row;
  const [what, make] = [`The key ${id}`, 'hcd key create'];
  if (revokedOn === null && expiresOn !== null && expiresOn <= now) {
    throw refusal(`${what} has expired; make a new one: ${make}`);
  }
  const credential = createCredential('gk', lookupId);
  const previousEndsOn = await rotateSecret(store.own, row, {
    what,
    make,
    secretHash: credentialHash(credential),
    overlap,
    now,
    update: (tx, values, where) => apiKeys.on(tx).update(values, { where: { id, ...where } }),
    count: (tx, where) => apiKeys.on(tx).count({ where: { id, ...where } }),
  });
  return { key: { id, name, key: credential.text, lookupId, scopes, expiresOn }, previousEndsOn };
}

/** A key that was already revoked keeps its time. Throws not_found. `now` is Unix milliseconds. */
export async function revokeKey(
  store: Store,
  selector: ApiKeySelector,
  now: number,
): Promise<{ readonly key: KeyView; readonly wasRevoked: boolean }> {
  const before = await loadKeyRow(store, selector);
  const where = { id: before.id, revokedOn: null };
  await endCredentials(store.own, (tx) => apiKeys.on(tx).update({ revokedOn: now }, { where }));
  return { key: await loadKey(store, { id: before.id }, now), wasRevoked: before.revokedOn !== null };
}
