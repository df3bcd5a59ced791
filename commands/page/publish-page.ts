/** The commands that change and publish pages. */
import { fileValue } from '../../src/config/value-type.js';
import { publishPage, rollBackPage, saveDraft, withdrawPage } from '../../src/pages/authoring/change-page.js';
import { defineCommand, defineSiteCommand } from '../command.js';
import {
  authoringOf,
  expectedParameter,
  missingNotes,
  pageName,
  pageParameter,
  pageResult,
  plannedValue,
  planResult,
  publishedNumber,
  visibilityNotes,
} from '../page.js';
import { optional, required, toggle } from '../parameters.js';
import { readJsonFile } from '../read-file.js';

export const pageEdit = defineCommand({
  description:
    'Saves the document in a file as the draft of a page. Readers see it only when it is published. The file is JSON: {"schemaVersion": 1, "sections": [{"type": "hero", "data": {"title": "Hello"}}]}. A section without an id keeps the id that it has on the page: it is matched by its content, then by its type and place. A new section gets an id and the defaults of its type. Every section is checked against its type (hcd section-type list), and all problems are reported together. Required values can be missing until the page is published.\n\nEach save increments the revision of the draft. To avoid overwriting a newer draft, pass the revision that your file is based on with --revision.',
  arguments: { id: pageParameter },
  options: {
    file: required(fileValue, 'JSON file with the document, or - for standard input'),
    revision: expectedParameter,
    publish: toggle('Also publish the draft; saves nothing when a required value is missing'),
  },
  examples: {
    'page edit 42 --file about.json --revision 7': 'Save a draft that is based on revision 7',
    'page edit 42 --file - --publish --json': 'Save and publish a document from standard input',
  },
  async run({ id, file, revision, publish }, deps) {
    const document = await readJsonFile(file, deps);
    const site = await deps.openSite();
    const request = { resource: id, document, expected: revision ?? null, publish };
    const { page, missing } = await saveDraft(authoringOf(site), request);
    const saved = `Saved the draft of ${pageName(page)} as revision ${page.revision}`;
    const message = publish ? `${saved} and published it as ${page.lastPublished}.` : `${saved}.`;
    const notes = publish
      ? await visibilityNotes(page, site)
      : missingNotes(missing, 'Required before it can be published:');
    return pageResult(page, message, notes);
  },
});

export const pagePublish = defineSiteCommand({
  description:
    'Publishes the draft of a page under a new revision number. Readers see it from the next request on. When required values are missing, the command fails and lists them by section and field.\n\nWith --at, hcd worker publishes the draft at that time, as it is then; --at never cancels the schedule. Missing values are reported now. When values are still missing at that time, the worker waits until the draft is complete, and hcd doctor reports it. Publishing without --at also cancels the schedule.',
  arguments: { id: pageParameter },
  options: {
    at: optional(plannedValue, 'Time to publish the page; never cancels the schedule'),
    revision: expectedParameter,
  },
  examples: {
    'page publish 42': 'Publish the draft now',
    'page publish 42 --at 2027-01-01T00:00:00+01:00': 'Publish the draft at a time',
  },
  async run({ id, at, revision }, deps) {
    const asked = { resource: id, expected: revision ?? null };
    if (at !== undefined) return planResult(deps, { ...asked, at: at.ms, step: 'publish' });
    const page = await publishPage(authoringOf(deps), asked);
    const notes = await visibilityNotes(page, deps);
    return pageResult(page, `Published ${pageName(page)} as revision ${page.lastPublished}.`, notes);
  },
});

export const pageUnpublish = defineSiteCommand({
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

export const pageRollback = defineSiteCommand({
  description:
    'Restores an earlier publication as the draft and publishes it under a new revision number. Readers see it from the next request on. The history is kept. An unpublished draft is replaced; to keep it, save it first with hcd page show ID --document draft. An unpublished page is published again.',
  arguments: {
    id: pageParameter,
    revision: required(publishedNumber, {
      placeholder: 'REV',
      description: 'Revision to publish again (see hcd page history)',
    }),
  },
  examples: {
    'page rollback 42 6': 'Publish revision 6 again',
    'page rollback 42 6 --json': 'Publish revision 6 again and print the page as JSON',
  },
  async run({ id, revision }, deps) {
    const { page, missing } = await rollBackPage(authoringOf(deps), { resource: id, revision });
    const message = `Restored revision ${revision} of ${pageName(page)} and published it as revision ${page.lastPublished}.`;
    const changed = missingNotes(
      missing,
      'Section types have changed since that revision. Values that are missing now:',
    );
    const hidden = await visibilityNotes(page, deps);
    return pageResult(page, message, [...hidden, ...changed]);
  },
});
