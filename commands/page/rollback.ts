/** `hcd page rollback ID REV`: brings an earlier publication back. */
import { rollBackPage } from '../../src/pages/authoring/roll-back-page.js';
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { authoringOf } from './page-authoring.js';
import { missingNotes, pageName, pageRecord } from './page-record.js';
import { pageParameter, publishedNumber } from './parameters.js';
import { visibilityNotes } from './visibility-notes.js';

export const command = defineCommand({
  path: 'page rollback',
  summary: 'Bring an earlier publication of a page back',
  description:
    'Makes what was published under a number the draft again and publishes it, under a new number: readers see it from the next request on, and nothing of the history is lost. A draft that was not published is replaced; save it first if it is wanted (hcd page show ID --document draft). A page that was withdrawn is published again by this.',
  arguments: {
    id: pageParameter,
    revision: required(publishedNumber, {
      placeholder: 'REV',
      description: 'Number of the publication, as hcd page history shows it',
    }),
  },
  options: {},
  examples: [
    { line: 'page rollback 42 6', does: 'Show readers what they saw as revision 6' },
    { line: 'page rollback 42 6 --json', does: 'The same for a script' },
  ],
  async run({ id, revision }, deps) {
    const store = await openReady(deps);
    const authoring = authoringOf(store, deps);
    const { page, missing } = await rollBackPage(authoring, { resource: id, revision });
    const message = `Brought revision ${revision} of ${pageName(page)} back and published it as revision ${page.lastPublished}.`;
    const changed = missingNotes(missing, 'Section types have changed since: the same draft would be refused today:');
    const hidden = await visibilityNotes(page, { store, deps });
    return { kind: 'done', message, data: pageRecord(page), notes: [...hidden, ...changed] };
  },
});
