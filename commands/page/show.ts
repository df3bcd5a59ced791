/** `hcd page show`: show a page or one of its documents. */
import { loadDocument, loadPage } from '../../src/pages/authoring/page-view.js';
import { loadSectionTypes } from '../../src/pages/authoring/section-types.js';
import type { PageDocument } from '../../src/pages/rules/page-document.js';
import { htmlPart } from '../../src/pages/rules/page-parts.js';
import { formatPageProblem } from '../../src/pages/rules/page-problem.js';
import { publishProblems } from '../../src/pages/rules/publish-problems.js';
import { renderSections } from '../../src/pages/rules/render.js';
import type { SectionTypes } from '../../src/pages/rules/section-type.js';
import { defineSiteCommand, type JsonRecord, type JsonValue, type TextResult } from '../command.js';
import { optional, toggle } from '../parameters.js';
import { documentValue, pageParameter, pageRecord, visibilityNotes } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Shows the state, revisions and schedule of a page, the sections of its draft, and the values that are missing to publish it. --json also has the draft. With --document the command prints only that document, in the format of hcd page edit. With --html it prints the HTML of the sections as readers get it, of the draft or of --document; disabled sections are left out, and sections for certain visitors are included.',
  arguments: { id: pageParameter },
  options: {
    document: optional(documentValue, { placeholder: 'WHICH', description: 'Print only this document' }),
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
    const draft = jsonOf(document);
    // The form that `hcd page edit` accepts.
    if (choice !== undefined) return { kind: 'text', text: `${JSON.stringify(draft, null, 2)}\n`, data: draft };
    const missing = publishProblems(document, await loadSectionTypes(deps.store.own.primary)).map(formatPageProblem);
    const record: JsonRecord = { ...pageRecord(page), sections: sectionNames(document), missing, draft };
    const fields = Object.keys(record).filter((name) => name !== 'draft' && (name !== 'missing' || missing.length > 0));
    const notes = page.publishedRevision > 0 ? await visibilityNotes(page, deps) : [];
    return { kind: 'record', record, fields, notes };
  },
});

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

function jsonOf(document: PageDocument): JsonValue {
  return JSON.parse(JSON.stringify(document)) as JsonValue;
}
