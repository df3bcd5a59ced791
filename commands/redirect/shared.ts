/** What the commands for redirects share. */

import { type Administration, openAdministration } from '../../src/content/live/administrator.js';
import type { Store } from '../../src/store/open/open.js';
import type { SiteDeps } from '../deps.js';
import { anyText, optional } from '../parameters.js';

export const contextParameter = optional(anyText, 'Context of the old addresses (default: gateway_context)');

export async function openRedirects(
  deps: SiteDeps,
  context: string | undefined,
): Promise<{ readonly admin: Administration & { readonly store: Store }; readonly context: string }> {
  const admin = await openAdministration(deps.store, deps);
  return { admin: { ...admin, store: deps.store }, context: context ?? admin.live.settings.values.gateway_context };
}
