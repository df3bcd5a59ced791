/** API keys as people look at them: state, user by name, times; nothing from which a secret could be made. */

import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { hasTable } from '../../store/state/ledger.js';
import { type CredentialState, credentialState } from '../credentials/secrets.js';
import { type ApiKeyRow, type ApiKeySelector, apiKeys } from '../models/api-keys.js';
import { findUsers } from '../models/users.js';
import { standingProblem } from '../users/user-standing.js';

export type { ApiKeySelector } from '../models/api-keys.js';

export interface KeyView extends Omit<ApiKeyRow, 'secretHash' | 'previousHash' | 'userId'> {
  readonly state: CredentialState;
  /** Name of the user whose content rights decide; `#7` for one who is gone; null = the key has no user. */
  readonly user: string | null;
}

/** Whether there are keys. Revoked ones count too. Works before the migrations. */
export async function hasKeys({ own }: Pick<Store, 'own'>): Promise<boolean> {
  return (await hasTable(own.primary, apiKeys.table)) && (await apiKeys.on(own.primary).count()) > 0;
}

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
