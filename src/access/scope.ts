/** Scope strings `{object}.{action}` and how an identity holds them (docs/reference/gateway.md#scopes). */
import type { Identity, SessionIdentity } from './identity.js';

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
