/** `hcd page unpublish ID`: takes a page back, now or at a time. */
import { planPage } from '../../src/pages/authoring/plan-publication.js';
import { withdrawPage } from '../../src/pages/authoring/withdraw-page.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { authoringOf } from './page-authoring.js';
import { pageName } from './page-record.js';
import { pageResult, plannedResult, planOf } from './page-result.js';
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
  async run({ id, at }, deps) {
    const authoring = authoringOf(await openReady(deps), deps);
    if (at !== undefined) {
      return plannedResult(await planPage(authoring, planOf({ id, at, step: 'withdraw', expected: null })), 'withdraw');
    }
    const { page, wasPublished, wasPlanned } = await withdrawPage(authoring, id);
    const what = wasPublished
      ? `Withdrew ${pageName(page)}`
      : `Nothing to withdraw: ${pageName(page)} is not published`;
    return pageResult(page, `${what}${wasPlanned ? '; what was planned for it is taken back' : ''}.`, []);
  },
});
