/** API keys: made, given a new secret, ended. A text exists only in the answer that makes it: the store keeps a digest. */
import type { OwnRateLimit } from '../../access/identity.js';
import type { Registry } from '../../content/objects/definition.js';
import { scopesProblem, siteScopes } from '../../content/objects/known-scopes.js';
import { createCredential, credentialHash } from '../../crypto/credential-text.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { endCredentials, refusal, rotateSecret } from '../credentials/secrets.js';
import { type ApiKeySelector, apiKeys } from '../models/api-keys.js';
import { findUserByName, findUsers } from '../models/users.js';
import { standingProblem } from '../users/user-standing.js';
import { type KeyView, loadKey, loadKeyRow } from './key-view.js';

export interface KeyRequest {
  readonly registry: Registry;
  readonly scopes: readonly string[];
  /** For people; null = none. */
  readonly name: string | null;
  /** Unix milliseconds; null = never. */
  readonly expiresOn: number | null;
  /** Name of the user whose content rights the key has; null = those of anonymous callers. */
  readonly username: string | null;
  /** Requests of the key in one window, and the window's seconds; null = the general value. */
  readonly rateLimit: OwnRateLimit;
  /** Who asked for it, for people. */
  readonly createdBy: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** A key with its text, which cannot be shown again. */
export interface IssuedKey {
  readonly id: number;
  readonly name: string | null;
  readonly key: string;
  readonly lookupId: string;
  readonly scopes: readonly string[];
  readonly expiresOn: number | null;
}

/** Throws validation_failed for unknown scopes, an end in the past and a user who does not exist or may not log in. */
export async function issueKey(store: Store, request: KeyRequest): Promise<IssuedKey> {
  const { registry, name, createdBy, now, rateLimit } = request;
  // By the second, as it is shown and as it ends.
  const expiresOn = request.expiresOn === null ? null : Math.floor(request.expiresOn / 1000) * 1000;
  const scopes = Object.freeze([...new Set(request.scopes)]);
  const problem = scopesProblem(scopes, await siteScopes(store, registry));
  if (problem !== null) throw invalidField('scopes', problem);
  if (expiresOn !== null && expiresOn <= now)
    throw invalidField('expires', 'The expiry of a key must be in the future');
  const userId = request.username === null ? null : await findUser(store, { username: request.username, now });
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

async function findUser(
  store: Store,
  { username, now }: { readonly username: string; readonly now: number },
): Promise<number> {
  const named = await findUserByName(store.content.primary, store, username);
  const [user] = await findUsers(store.content.primary, store.prefix, [named?.id ?? 0]);
  if (user === undefined) throw invalidField('user', `There is no user ${username}; hcd user list shows every user`);
  const problem = standingProblem(user, now / 1000);
  if (problem === null) return user.id;
  throw new AppError('refused', { message: `The user ${username} is ${problem}: the key would never work` });
}

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

/** Gives a key a new secret. Throws not_found, and refused for a key that has ended or whose earlier overlap still runs. */
export async function rotateKey(store: Store, { selector, overlap, now }: RotationRequest): Promise<Rotation> {
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

export interface Revocation {
  readonly key: KeyView;
  /** It had been revoked before; its time stays as it was. */
  readonly wasRevoked: boolean;
}

/** Ends a key permanently. Throws not_found. `now` is Unix milliseconds. */
export async function revokeKey(store: Store, selector: ApiKeySelector, now: number): Promise<Revocation> {
  const before = await loadKeyRow(store, selector);
  const where = { id: before.id, revokedOn: null };
  await endCredentials(store.own, (tx) => apiKeys.on(tx).update({ revokedOn: now }, { where }));
  return { key: await loadKey(store, { id: before.id }, now), wasRevoked: before.revokedOn !== null };
}
