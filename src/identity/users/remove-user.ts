/** Removes a user of the content system, with what belongs to this user alone and with everything a log-in opened. */

import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { readAccounts, removeAccount } from '../rows/user-accounts.js';
import { readMemberships, removeEmptyGroup } from '../rows/user-groups.js';
import { ownGroupName } from './add-user.js';
import { endAccessOf } from './end-access.js';
import { standingProblem } from './user-standing.js';
import { loadUserRow } from './user-view.js';

export interface RemovalRequest {
  readonly username: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The id that the user had. Throws not_found, and refused for the last user of an existing site who may do everything. */
export async function removeUser(store: Store, { username, now }: RemovalRequest): Promise<number> {
  const { id } = await loadUserRow(store, username);
  const { content, prefix, kind } = store;
  const ruleTables = ruleTablesOf(store);
  const name = ownGroupName(username);
  await content.write(
    async (tx) => {
      const sudoers = (await readAccounts(tx, prefix)).filter(
        (account) => account.sudo && standingProblem(account, now / 1000) === null,
      );
      // On a store of our own everything can be done by command; the CMS's manager would be closed for good.
      if (kind === 'attached' && sudoers.length === 1 && sudoers[0]?.id === id) {
        const message = `The user ${username} is the last one who may do everything in the content system`;
        throw new AppError('refused', { message });
      }
      const groups = (await readMemberships(tx, prefix)).filter(({ userId, group }) => userId === id && group === name);
      await removeAccount(tx, prefix, id);
      for (const { groupId } of groups) await removeEmptyGroup(tx, prefix, { id: groupId, policy: name, ruleTables });
    },
    // Removing twice is harmless.
    { outcome: async () => undefined },
  );
  await endAccessOf(store, id, now);
  return id;
}

/** Which of the CMS's tables of rules there are depends on its version. */
function ruleTablesOf({ tables, prefix }: Pick<Store, 'tables' | 'prefix'>): readonly string[] {
  const needed = ['principal_class', 'principal', 'policy'];
  return [...tables]
    .filter(([name, { columns }]) => name.startsWith(`${prefix}access_`) && needed.every((one) => columns.has(one)))
    .map(([name]) => name);
}
