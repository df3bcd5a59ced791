/** `hcd redirect add`: add or replace one redirect. */

import { choiceValue } from '../../src/config/value-type.js';
import { saveRedirects } from '../../src/content/administration/edit-redirects.js';
import { redirectStatuses } from '../../src/content/rules/redirect.js';
import { defineSiteCommand } from '../command.js';
import { anyText, optional, required } from '../parameters.js';
import { contextParameter, openRedirects } from './shared.js';

const statusParameter = optional(choiceValue(redirectStatuses.map(String)), {
  placeholder: 'STATUS',
  description: 'Status to redirect with (default: 301)',
});

export const command = defineSiteCommand({
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
});
