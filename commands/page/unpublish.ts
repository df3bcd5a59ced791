/** `hcd page unpublish`: unpublish a page, now or at a time. */
import { withdrawPage } from '../../src/pages/authoring/change-page.js';
import { defineSiteCommand } from '../command.js';
import { optional } from '../parameters.js';
import { authoringOf, pageName, pageParameter, pageResult, plannedValue, planResult } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Unpublishes a page. Readers get 404 from the next request on. The draft and the history are kept, and all schedules of the page are cancelled.\n\nWith --at, hcd worker unpublishes the page at that time; --at never cancels the schedule.',
  arguments: { id: pageParameter },
  options: {
    at: optional(plannedValue, 'Time to unpublish the page; never cancels the schedule'),
  },
  examples: {
    'page unpublish 42': 'Unpublish a page now',
    'page unpublish 42 --at 2027-02-01T00:00:00Z': 'Unpublish a campaign at the end of January',
  },
  async run({ id, at }, deps) {
    if (at !== undefined) return planResult(deps, { resource: id, at: at.ms, step: 'withdraw', expected: null });
    const { page, wasPublished, wasPlanned } = await withdrawPage(authoringOf(deps), id);
    const what = wasPublished ? `Unpublished ${pageName(page)}` : `${pageName(page)} is not published; nothing to do`;
    return pageResult(page, `${what}${wasPlanned ? '. Cancelled its schedule' : ''}.`);
  },
});
