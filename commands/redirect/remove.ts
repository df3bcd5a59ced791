/** `hcd redirect remove`: remove a redirect. */
import { removeRedirect } from '../../src/content/administration/edit-redirects.js';
import { defineSiteCommand } from '../command.js';
import { anyText, required } from '../parameters.js';
import { contextParameter, openRedirects } from './shared.js';

export const command = defineSiteCommand({
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
});
