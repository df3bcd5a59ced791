/** `hcd page rollback`: publish an earlier revision of a page again. */
import { rollBackPage } from '../../src/pages/authoring/change-page.js';
import { defineSiteCommand } from '../command.js';
import { required } from '../parameters.js';
import {
  authoringOf,
  missingNotes,
  pageName,
  pageParameter,
  pageResult,
  publishedNumber,
  visibilityNotes,
} from './shared.js';

export const command = defineSiteCommand({
  description:
    'Restores an earlier publication as the draft and publishes it under a new revision number. Readers see it from the next request on. The history is kept. An unpublished draft is replaced; to keep it, save it first with hcd page show ID --document draft. An unpublished page is published again.',
  arguments: {
    id: pageParameter,
    revision: required(publishedNumber, {
      placeholder: 'REV',
      description: 'Revision to publish again (see hcd page history)',
    }),
  },
  examples: {
    'page rollback 42 6': 'Publish revision 6 again',
    'page rollback 42 6 --json': 'Publish revision 6 again and print the page as JSON',
  },
  async run({ id, revision }, deps) {
    const { page, missing } = await rollBackPage(authoringOf(deps), { resource: id, revision });
    const message = `Restored revision ${revision} of ${pageName(page)} and published it as revision ${page.lastPublished}.`;
    const changed = missingNotes(
      missing,
      'Section types have changed since that revision. Values that are missing now:',
    );
    const hidden = await visibilityNotes(page, deps);
    return pageResult(page, message, [...hidden, ...changed]);
  },
});
