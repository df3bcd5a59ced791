/**
 * Makes a user of the content system. Permissions become a policy of a group that this user alone is in, with a rule for
 * the gateway's context: the CMS's own model, so that its manager shows and changes them like any others.
 */

import type { Registry } from '../../content/objects/definition.js';
import { hashPassword } from '../../crypto/password.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Reader, Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { insertAccount } from '../rows/user-accounts.js';
import { insertGroupWithPolicy, insertMembership, readWeakestRole } from '../rows/user-groups.js';
import { readUserByName } from '../rows/users.js';
import { type HostNames, passwordScheme, readHostNames } from './host-names.js';
import { knownPermissions, permissionsProblem, readingRights } from './known-permissions.js';
import { newPasswordProblem } from './new-password.js';
import { usernameColumn } from './username-column.js';

export interface UserRequest {
  readonly registry: Registry;
  readonly username: string;
  readonly password: string;
  readonly sudo: boolean;
  readonly permissions: readonly string[];
  readonly fullName: string;
  readonly email: string;
  /** The bootstrap context of the gateway: where the permissions count. */
  readonly context: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Begins the names of groups and policies that belong to one user. */
const ownGroupPrefix = 'gateway: ';

export function ownGroupName(username: string): string {
  return `${ownGroupPrefix}${username}`;
}

/**
 * Throws validation_failed for unknown permissions, refused when the name is taken: what is worth knowing before
 * somebody thinks of a password.
 */
export async function checkNewUser(
  store: Store,
  { registry, username, permissions }: Pick<UserRequest, 'registry' | 'username' | 'permissions'>,
): Promise<void> {
  const problem = permissionsProblem(permissions, knownPermissions(registry));
  if (problem !== null) throw invalidField('permissions', problem);
  await checkFree(store.content.primary, { prefix: store.prefix, username });
}

/** The id. Throws like `checkNewUser`, and validation_failed for a bad password. */
export async function addUser(store: Store, request: UserRequest): Promise<number> {
  await checkNewUser(store, request);
  const { username, password, now } = request;
  const permissions = [...new Set(request.permissions)];
  const scheme = passwordScheme(store);
  const weakness = newPasswordProblem(password, scheme);
  if (weakness !== null) throw invalidField('password', `The password ${weakness}`);
  const names = await readHostNames(store);
  const hash = await hashPassword(password, scheme);
  const { content, prefix } = store;
  const column = usernameColumn(store);
  const added = content.write(
    async (tx) => {
      await checkFree(tx, { prefix, username });
      const groupId = permissions.length === 0 ? 0 : await insertGroup(tx, { request, names, prefix });
      const id = await insertAccount(tx, prefix, {
        username,
        hash,
        hashClass: names.nativeHash,
        classKey: names.user,
        sudo: request.sudo,
        fullName: request.fullName,
        email: request.email,
        primaryGroup: groupId,
        createdOn: Math.floor(now / 1000),
      });
      if (groupId !== 0) {
        await insertMembership(tx, prefix, { userId: id, groupId, role: (await readWeakestRole(tx, prefix)) ?? 0 });
      }
      return id;
    },
    // The hash is new each time, but a name that is there now can only be this user: it was free before.
    { outcome: async (tx) => (await readUserByName(tx, prefix, { username, column }))?.id },
  );
  return added.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    // Its database disregards more than case: accents, for instance.
    const message = `The database of the content system takes the name ${username} for one that there is already; choose another`;
    throw new AppError('refused', { message, cause: error });
  });
}

/** The CMS disregards case in names: two that differ only so would be one user to it. */
async function checkFree(
  db: Reader,
  { prefix, username }: { readonly prefix: string; readonly username: string },
): Promise<void> {
  const rows = await db.select({ sql: `SELECT \`username\` FROM \`${prefix}users\``, params: [] });
  const taken = rows.map(([name]) => String(name)).find((name) => fold(name) === fold(username));
  if (taken !== undefined) throw new AppError('refused', { message: `There is a user ${taken} already` });
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

interface GroupRequest {
  readonly request: UserRequest;
  readonly names: HostNames;
  readonly prefix: string;
}

function insertGroup(tx: Tx, { request, names, prefix }: GroupRequest): Promise<number> {
  const { username, permissions, context } = request;
  return insertGroupWithPolicy(tx, prefix, {
    name: ownGroupName(username),
    description: `What the user ${username} may do through the gateway`,
    permissions: [...readingRights, ...new Set(permissions)],
    context,
    groupClass: names.userGroup,
  });
}
