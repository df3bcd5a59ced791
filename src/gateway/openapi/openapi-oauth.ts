/** OAuth in the OpenAPI document: how access tokens are got, and how clients show who they are at the token endpoints. */
import type { Registry } from '../../content/objects/definition.js';
import { knownScopes } from '../../content/objects/known-scopes.js';

/** Security schemes by name. Scopes of single contexts are left out: they are no part of the program. */
export function oauthSchemes(
  registry: Registry,
  base: string,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const scopes = Object.fromEntries(knownScopes(registry, []).map((scope) => [scope, meaningOf(scope)]));
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Access token (gt_...) of an OAuth client; while gateway_oauth_enabled is on',
      flows: { clientCredentials: { tokenUrl: `${base}/auth/token`, scopes } },
    },
    oauthClient: { type: 'http', scheme: 'basic', description: 'Id and secret of an OAuth client' },
  };
}

function meaningOf(scope: string): string {
  if (scope === '*') return 'Everything';
  if (scope === 'resources.static') return 'Static resources: making them, changing which file they send';
  if (scope === 'preview') return 'Content that is not published';
  const [object = '', action = ''] = scope.split('.');
  return object === 'fields'
    ? `The protected field ${action}`
    : `${action.replace(/^./, (a) => a.toUpperCase())} ${object}`;
}
