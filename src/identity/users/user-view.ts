/** Users with their state, groups, permissions in the gateway, and last log-in. */
import { type AccessSnapshot, holdsPermission, type Principal } from '../../access/acl.js';
import { nearMatch } from '../../config/near-match.js';
import { readAccessSnapshot, type users } from '../../content/models/access.js';
import { knownScopes, specialScopes } from '../../content/objects/core-objects.js';
import type { Registry } from '../../content/objects/definition.js';
import { AppError } from '../../errors/app-error.js';
import type { RowOf } from '../../store/models/model.js';
import type { Store } from '../../store/open/open.js';
import { groupBy } from '../../values/batches.js';
import { findMemberships, type Membership } from '../models/user-groups.js';
import { type Account, findAccounts, findUserByName } from '../models/users.js';
import { standingProblem } from './user-standing.js';

export interface UserView
  extends Pick<Account, 'id' | 'username' | 'fullName' | 'email' | 'sudo' | 'lastLogIn' | 'createdOn'> {
  readonly state: 'active' | 'inactive' | 'blocked';
  readonly groups: readonly string[];
  /** Of the policies in the gateway's context; `*` for sudo users, who may do everything. */
  readonly permissions: readonly string[];
}

interface ViewRequest {
  /** The bootstrap context of the gateway, whose rules decide. */
  readonly context: string;
  readonly now: number;
}

export async function listUsers({ content, prefix }: Store, { context, now }: ViewRequest): Promise<UserView[]> {
  const db = content.primary;
  const [accounts, memberships, snapshot] = await Promise.all([
    findAccounts(db, prefix),
    findMemberships(db, prefix),
    readAccessSnapshot(db, prefix),
  ]);
  const byUser = groupBy(memberships, ({ userId }) => userId);
  return accounts.map((account) => {
    const { id, username, fullName, email, sudo, lastLogIn, createdOn } = account;
    const memberOf = byUser.get(id) ?? [];
    return {
      ...{ id, username, fullName, email, sudo, lastLogIn, createdOn },
      state: standingProblem(account, now / 1000) ?? 'active',
      groups: memberOf.map(({ group }) => group),
      permissions: sudo
        ? ['*']
        : permissionsOf(snapshot, { userId: id, sudo, groups: strongestRoles(memberOf) }, context),
    };
  });
}

export async function loadUser(store: Store, username: string, request: ViewRequest): Promise<UserView> {
  const view = (await listUsers(store, request)).find((one) => one.username === username);
  if (view === undefined) throw userNotFound(username);
  return view;
}

export async function loadUserRow(store: Store, username: string): Promise<RowOf<typeof users>> {
  const row = await findUserByName(store.content.primary, store, username);
  if (row === null) throw userNotFound(username);
  return row;
}

function userNotFound(username: string): AppError {
  return new AppError('not_found', { message: `There is no user ${username}; hcd user list shows every user` });
}

/** The strongest role has the smallest number. */
function strongestRoles(memberOf: readonly Membership[]): ReadonlyMap<number, number> {
  const roles = new Map<number, number>();
  for (const { groupId, authority } of memberOf) {
    if (authority !== null) roles.set(groupId, Math.min(authority, roles.get(groupId) ?? authority));
  }
  return roles;
}

function permissionsOf(snapshot: AccessSnapshot, principal: Principal, context: string): readonly string[] {
  const named = [...snapshot.policies.values()].flatMap((policy) => (policy === 'all' ? [] : [...policy]));
  return [...new Set(named)]
    .filter((permission) => isGatewayPermission(permission))
    .filter((permission) => holdsPermission(snapshot, principal, { context, permission }))
    .sort();
}

/** Rights of the CMS that the gateway checks, and `tv_bindings`, which only policies made for the gateway have. */
const ofHost = ['view_unpublished', 'empty_recycle_bin', 'new_static_resource', 'tv_bindings'] as const;
const fieldPrefix = 'gateway_fields_';

/** Make a context usable (docs/reference/storage.md#access-rules); every user with permissions has them. */
export const readingRights = ['load', 'list', 'view'] as const;

/** In order of registration. `*` is for keys and tokens only. */
export function knownPermissions(registry: Registry): readonly string[] {
  const scopes = knownScopes(registry, []).filter((scope) => scope !== '*' && !specialScopes.includes(scope));
  const fields = scopes.filter((scope) => scope.startsWith('fields.')).map((scope) => scope.slice('fields.'.length));
  return Object.freeze([
    ...scopes.filter((scope) => !scope.startsWith('fields.')),
    ...ofHost,
    ...fields.map((field) => `${fieldPrefix}${field}`),
    `${fieldPrefix}all`,
  ]);
}

/** One sentence with the accepted ones; null for a valid list. */
export function permissionsProblem(permissions: readonly string[], known: readonly string[]): string | null {
  const unknown = [...new Set(permissions)].filter((permission) => !known.includes(permission));
  if (unknown.length === 0) return null;
  const hints = unknown.map((permission) => {
    const near = nearMatch(permission, known);
    return near === undefined
      ? `There is no permission ${permission}.`
      : `There is no permission ${permission}; did you mean ${near}?`;
  });
  return `${hints.join(' ')} Accepted permissions: ${known.join(', ')}`;
}

/** The CMS's policies hold many permissions that only its manager knows. */
function isGatewayPermission(permission: string): boolean {
  return (
    permission === 'preview' ||
    ofHost.some((name) => name === permission) ||
    permission.startsWith(fieldPrefix) ||
    /^[a-z0-9_-]+\.(?:read|create|update|delete)$/.test(permission)
  );
}
