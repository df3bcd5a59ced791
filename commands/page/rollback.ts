/** `hcd page rollback ID REV`: brings an earlier publication back. */
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { pageParameter, publishedNumber } from './parameters.js';

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
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-rollback.js')).runRollback(options, deps),
});
