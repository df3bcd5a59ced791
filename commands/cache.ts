/** `hcd cache`: what servers keep in memory. */
import { clearAnswers } from '../src/content/administration/edit-content.js';
import { defineSiteCommand } from './command.js';

export const commands = {
  clear: defineSiteCommand({
    description:
      'Makes every server and worker forget the answers, documents and totals that it keeps in memory, within a second. Changes made through the APIs, commands and the manager of an attached CMS are noticed without it; use it after another program, a script or an import has changed content tables directly.\n\nCaches in front of the servers, such as nginx or a CDN, are not purged.',
    examples: {
      'cache clear': 'Show content that a script has changed in the database',
      'cache clear --quiet': 'The same at the end of a script',
    },
    async run(_options, { store }) {
      await clearAnswers(store);
      return {
        kind: 'done',
        message: 'Servers and workers forget what they keep within a second.',
        data: { cleared: true },
      };
    },
  }),
};
