/** `hcd page rollback ID REV`: publishes an earlier revision again. */
import { rollBackPage } from '../../src/pages/authoring/change-page.js';
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import {
  authoringOf,
  missingNotes,
  pageName,
  pageParameter,
  pageRecord,
  publishedNumber,
  visibilityNotes,
} from './shared.js';

export const command = defineCommand({
  path: 'page rollback',
  summary: 'Publish an earlier revision of a page again',
  description:
    'Restores an earlier publication as the draft and publishes it under a new revision number. Readers see it from the next request on. The history is kept. An unpublished draft is replaced; to keep it, save it first with hcd page show ID --document draft. An unpublished page is published again.',
  arguments: {
    id: pageParameter,
    revision: required(publishedNumber, {
      placeholder: 'REV',
      description: 'Revision to publish again (see hcd page history)',
    }),
  },
  options: {},
  examples: [
    { line: 'page rollback 42 6', does: 'Publish revision 6 again' },
    { line: 'page rollback 42 6 --json', does: 'Publish revision 6 again and print the page as JSON' },
  ],
  async run({ id, revision }, deps) {
    const store = await deps.openReady();
    const authoring = authoringOf(store, deps);
    const { page, missing } = await rollBackPage(authoring, { resource: id, revision });
    const message = `Restored revision ${revision} of ${pageName(page)} and published it as revision ${page.lastPublished}.`;
    const changed = missingNotes(
      missing,
      'Section types have changed since that revision. Values that are missing now:',
    );
    const hidden = await visibilityNotes(page, { store, deps });
    return { kind: 'done', message, data: pageRecord(page), notes: [...hidden, ...changed] };
  },
});
