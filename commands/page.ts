/** `hcd page`: page documents. */
import { choiceValue, listValue, textValue } from '../src/config/value-type.js';
import { AppError, invalidField } from '../src/errors/app-error.js';
import { publishPage, rollBackPage, saveDraft, withdrawPage } from '../src/pages/authoring/change-page.js';
import { listHistory, listPages, loadDocument, loadPage, pageStates } from '../src/pages/authoring/page-view.js';
import { loadSectionTypes } from '../src/pages/authoring/section-types.js';
import type { PageDocument } from '../src/pages/rules/page-document.js';
import { htmlPart } from '../src/pages/rules/page-parts.js';
import { formatPageProblem, publishProblems } from '../src/pages/rules/page-problem.js';
import { renderSections } from '../src/pages/rules/render.js';
import { exampleData, isHiddenType, type SectionTypes } from '../src/pages/rules/section-type.js';
import { quoted } from '../src/values/reading.js';
import { wordList } from '../src/values/text.js';
import { defineSiteCommand, recordOf, type TextResult } from './command.js';
import {
  authoringOf,
  documentValue,
  expectedParameter,
  missingNotes,
  pageName,
  pageParameter,
  pageRecord,
  pageResult,
  plannedValue,
  planResult,
  publishedNumber,
  visibilityNotes,
} from './page/shared.js';
import { defaultRows, idValue, optional, required, rowParameters, toggle, usageError } from './parameters.js';

const columns = wordList(
  'resource_id pagetitle context_key uri state revision published_revision published_on publish_on unpublish_on edited_on',
);

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists all resources that have a page document, by id: state, revision of the draft, published revision (0 when not published) and schedule. States: draft (never published), published, changed (published, with a newer draft), withdrawn (unpublished). A narrow terminal shows fewer columns and names the missing ones.',
    options: {
      state: optional(choiceValue(pageStates), 'Show only pages in this state'),
      resources: optional(
        listValue(idValue, { min: 1, accepts: 'a comma list of ids' }),
        'Show only the pages of these resources, separated by commas',
        { placeholder: 'IDS' },
      ),
      planned: toggle('Show only pages that are scheduled to be published or unpublished'),
      ...rowParameters,
    },
    examples: {
      'page list --state changed': 'List pages with changes that are not published',
      'page list --limit 1000 --json': 'List 1000 pages as JSON',
    },
    async run(options, deps) {
      const { state = null, resources = null, planned: isPlanned, limit = defaultRows, offset = 0 } = options;
      const { pages, total } = await listPages(deps.store, { filter: { resources, state, isPlanned }, limit, offset });
      const empty =
        state === null && resources === null && !isPlanned
          ? 'No pages. Create one: hcd page new ID --sections hero,faq'
          : 'No matching pages.';
      return {
        kind: 'list',
        columns,
        spare: ['unpublish_on', 'publish_on', 'edited_on', 'context_key', 'published_on', 'revision', 'uri'],
        marks: { state: { changed: 'warning', withdrawn: 'past' } },
        rows: pages.map(pageRecord),
        total,
        offset,
        empty,
      };
    },
  }),

  show: defineSiteCommand({
    description:
      'Shows the state, revisions and schedule of a page, the sections of its draft, and the values that are missing to publish it. --json also has the draft. With --document the command prints only that document, in the format of hcd page edit. With --html it prints the HTML of the sections as readers get it, of the draft or of --document; disabled sections are left out, and sections for certain visitors are included.',
    arguments: { id: pageParameter },
    options: {
      document: optional(documentValue, 'Print only this document', { placeholder: 'WHICH' }),
      html: toggle('Print the sections as HTML'),
    },
    examples: {
      'page show 42': 'Show the state of a page',
      'page show 42 --document draft > about.json': 'Save the draft to a file',
      'page show 42 --html --document 3': 'Print an earlier publication as HTML',
    },
    async run({ id, document: choice, html: isHtml }, deps) {
      const page = await loadPage(deps.store, id);
      const { document } = await loadDocument(deps.store, page, choice ?? 'draft');
      if (isHtml) return htmlResult(document, await loadSectionTypes(deps.store.own.primary));
      if (choice !== undefined) return { kind: 'text', text: `${JSON.stringify(document, null, 2)}\n`, data: document };
      const missing = publishProblems(document, await loadSectionTypes(deps.store.own.primary)).map(formatPageProblem);
      const record = { ...pageRecord(page), sections: sectionNames(document), missing, draft: document };
      const fields = Object.keys(record).filter(
        (name) => name !== 'draft' && (name !== 'missing' || missing.length > 0),
      );
      const notes = page.publishedRevision > 0 ? await visibilityNotes(page, deps) : [];
      return { kind: 'record', record, fields, notes };
    },
  }),

  new: defineSiteCommand({
    description:
      'Creates the draft of a page with one section for each type, in the order of --sections, and with example data for the fields of each (hcd section-type list shows the types). Replace the examples with hcd page edit, then publish the page. A page that has a draft already is refused; with --yes its draft is replaced.',
    arguments: { id: pageParameter },
    options: {
      sections: required(
        listValue(textValue(), { min: 1, accepts: 'a comma list of section types such as hero,faq' }),
        'Section types of the page, separated by commas',
        { placeholder: 'TYPES' },
      ),
    },
    examples: {
      'page new 42 --sections hero,faq': 'Create a draft with two sections',
      'page new 42 --sections hero,cards,cards,cta --yes': 'Replace the draft of a page',
    },
    async run({ id, sections: keys }, deps) {
      const types = await loadSectionTypes(deps.store.own.primary);
      const sections = keys.map((key) => {
        const type = types.get(key);
        if (type !== undefined) return { type: key, data: exampleData(type.fields) };
        const known = [...types.values()].filter((one) => !isHiddenType(one)).map((one) => one.key);
        const problem = `${quoted(key)} is not a section type; accepted are ${known.join(', ')}`;
        throw invalidField('--sections', problem, `--sections: ${problem}`);
      });
      const document = { schemaVersion: 1, sections };
      // A page without a draft is at revision 0.
      const request = { resource: id, document, expected: deps.flags.yes ? null : 0, publish: false };
      const { page, missing } = await saveDraft(authoringOf(deps), request).catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'conflict' ? hasDraft(id) : error;
      });
      const message = `Created the draft of ${pageName(page)} with example data. Edit it: hcd page edit ${id}`;
      return pageResult(page, message, missingNotes(missing, 'Required before it can be published:'));
    },
  }),

  publish: defineSiteCommand({
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
  }),

  unpublish: defineSiteCommand({
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
  }),

  history: defineSiteCommand({
    description:
      'Lists the publications of a page, newest first: revision, time, who published it, the revision that it restored, and the length of the document as JSON. Publications never change. To compare two of them, use hcd page diff; to publish one again, use hcd page rollback.',
    arguments: { id: pageParameter },
    options: rowParameters,
    examples: {
      'page history 42': 'Show when a page was published',
      'page history 42 --limit 1 --json': 'Show the last publication as JSON',
    },
    async run({ id, limit = defaultRows, offset = 0 }, deps) {
      const { entries, total } = await listHistory(deps.store, { resource: id, limit, offset });
      const empty = `The page has never been published. Publish it: hcd page publish ${id}`;
      return {
        kind: 'list',
        columns: ['revision', 'published_on', 'published_by', 'restored_from', 'characters', 'is_published'],
        rows: entries.map((entry) => ({
          ...recordOf(entry, ['revision', 'publishedOn', 'publishedBy', 'restoredFrom']),
          ...{ characters: entry.size, is_published: entry.isPublished },
        })),
        total,
        empty,
      };
    },
  }),

  rollback: defineSiteCommand({
    description:
      'Restores an earlier publication as the draft and publishes it under a new revision number. Readers see it from the next request on. The history is kept. An unpublished draft is replaced; to keep it, save it first with hcd page show ID --document draft. An unpublished page is published again.',
    arguments: {
      id: pageParameter,
      revision: required(publishedNumber, 'Revision to publish again (see hcd page history)', { placeholder: 'REV' }),
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
  }),
};

function htmlResult({ sections }: PageDocument, types: SectionTypes): TextResult {
  const shown = sections.filter(({ enabled }) => enabled);
  const rendered = renderSections(shown, types);
  const html = htmlPart(rendered);
  const notes = rendered.flatMap(({ failure }, at) =>
    failure === null ? [] : [`Section ${at + 1} (${shown[at]?.type ?? ''}) cannot be shown: ${failure}`],
  );
  return { kind: 'text', text: `${html}\n`, data: { html }, notes };
}

function sectionNames({ sections }: PageDocument): readonly string[] {
  return sections.map(({ type, enabled }) => (enabled ? type : `(${type})`));
}

function hasDraft(id: number): AppError {
  const message = `The page of resource ${id} has a draft. Edit it: hcd page edit ${id}. Or replace it with --yes`;
  return new AppError('refused', { message });
}
