/** `hcd page publish ID`: makes readers see the draft, now or at a time. */
import { planPage } from '../../src/pages/authoring/plan-publication.js';
import { publishPage } from '../../src/pages/authoring/publish-page.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { authoringOf } from './page-authoring.js';
import { pageName } from './page-record.js';
import { pageResult, plannedResult, planOf } from './page-result.js';
import { expectedParameter, pageParameter, plannedValue } from './parameters.js';
import { visibilityNotes } from './visibility-notes.js';

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
  async run({ id, at, revision }, deps) {
    const store = await openReady(deps);
    const authoring = authoringOf(store, deps);
    const expected = revision ?? null;
    if (at !== undefined)
      return plannedResult(await planPage(authoring, planOf({ id, at, step: 'publish', expected })), 'publish');
    const page = await publishPage(authoring, { resource: id, expected });
    const notes = await visibilityNotes(page, { store, deps });
    return pageResult(page, `Published ${pageName(page)} as revision ${page.lastPublished}.`, notes);
  },
});
