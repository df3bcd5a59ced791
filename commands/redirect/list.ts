/** `hcd redirect list`: list old addresses and where they lead. */
import { showRedirects } from '../../src/content/administration/edit-redirects.js';
import { defineSiteCommand } from '../command.js';
import { defaultRows, rowParameters } from '../parameters.js';
import { contextParameter, openRedirects } from './shared.js';

export const command = defineSiteCommand({
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
});
