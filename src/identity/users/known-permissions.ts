/** Permissions of sessions (docs/users.md#what-a-user-may-do): scopes of objects, preview, and names of the CMS. */
import { nearMatch } from '../../config/near-match.js';
import { knownScopes, specialScopes } from '../../content/objects/core-objects.js';
import type { Registry } from '../../content/objects/definition.js';

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
export function isGatewayPermission(permission: string): boolean {
  return (
    permission === 'preview' ||
    ofHost.some((name) => name === permission) ||
    permission.startsWith(fieldPrefix) ||
    /^[a-z0-9_-]+\.(?:read|create|update|delete)$/.test(permission)
  );
}
