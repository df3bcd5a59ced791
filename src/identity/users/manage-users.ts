/** Users with a group and policy of their own, so that the CMS's manager shows and changes their rights. */

import { memberGroups, users } from '../../content/models/access.js';
import { spellClass } from '../../content/models/elements.js';
import type { Registry } from '../../content/objects/definition.js';
import { randomBase62 } from '../../crypto/credential-text.js';
import { hashPassword, longestBcryptPassword, longestPassword, type PasswordScheme } from '../../crypto/password.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import { type Reader, repeatable } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { endCredentials } from '../credentials/secrets.js';
import { passwordSubject } from '../limits/guess-limit.js';
import { revokeOauthTokens } from '../models/oauth.js';
import { clearRateCountersBelow } from '../models/rate-counters.js';
import { sessions } from '../models/sessions.js';
import { createGroupWithPolicy, findMemberships, removeEmptyGroup, weakestRole } from '../models/user-groups.js';
import { findAccounts, findUserByName, profiles, userSettings } from '../models/users.js';
import { standingProblem } from './user-standing.js';
import { knownPermissions, loadUserRow, permissionsProblem, readingRights } from './user-view.js';

interface UserRequest {
  readonly registry: Registry;
  readonly username: string;
  readonly password: string;
  readonly sudo: boolean;
  readonly permissions: readonly string[];
  readonly fullName: string;
  readonly email: string;
  /** The bootstrap context of the gateway, where the permissions count. */
  readonly context: string;
  readonly now: number;
}

function ownGroupName(username: string): string {
  return `gateway: ${username}`;
}

/** Finds problems before the password prompt. Throws validation_failed and refused. */
export async function checkNewUser(
  store: Store,
  { registry, username, permissions }: Pick<UserRequest, 'registry' | 'username' | 'permissions'>,
): Promise<void> {
  const problem = permissionsProblem(permissions, knownPermissions(registry));
  if (problem !== null) throw invalidField('permissions', problem);
  await checkFree(store.content.primary, { prefix: store.prefix, username });
}

/** Returns the id. Throws like `checkNewUser`, and validation_failed for a bad password. */
export async function addUser(store: Store, request: UserRequest): Promise<number> {
  await checkNewUser(store, request);
  const { username, permissions, context, fullName, email, sudo, now } = request;
  const hashed = await hashNewPassword(store, request.password);
  const names = await readHostNames(store);
  const { content, prefix } = store;
  const group = {
    name: ownGroupName(username),
    description: `What the user ${username} may do through the gateway`,
    permissions: [...readingRights, ...new Set(permissions)],
    context,
    groupClass: names.userGroup,
  };
  const added = content.write(
    async (tx) => {
      await checkFree(tx, { prefix, username });
      const primaryGroup = permissions.length === 0 ? 0 : await createGroupWithPolicy(tx, prefix, group);
      const account = { username, ...hashed, salt: '', cachepwd: '', classKey: names.user, active: true, sudo };
      const createdOn = Math.floor(now / 1000);
      const userId = await users.on(tx, prefix).create({ ...account, primaryGroup, createdOn });
      await profiles.on(tx, prefix).create({ userId, fullName, email, address: '', comment: '' });
      if (primaryGroup !== 0) {
        const membership = { user_group: primaryGroup, member: userId, role: await weakestRole(tx, prefix), rank: 0 };
        await memberGroups.on(tx, prefix).create(membership);
      }
      return userId;
    },
    // The name was free before, so a user with it is this one.
    { outcome: async (tx) => (await findUserByName(tx, store, username))?.id },
  );
  return added.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    // Its database ignores more than case: accents, for instance.
    const message = `The database of the CMS treats the name ${username} as equal to an existing name; choose another`;
    throw new AppError('refused', { message, cause: error });
  });
}

/** The CMS ignores case in names. */
async function checkFree(
  db: Reader,
  { prefix, username }: { readonly prefix: string; readonly username: string },
): Promise<void> {
  const known = await users.on(db, prefix).findAll({ attributes: ['username'] });
  const taken = known.find((user) => fold(user.username) === fold(username));
  if (taken !== undefined) throw new AppError('refused', { message: `The user ${taken.username} already exists` });
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** Ends what the old password opened, and forgets failed guesses. Throws not_found and validation_failed. */
export async function changePassword(
  store: Store,
  { username, password, now }: { readonly username: string; readonly password: string; readonly now: number },
): Promise<number> {
  const { id } = await loadUserRow(store, username);
  const hashed = await hashNewPassword(store, password);
  // A password that waits for confirmation must not replace this one.
  const values = { ...hashed, salt: '', cachepwd: '' };
  await store.content.write((tx) => users.on(tx, store.prefix).update(values, { where: { id } }), repeatable);
  await endAccessOf(store, id, now);
  await store.own.write((tx) => clearRateCountersBelow(tx, passwordSubject(username)), repeatable);
  return id;
}

/** Also ends what log-ins opened. Throws not_found, and refused for the last sudo user of an existing site. */
export async function removeUser(
  store: Store,
  { username, now }: { readonly username: string; readonly now: number },
): Promise<number> {
  const { id } = await loadUserRow(store, username);
  const { content, prefix, kind } = store;
  const ruleTables = ruleTablesOf(store);
  const name = ownGroupName(username);
  await content.write(async (tx) => {
    const sudoers = (await findAccounts(tx, prefix)).filter(
      (account) => account.sudo && standingProblem(account, now / 1000) === null,
    );
    // On an own store every task has a command; on a CMS, no user could log in to the manager again.
    if (kind === 'attached' && sudoers.length === 1 && sudoers[0]?.id === id) {
      const message = `The user ${username} is the last one who may do everything in the CMS`;
      throw new AppError('refused', { message });
    }
    const groups = (await findMemberships(tx, prefix)).filter(({ userId, group }) => userId === id && group === name);
    await memberGroups.on(tx, prefix).destroy({ where: { member: id } });
    await userSettings.on(tx, prefix).destroy({ where: { user: id } });
    await profiles.on(tx, prefix).destroy({ where: { userId: id } });
    await users.on(tx, prefix).destroy({ where: { id } });
    for (const { groupId } of groups) await removeEmptyGroup(tx, prefix, { id: groupId, policy: name, ruleTables });
  }, repeatable);
  await endAccessOf(store, id, now);
  return id;
}

/** Which tables of rules there are depends on the version of the CMS. */
function ruleTablesOf({ tables, prefix }: Pick<Store, 'tables' | 'prefix'>): readonly string[] {
  const needed = ['principal_class', 'principal', 'policy'];
  return [...tables]
    .filter(([name, { columns }]) => name.startsWith(`${prefix}access_`) && needed.every((one) => columns.has(one)))
    .map(([name]) => name);
}

/** API keys stay. */
async function endAccessOf({ own }: Pick<Store, 'own'>, userId: number, now: number): Promise<void> {
  await endCredentials(own, async (tx) => {
    await revokeOauthTokens(tx, { userId }, now);
    await sessions.on(tx).destroy({ where: { userId } });
  });
}

/** As the CMS demands. */
const shortest = 8;
/** 119 bits, and short enough to read out. */
const generatedLength = 20;

/** Rules and hashes of new passwords, with class names as the CMS writes them: only version 3 has namespaces. */
export function generatePassword(): string {
  return randomBase62(generatedLength);
}

/** PHP verifies bcrypt everywhere, but argon2id only where it was built in. Throws validation_failed. */
async function hashNewPassword(
  store: Store,
  password: string,
): Promise<{ readonly hash: string; readonly hashClass: string }> {
  const scheme = store.kind === 'attached' ? 'bcrypt' : 'argon2id';
  const weakness = newPasswordProblem(password, scheme);
  if (weakness !== null) throw invalidField('password', `The password ${weakness}`);
  const { nativeHash: hashClass } = await readHostNames(store);
  return { hash: await hashPassword(password, scheme), hashClass };
}

/** The end of a sentence that never repeats the password; null for an accepted one. */
export function newPasswordProblem(password: string, scheme: PasswordScheme): string | null {
  if ([...password].length < shortest) return `must have ${shortest} characters or more`;
  const most = scheme === 'bcrypt' ? longestBcryptPassword : longestPassword;
  if (Buffer.byteLength(password) > most) return `must have ${most} bytes at most`;
  if (password.includes('\ufffd')) return 'must be UTF-8 text';
  return /\p{Cc}/u.test(password) ? 'must not have control characters' : null;
}

async function readHostNames({ content, prefix, kind }: Store) {
  const some =
    kind === 'own'
      ? []
      : await users.on(content.primary, prefix).findAll({ attributes: ['classKey'], order: ['id'], limit: 50 });
  const shortClassNames = some.length > 0 && !some.some(({ classKey }) => classKey.includes('\\'));
  const spelled = (name: string) => spellClass(name, { shortClassNames });
  return {
    user: spelled('modUser'),
    userGroup: spelled('modUserGroup'),
    /** Verified by password_verify of PHP. */
    nativeHash: spelled('Hashing\\modNative'),
  };
}
