/** `hcd page publish ID`: makes readers see the draft, now or at a time. */
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { expectedParameter, pageParameter, plannedValue } from './parameters.js';

export const command = defineCommand({
  path: 'page publish',
  summary: 'Publish the draft of a page, now or at a time',
  description:
    'Makes a copy of the draft under a number of its own, which readers see from the next request on. Numbers grow and are never used again. A draft in which a required value is missing is refused, with every such value by section and field.\n\nWith --at the page is published then, by hcd worker, as its draft is at that time; --at never takes the plan back. What keeps the draft from being published is told now. Should it be incomplete then, the worker waits until it is complete and hcd doctor tells. Publishing by hand takes the plan back, too.',
  arguments: { id: pageParameter },
  options: {
    at: optional(plannedValue, { placeholder: 'TIME', description: 'Publish at this time; never: not any more' }),
    revision: expectedParameter,
  },
  examples: [
    { line: 'page publish 42', does: 'Show readers the draft' },
    { line: 'page publish 42 --at 2027-01-01T00:00:00+01:00', does: 'Show it from the first moment of the year' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-publish.js')).runPublish(options, deps),
});
