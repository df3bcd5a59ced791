/** Saves a draft for `hcd page edit`. */
import { saveDraft } from '../../src/pages/authoring/save-draft.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { authoringOf } from './page-authoring.js';
import { missingNotes, pageName, pageRecord } from './page-record.js';
import { readJsonFile } from './read-json-file.js';
import { visibilityNotes } from './visibility-notes.js';

export interface EditOptions {
  readonly id: number;
  readonly file: string;
  readonly revision: number | undefined;
  readonly publish: boolean;
}

export async function runEdit({ id, file, revision, publish }: EditOptions, deps: Deps): Promise<DoneResult> {
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
}
