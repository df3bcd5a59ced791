/** `hcd page edit`: edit the draft of a page in a text editor, or save it from a file. */
import { fileValue } from '../../src/config/value-type.js';
import { type SavedDraft, saveDraft } from '../../src/pages/authoring/change-page.js';
import { loadDocument, loadPage, type PageView } from '../../src/pages/authoring/page-view.js';
import { type DoneResult, defineCommand } from '../command.js';
import type { SiteDeps } from '../deps.js';
import { optional, toggle } from '../parameters.js';
import { readJsonFile } from '../read-file.js';
import {
  authoringOf,
  expectedParameter,
  missingNotes,
  pageName,
  pageParameter,
  pageRecord,
  visibilityNotes,
} from './shared.js';
import { editorOf, editText } from './text-editor.js';

export const command = defineCommand({
  description:
    'Opens the draft of a page in a text editor, $VISUAL or $EDITOR, and saves it when it was changed. With --file it saves the document in a file as the draft instead. Readers see the draft only when it is published. The document is JSON: {"schemaVersion": 1, "sections": [{"type": "hero", "data": {"title": "Hello"}}]}. A section without an id keeps the id that it has on the page: it is matched by its content, then by its type and place. A new section gets an id and the defaults of its type. Every section is checked against its type (hcd section-type list), and all problems are reported together. Required values can be missing until the page is published. Markup that rich text must not have is removed and listed.\n\nEach save increments the revision of the draft. To avoid overwriting a newer draft, pass the revision that your file is based on with --revision; the text editor does this by itself. A text that cannot be saved is kept in a temporary file, and the command that saves it later is printed.',
  arguments: { id: pageParameter },
  options: {
    file: optional(fileValue, 'JSON file with the document, or - for standard input (default: open an editor)'),
    revision: expectedParameter,
    publish: toggle('Also publish the draft; saves nothing when a required value is missing'),
  },
  examples: {
    'page edit 42': 'Edit the draft in a text editor',
    'page edit 42 --file about.json --revision 7': 'Save a draft that is based on revision 7',
    'page edit 42 --file - --publish --json': 'Save and publish a document from standard input',
  },
  async run({ id, file, revision, publish }, deps) {
    const asked = { resource: id, publish };
    if (file !== undefined) {
      const document = await readJsonFile(file, deps);
      return save({ ...asked, document, expected: revision ?? null }, await deps.openSite());
    }
    const editor = editorOf(deps);
    const site = await deps.openSite();
    const page = await loadPage(site.store, id);
    const { document } = await loadDocument(site.store, page, page.revision === 0 ? 'published' : 'draft');
    const expected = revision ?? page.revision;
    const saved = await editText(
      { editor, name: `page-${id}.json`, text: `${JSON.stringify(document, null, 2)}\n` },
      {
        deps,
        again: (path) => `hcd page edit ${id} --file ${path} --revision ${expected}${publish ? ' --publish' : ''}`,
        save: async (path) => save({ ...asked, document: await readJsonFile(path, deps), expected }, site),
      },
    );
    return saved ?? editResult(page, `Nothing to save: the draft of ${pageName(page)} was not changed.`, []);
  },
});

async function save(request: Parameters<typeof saveDraft>[1], site: SiteDeps): Promise<DoneResult> {
  const { page, missing, sanitised } = await saveDraft(authoringOf(site), request);
  const saved = `Saved the draft of ${pageName(page)} as revision ${page.revision}`;
  const message = request.publish ? `${saved} and published it as ${page.lastPublished}.` : `${saved}.`;
  const notes = request.publish
    ? await visibilityNotes(page, site)
    : missingNotes(missing, 'Required before it can be published:');
  const removed = sanitised.map(
    (one) => `Removed from sections[${one.section}].data.${one.field}: ${one.removed.join(', ')}`,
  );
  return { ...editResult(page, message, sanitised), notes: [...removed, ...notes] };
}

function editResult(page: PageView, message: string, sanitised: SavedDraft['sanitised']): DoneResult {
  return { kind: 'done', message, data: { ...pageRecord(page), sanitised: sanitised.map((one) => ({ ...one })) } };
}
