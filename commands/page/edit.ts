/** `hcd page edit`: save the draft of a page from a file. */
import { fileValue } from '../../src/config/value-type.js';
import { saveDraft } from '../../src/pages/authoring/change-page.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import { readJsonFile } from '../read-file.js';
import {
  authoringOf,
  expectedParameter,
  missingNotes,
  pageName,
  pageParameter,
  pageResult,
  visibilityNotes,
} from './shared.js';

export const command = defineCommand({
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
