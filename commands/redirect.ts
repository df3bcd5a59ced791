/** `hcd redirect`: redirects of old addresses. */

import { choiceValue } from '../src/config/value-type.js';
import { removeRedirect, saveRedirects, showRedirects } from '../src/content/administration/edit-redirects.js';
import { type Administration, openAdministration } from '../src/content/live/administrator.js';
import { redirectStatuses } from '../src/content/rules/redirect.js';
import type { Store } from '../src/store/open/open.js';
import { defineSiteCommand } from './command.js';
import type { SiteDeps } from './deps.js';
import { anyText, defaultRows, optional, required, rowParameters } from './parameters.js';

export const contextParameter = optional(anyText, 'Context of the old addresses (default: gateway_context)');

export async function openRedirects(
  deps: SiteDeps,
  context: string | undefined,
): Promise<{ readonly admin: Administration & { readonly store: Store }; readonly context: string }> {
  const admin = await openAdministration(deps.store, deps);
  return { admin: { ...admin, store: deps.store }, context: context ?? admin.live.settings.values.gateway_context };
}

const statusParameter = optional(choiceValue(redirectStatuses.map(String)), {
  placeholder: 'STATUS',
  description: 'Status to redirect with (default: 301)',
});

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists the old addresses of moved pages, and those that were added or imported, in the order in which they were made. An entry without a target leads to a page that is deleted or in another context, and is not served.',
    options: { context: contextParameter, ...rowParameters },
    examples: {
      'redirect list': 'List old addresses',
      'redirect list --context de --limit 100 --json': 'List those of a context as JSON',
    },
    async run({ context: named, limit = defaultRows, offset = 0 }, deps) {
      const { admin, context } = await openRedirects(deps, named);
      const { rows, total } = await showRedirects(admin, { context, limit, offset });
      return {
        kind: 'list',
        columns: ['from', 'to', 'status', 'resource', 'created'],
        spare: ['created', 'resource'],
        rows,
        total,
        offset,
        empty: `No redirects in ${context}. Add one: hcd redirect add FROM TO`,
      };
    },
  }),

  add: defineSiteCommand({
    description:
      'Adds the redirect of an old address, or replaces it. The target is the address of a page, which is followed when it moves, or a whole address on another site. A page that has the old address is served instead. GET /redirects lists the redirects; GET /pages answers with them while gateway_redirects is on.',
    arguments: {
      from: required(anyText, 'Old address: a path, or a whole address, whose host does not count'),
      to: required(anyText, 'Address of a page, or a whole address'),
    },
    options: { context: contextParameter, status: statusParameter },
    examples: {
      'redirect add news/old.html blog/new.html': 'Redirect an old address to a page',
      'redirect add shop https://shop.example.com/ --status 302 --json': 'Redirect to another site for a while',
    },
    async run({ from, to, context: named, status }, deps) {
      const { admin, context } = await openRedirects(deps, named);
      const given = [{ place: '', from, to, status }];
      const data = { ...(await saveRedirects(admin, given, { context })) };
      return { kind: 'done', message: `Redirects ${from} to ${to} in the context ${context}.`, data };
    },
  }),

  remove: defineSiteCommand({
    description: 'Removes the redirect of an old address permanently.',
    arguments: { from: required(anyText, 'Old address') },
    options: { context: contextParameter },
    examples: {
      'redirect remove news/old.html': 'Remove a redirect',
      'redirect remove news/old.html --context de --yes --json': 'Remove one of a context without confirmation',
    },
    destructive: {},
    async run({ from, context: named }, deps) {
      const { admin, context } = await openRedirects(deps, named);
      await deps.confirm(`Remove the redirect from ${from} in the context ${context} permanently?`);
      const source = await removeRedirect(admin.store, { from, context });
      return { kind: 'done', message: `Removed the redirect from ${source}.`, data: { from: source, removed: true } };
    },
  }),
};
