/** `hcd page publish ID`: publishes the draft of a page, now or at a time. */
import { planPage, publishPage } from '../../src/pages/authoring/change-page.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import {
  authoringOf,
  expectedParameter,
  pageName,
  pageParameter,
  pageResult,
  plannedResult,
  plannedValue,
  planOf,
  visibilityNotes,
} from './shared.js';

export const command = defineCommand({
  path: 'page publish',
  summary: 'Publish the draft of a page, now or at a time',
  description:
    'Publishes the draft of a page under a new revision number. Readers see it from the next request on. When required values are missing, the command fails and lists them by section and field.\n\nWith --at, hcd worker publishes the draft at that time, as it is then; --at never cancels the schedule. Missing values are reported now. When values are still missing at that time, the worker waits until the draft is complete, and hcd doctor reports it. Publishing without --at also cancels the schedule.',
  arguments: { id: pageParameter },
  options: {
    at: optional(plannedValue, {
      placeholder: 'TIME',
      description: 'Time to publish the page; never cancels the schedule',
    }),
    revision: expectedParameter,
  },
  examples: [
    { line: 'page publish 42', does: 'Publish the draft now' },
    { line: 'page publish 42 --at 2027-01-01T00:00:00+01:00', does: 'Publish the draft at a time' },
  ],
  async run({ id, at, revision }, deps) {
    const store = await deps.openReady();
    const authoring = authoringOf(store, deps);
    const expected = revision ?? null;
    if (at !== undefined)
      return plannedResult(await planPage(authoring, planOf({ id, at, step: 'publish', expected })), 'publish');
    const page = await publishPage(authoring, { resource: id, expected });
    const notes = await visibilityNotes(page, { store, deps });
    return pageResult(page, `Published ${pageName(page)} as revision ${page.lastPublished}.`, notes);
  },
});
