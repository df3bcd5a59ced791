/** Route, then scope, before the query is parsed (docs/reference/gateway.md#the-four-checks). */
import { AppError } from '../errors/app-error.js';
import type { Access } from './access.js';
import type { Identity } from './identity.js';
import { holdsScope, previewRights, type SessionPermissions } from './scope.js';

interface Admission {
  readonly access: Access;
  readonly identity: Identity;
  /** Path parameters: `name` is the object of an object_scope route. */
  readonly params: Readonly<Record<string, string>>;
  readonly sessions: SessionPermissions;
}

/** Throws token_required (no credential) or scope_denied (credential without the scope). */
export function admit(admission: Admission): void {
  const { access, identity, sessions } = admission;
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
  for (const scope of [requiredScope(access, admission.params), ...also]) {
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
