/** The first credentials of the sample site: a key with every scope, which expires, and a user who may write. */

import type { Environment } from '../../config/definitions.js';
import { buildRegistry } from '../../content/objects/core-objects.js';
import { type IssuedKey, issueKey } from '../../identity/keys/manage-keys.js';
import { findUserByName } from '../../identity/models/users.js';
import { type IssuedToken, issueToken } from '../../identity/page-tokens/manage-tokens.js';
import { pageScopes, tokensVariable } from '../../identity/page-tokens/token-settings.js';
import { addUser, changePassword, generatePassword } from '../../identity/users/manage-users.js';
import type { Store } from '../../store/open/open.js';
import { dayMs } from '../../values/dates.js';

export interface SampleCredentials {
  readonly key: IssuedKey;
  readonly user: { readonly username: string; readonly password: string };
}

/** None of the people of the sample site has this name. */
export const sampleUsername = 'editor';

/** What may do everything must not stay permanently. */
const credentialLife = 30 * dayMs;

const permissions = ['read', 'create', 'update', 'delete'].map((action) => `resources.${action}`);

/** A user who was left by an interrupted attempt gets another password. */
export async function issueSampleCredentials(
  store: Store,
  { context, now }: { readonly context: string; readonly now: number },
): Promise<SampleCredentials> {
  const registry = buildRegistry([]);
  const password = generatePassword();
  const user = {
    registry,
    username: sampleUsername,
    password,
    sudo: false,
    permissions: [...permissions, 'view_unpublished'],
    fullName: 'Demo Editor',
    email: `${sampleUsername}@larkfell.example`,
    context,
    now,
  };
  const left = await findUserByName(store.content.primary, store, sampleUsername);
  if (left === null) await addUser(store, user);
  else await changePassword(store, user);
  const key = await issueKey(store, {
    registry,
    scopes: ['*'],
    name: 'demo',
    expiresOn: now + credentialLife,
    username: null,
    rateLimit: { max: null, windowSeconds: null },
    createdBy: 'demo',
    now,
  });
  return Object.freeze({ key, user: Object.freeze({ username: sampleUsername, password }) });
}

export async function issueSamplePageToken(
  store: Store,
  { env, now }: { readonly env: Environment; readonly now: number },
): Promise<IssuedToken | null> {
  if ((env[tokensVariable] ?? '') !== '') return null;
  return issueToken(store, { env, scopes: pageScopes, name: 'demo', expiresOn: now + credentialLife, now });
}
