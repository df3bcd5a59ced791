/** `hcd page show ID`: a page or one of its documents. */

import { loadDocument, loadPage } from '../../src/pages/authoring/page-view.js';
import { loadSectionTypes } from '../../src/pages/authoring/section-types.js';
import type { PageDocument } from '../../src/pages/rules/page-document.js';
import { formatPageProblem } from '../../src/pages/rules/page-problem.js';
import { publishProblems } from '../../src/pages/rules/publish-problems.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import type { JsonRecord, JsonValue, Result } from '../result.js';
import { documentValue, pageParameter, pageRecord, visibilityNotes } from './shared.js';

export const command = defineCommand({
  path: 'page show',
  summary: 'Show a page or one of its documents',
  description:
    'Shows the state, revisions and schedule of a page, the sections of its draft, and the values that are missing to publish it. --json also has the draft. With --document the command prints only that document, in the format of hcd page edit.',
  arguments: { id: pageParameter },
  options: {
    document: optional(documentValue, { placeholder: 'WHICH', description: 'Print only this document' }),
  },
  examples: [
    { line: 'page show 42', does: 'Show the state of a page' },
    { line: 'page show 42 --document draft > about.json', does: 'Save the draft to a file' },
  ],
  async run({ id, document: choice }, deps) {
    const store = await deps.openReady();
    const page = await loadPage(store, id);
    const { document } = await loadDocument(store, page, choice ?? 'draft');
    if (choice !== undefined) return documentResult(document);
    const missing = publishProblems(document, await loadSectionTypes(store.own.primary)).map(formatPageProblem);
    const facts = pageRecord(page);
    const record: JsonRecord = { ...facts, sections: sectionNames(document), missing, draft: jsonOf(document) };
    const fields = Object.keys(record).filter((name) => name !== 'draft' && (name !== 'missing' || missing.length > 0));
    const notes = page.publishedRevision > 0 ? await visibilityNotes(page, { store, deps }) : [];
    return { kind: 'record', record, fields, notes };
  },
});

/** The form that `hcd page edit` accepts. */
function documentResult(document: PageDocument): Result {
  const data = jsonOf(document);
  return { kind: 'text', text: `${JSON.stringify(data, null, 2)}\n`, data };
}

/** Types in their order; those that are switched off in brackets. */
function sectionNames({ sections }: PageDocument): readonly string[] {
  return sections.map(({ type, enabled }) => (enabled ? type : `(${type})`));
}

/** Documents come out of JSON, so they are JSON. */
function jsonOf(document: PageDocument): JsonValue {
  const value: unknown = JSON.parse(JSON.stringify(document));
  return value as JsonValue;
}
