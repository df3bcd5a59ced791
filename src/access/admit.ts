/** Who may call a route: its access, and the scopes of the caller (docs/reference/gateway.md#scopes). */
import { AppError } from '../errors/app-error.js';
import type { Identity, SessionIdentity } from './identity.js';

/** Before the query is parsed (docs/reference/gateway.md#the-four-checks). Throws token_required (no credential) or scope_denied (credential without the scope). */
export function admit({
  access,
  identity,
  params,
  sessions,
}: {
  readonly access: Access;
  readonly identity: Identity;
  /** Path parameters: `name` is the object of an object_scope route. */
  readonly params: Readonly<Record<string, string>>;
  readonly sessions: SessionPermissions;
}): void {
  if (access.kind === 'public') return;
  if (access.kind === 'session') {
    checkHasSession(identity);
    return;
  }
  if (identity.kind === 'preview') {
    if (access.kind !== 'object_scope' && (access.showsDrafts ?? access.kind === 'public_read')) return;
    throw new AppError('scope_denied', {
      message: 'Insufficient permissions: a preview only reads what it was made for',
    });
  }
  if (access.kind === 'public_read' && (identity.kind === 'anonymous' || identity.kind === 'session')) return;
  if (identity.kind === 'anonymous') throw new AppError('token_required');
  // The second scope is for reading, which sessions may do without one.
  const also = access.kind === 'scope' && access.also !== undefined && identity.kind !== 'session' ? [access.also] : [];
  for (const scope of [requiredScope(access, params), ...also]) {
    const rights = scope === 'preview' ? previewRights : [scope];
    if (rights.some((right) => holdsScope(identity, right, sessions))) continue;
    throw new AppError('scope_denied', { message: `Insufficient permissions: this request needs the scope ${scope}` });
  }
}

/** A key or token has no session to show or to end. */
function checkHasSession(identity: Identity): void {
  if (identity.kind === 'session') return;
  if (identity.kind === 'anonymous') throw new AppError('token_required', { message: 'There is no session: log in' });
  throw new AppError('scope_denied', { message: 'Insufficient permissions: only a session may do this' });
}

export function requiredScope(
  access: Exclude<Access, { kind: 'public' | 'session' }>,
  params: Readonly<Record<string, string>>,
): string {
  return access.kind === 'object_scope' ? `${params['name'] ?? ''}.${access.action}` : access.scope;
}

/** A required column of every endpoint row, so that forgetting it does not compile. */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'session' }
  /** Anonymous callers and previews too, unless it shows no drafts; a key or token needs the scope. */
  | { readonly kind: 'public_read'; readonly scope: string; readonly showsDrafts?: false }
  /** A credential with the scope, and with `also` if given; or a preview, if the route shows drafts. */
  | { readonly kind: 'scope'; readonly scope: string; readonly also?: string; readonly showsDrafts?: true }
  /** A credential with `<object name in the path>.<action>`. */
  | { readonly kind: 'object_scope'; readonly action: 'read' | 'create' | 'update' | 'delete' };

/** A session's permissions are those of the user's policies in the bootstrap context; sudo users hold all. */
export interface SessionPermissions {
  holds(session: SessionIdentity, permission: string): boolean;
}

/** Each lets read records that are not published: a scope, and the permission of the CMS. */
export const previewRights: readonly string[] = ['preview', 'view_unpublished'];

export function holdsScope(identity: Identity, scope: string, sessions: SessionPermissions): boolean {
  switch (identity.kind) {
    case 'anonymous':
    case 'preview':
      return false;
    case 'session':
      return sessions.holds(identity, scope);
    case 'page_token':
      return identity.scopes.has(scope);
    case 'api_key':
    case 'access_token':
      return identity.scopes.has('*') || identity.scopes.has(scope);
  }
}
