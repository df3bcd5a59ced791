/** `hcd page preview`: make a preview of the draft of a page. */

import { openAdministration } from '../../src/content/live/administrator.js';
import { AppError } from '../../src/errors/app-error.js';
import { loadPage } from '../../src/pages/authoring/page-view.js';
import { defineSiteCommand } from '../command.js';
import { makePreview, previewOptions } from '../preview.js';
import { pageParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Makes an address at which the draft of a page can be read before it is published, and prints it with its token. Clients send the token as preview_token= or in the header X-Preview-Token to the page delivery API; they need no page token. The preview is of the draft as it is now: after the next change of the draft it is refused with 409, and a new preview is needed. The token cannot change anything and ends with its time or with hcd preview revoke.\n\nThe preview sees what anonymous callers may see, or with --user what this user may see.',
  arguments: { id: pageParameter },
  options: previewOptions,
  examples: {
    'page preview 42': 'Make a preview of the draft for an hour',
    'page preview 42 --expires 2d --json': 'Make a preview for two days and print it as JSON',
  },
  async run({ id, expires, user }, deps) {
    const { about } = await loadPage(deps.store, id);
    if (about === null) throw new AppError('not_found', { message: `There is no resource ${id}` });
    const settings = await deps.settings('pages');
    const place = settings.pages_public_url || (await deps.addressOf('pages'));
    return makePreview(deps, {
      ...{ id, context: about.context, isDeleted: about.isDeleted, expires, user },
      admin: await openAdministration(deps.store, deps),
      urlOf: ({ token }) =>
        `${place}/pages/api/v1.php/pages/${id}?${new URLSearchParams({ include: 'document,html', preview_token: token })}`,
      notes: [
        !settings.pages_rest_api_enabled &&
          'The page delivery API is off. Turn it on: hcd setting set pages_rest_api_enabled 1',
      ],
    });
  },
});
