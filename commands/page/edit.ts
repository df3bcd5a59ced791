/** `hcd page edit ID --file F`: a new draft from a file. */
import { fileValue } from '../../src/config/value-type.js';
import { saveDraft } from '../../src/pages/authoring/save-draft.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { authoringOf } from './page-authoring.js';
import { missingNotes, pageName, pageRecord } from './page-record.js';
import { expectedParameter, pageParameter } from './parameters.js';
import { readJsonFile } from './read-json-file.js';
import { visibilityNotes } from './visibility-notes.js';

export const command = defineCommand({
  path: 'page edit',
  summary: 'Save a new draft of a page from a file',
  description:
    'Makes the document in a file the draft of a page; readers see nothing of it before it is published. The file is JSON: {"schemaVersion": 1, "sections": [{"type": "hero", "data": {"title": "Hello"}}]}. A section without an id keeps the one that it has on the page: it is recognised by its content, then by its type and place. A new one gets an id, and the defaults of its type. Every section is checked against its type (hcd section-type list), and all problems are told at once; required values may be missing until the page is published.\n\nThe draft counts its revisions. With --revision N, the revision that the file was made from, nothing is overwritten that somebody else saved in the meantime.',
  arguments: { id: pageParameter },
  options: {
    file: required(fileValue, { placeholder: 'FILE', description: 'The document, or - for standard input' }),
    revision: expectedParameter,
    publish: toggle('Publish the draft at once; refused as a whole when a required value is missing'),
  },
  examples: [
    { line: 'page edit 42 --file about.json --revision 7', does: 'Save a draft that was made from revision 7' },
    { line: 'page edit 42 --file - --publish --json', does: 'Save and publish what another program writes' },
  ],
  async run({ id, file, revision, publish }, deps) {
    const document = await readJsonFile(file, deps);
    const store = await openReady(deps);
    const authoring = authoringOf(store, deps);
    const request = { resource: id, document, expected: revision ?? null, publish };
    const { page, missing } = await saveDraft(authoring, request);
    const saved = `Saved the draft of ${pageName(page)} as revision ${page.revision}`;
    const message = publish ? `${saved} and published it as ${page.lastPublished}.` : `${saved}.`;
    const notes = publish
      ? await visibilityNotes(page, { store, deps })
      : missingNotes(missing, 'Before it can be published:');
    return { kind: 'done', message, data: pageRecord(page), notes };
  },
});
