/** `hcd page unpublish ID`: takes a page back, now or at a time. */
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { pageParameter, plannedValue } from './parameters.js';

export const command = defineCommand({
  path: 'page unpublish',
  summary: 'Take a page back, now or at a time',
  description:
    'Withdraws a page: readers get 404 from the next request on. The draft, the history and the numbers stay; publishing again goes on counting. What was planned for the page is taken back with it.\n\nWith --at hcd worker withdraws the page then; --at never takes that plan back.',
  arguments: { id: pageParameter },
  options: {
    at: optional(plannedValue, { placeholder: 'TIME', description: 'Withdraw at this time; never: not any more' }),
  },
  examples: [
    { line: 'page unpublish 42', does: 'Take a page back' },
    { line: 'page unpublish 42 --at 2027-02-01T00:00:00Z', does: 'End a campaign at the end of January' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-publish.js')).runUnpublish(options, deps),
});
