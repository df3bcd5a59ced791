/** `hcd page publish`: publish the draft of a page, now or at a time. */
import { publishPage } from '../../src/pages/authoring/change-page.js';
import { defineSiteCommand } from '../command.js';
import { optional, toggle, usageError } from '../parameters.js';
import {
  authoringOf,
  expectedParameter,
  pageName,
  pageParameter,
  pageRecord,
  pageResult,
  plannedValue,
  planResult,
  visibilityNotes,
} from './shared.js';

export const command = defineSiteCommand({
  description:
    'Publishes the draft of a page under a new revision number. Readers see it from the next request on. When required values are missing, the command fails and lists them by section and field. A draft that is the same as the published document is not published again, except with --force.\n\nWith --at, hcd worker publishes the draft at that time, as it is then; --at never cancels the schedule. Missing values are reported now. When values are still missing at that time, the worker waits until the draft is complete, and hcd doctor reports it. Publishing without --at also cancels the schedule.',
  arguments: { id: pageParameter },
  options: {
    at: optional(plannedValue, 'Time to publish the page; never cancels the schedule'),
    revision: expectedParameter,
    force: toggle('Also publish an unchanged draft'),
  },
  examples: {
    'page publish 42': 'Publish the draft now',
    'page publish 42 --at 2027-01-01T00:00:00+01:00': 'Publish the draft at a time',
  },
  async run({ id, at, revision, force }, deps) {
    const asked = { resource: id, expected: revision ?? null };
    if (at !== undefined && force) throw usageError({ '--force': 'cannot be combined with --at' });
    if (at !== undefined) return planResult(deps, { ...asked, at: at.ms, step: 'publish' });
    const page = await publishPage(authoringOf(deps), { ...asked, onlyChanges: !force });
    const notes = await visibilityNotes(page, deps);
    const message = page.isNew
      ? `Published ${pageName(page)} as revision ${page.lastPublished}.`
      : `Nothing to publish: the draft of ${pageName(page)} is the same as revision ${page.lastPublished}. --force publishes it again.`;
    const result = pageResult(page, message, notes);
    return { ...result, data: { ...pageRecord(page), changed: page.isNew } };
  },
});
