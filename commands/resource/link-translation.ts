/** `hcd resource link-translation`: make two pages translations of each other. */
import { linkTranslationsByHand } from '../../src/content/administration/link-translations.js';
import { defineCommand } from '../command.js';
import { idValue, required, toggle } from '../parameters.js';
import { eventsParameter, openToEdit } from './shared.js';

export const command = defineCommand({
  description:
    'Makes two pages of different contexts translations of each other, with all pages to which they are linked already. A page that they were linked to in one of these contexts is replaced. The links are kept where the extra Babel keeps them, in the template variable babelLanguageLinks, which a site without a CMS gets with the first link. include=translations shows them.',
  arguments: {
    id: required(idValue, { placeholder: 'ID', description: 'Id of a page' }),
    other: required(idValue, { placeholder: 'OTHER', description: 'Id of its translation in another context' }),
  },
  options: { undo: toggle('Remove the link instead: OTHER leaves the group'), events: eventsParameter },
  examples: {
    'resource link-translation 12 57': 'Link a page and its translation',
    'resource link-translation 12 57 --undo --json': 'Remove the link again',
  },
  async run({ id: first, other: second, undo, events }, deps) {
    const editing = await openToEdit(deps, { events });
    const translations = await linkTranslationsByHand(editing, { first, second, isUndone: undo });
    return { kind: 'list', columns: ['context', 'language', 'id', 'uri', 'url'], rows: translations };
  },
});
