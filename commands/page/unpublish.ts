/** `hcd page unpublish ID`: unpublishes a page, now or at a time. */
import { planPage, withdrawPage } from '../../src/pages/authoring/change-page.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { authoringOf, pageName, pageParameter, pageResult, plannedResult, plannedValue, planOf } from './shared.js';

export const command = defineCommand({
  path: 'page unpublish',
  summary: 'Unpublish a page, now or at a time',
  description:
    'Unpublishes a page. Readers get 404 from the next request on. The draft and the history are kept, and all schedules of the page are cancelled.\n\nWith --at, hcd worker unpublishes the page at that time; --at never cancels the schedule.',
  arguments: { id: pageParameter },
  options: {
    at: optional(plannedValue, {
      placeholder: 'TIME',
      description: 'Time to unpublish the page; never cancels the schedule',
    }),
  },
  examples: [
    { line: 'page unpublish 42', does: 'Unpublish a page now' },
    { line: 'page unpublish 42 --at 2027-02-01T00:00:00Z', does: 'Unpublish a campaign at the end of January' },
  ],
  async run({ id, at }, deps) {
    const authoring = authoringOf(await deps.openReady(), deps);
    if (at !== undefined) {
      return plannedResult(await planPage(authoring, planOf({ id, at, step: 'withdraw', expected: null })), 'withdraw');
    }
    const { page, wasPublished, wasPlanned } = await withdrawPage(authoring, id);
    const what = wasPublished ? `Unpublished ${pageName(page)}` : `${pageName(page)} is not published; nothing to do`;
    return pageResult(page, `${what}${wasPlanned ? '. Cancelled its schedule' : ''}.`, []);
  },
});
