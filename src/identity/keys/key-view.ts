/** API keys as people look at them: state, user by name, times; nothing from which a secret could be made. */

import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { type ApiKeyRow, type ApiKeySelector, apiKeys } from '../models/api-keys.js';
import { readUsers } from '../rows/users.js';
import { standingProblem } from '../users/user-standing.js';

export type { ApiKeySelector } from '../models/api-keys.js';

/** The first that applies counts; `user_inactive` covers users who are blocked or gone. */
export type KeyState = 'revoked' | 'expired' | 'user_inactive' | 'expires_soon' | 'active';

export interface KeyView extends Omit<ApiKeyRow, 'secretHash' | 'previousHash' | 'userId'> {
  readonly state: KeyState;
  /** Name of the user whose content rights decide; `#7` for one who is gone; null = the key has no user. */
  readonly user: string | null;
}

/** So long before its end a key shows as `expires_soon`. */
const soon = 14 * 86_400_000;

/** All keys, the oldest first. `now` is Unix milliseconds. */
export async function listKeys(store: Store, now: number): Promise<KeyView[]> {
  return viewKeys(store, { rows: await apiKeys.on(store.own.primary).findAll({ order: ['id'] }), now });
}

/** Throws not_found. */
export async function loadKey(store: Store, selector: ApiKeySelector, now: number): Promise<KeyView> {
  const rows = [await loadKeyRow(store, selector)];
  const [view] = await viewKeys(store, { rows, now });
  if (view === undefined) throw keyNotFound(selector);
  return view;
}

/** The row behind a selector. Throws not_found. */
export async function loadKeyRow({ own }: Store, selector: ApiKeySelector): Promise<ApiKeyRow> {
  const row = await apiKeys.on(own.primary).findOne({ where: selector });
  if (row === null) throw keyNotFound(selector);
  return row;
}

function keyNotFound(selector: ApiKeySelector): AppError {
  const given = 'id' in selector ? selector.id : selector.lookupId;
  return new AppError('not_found', { message: `There is no API key ${given}; hcd key list shows every key` });
}

async function viewKeys(
  { content, prefix }: Store,
  { rows, now }: { readonly rows: readonly ApiKeyRow[]; readonly now: number },
): Promise<KeyView[]> {
  const ids = new Set(rows.flatMap(({ userId }) => (userId === null ? [] : [userId])));
  const users = new Map((await readUsers(content.primary, prefix, [...ids])).map((user) => [user.id, user]));
  return rows.map(({ secretHash: _secret, previousHash: _previous, userId, ...row }): KeyView => {
    const user = userId === null ? null : (users.get(userId) ?? null);
    const isRefused = userId !== null && (user === null || standingProblem(user, now / 1000) !== null);
    return {
      ...row,
      state: stateOf(row, { isRefused, now }),
      user: userId === null ? null : (user?.username ?? `#${userId}`),
    };
  });
}

function stateOf(
  { revokedOn, expiresOn }: Pick<ApiKeyRow, 'revokedOn' | 'expiresOn'>,
  { isRefused, now }: { readonly isRefused: boolean; readonly now: number },
): KeyState {
  if (revokedOn !== null) return 'revoked';
  if (expiresOn !== null && expiresOn <= now) return 'expired';
  if (isRefused) return 'user_inactive';
  return expiresOn !== null && expiresOn - now <= soon ? 'expires_soon' : 'active';
}
