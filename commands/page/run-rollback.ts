/** Brings a publication back for `hcd page rollback`. */
import { rollBackPage } from '../../src/pages/authoring/roll-back-page.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { authoringOf } from './page-authoring.js';
import { missingNotes, pageName, pageRecord } from './page-record.js';
import { visibilityNotes } from './visibility-notes.js';

export interface RollbackOptions {
  readonly id: number;
  readonly revision: number;
}

export async function runRollback({ id, revision }: RollbackOptions, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const authoring = authoringOf(store, deps);
  const { page, missing } = await rollBackPage(authoring, { resource: id, revision });
  const message = `Brought revision ${revision} of ${pageName(page)} back and published it as revision ${page.lastPublished}.`;
  const changed = missingNotes(missing, 'Section types have changed since: the same draft would be refused today:');
  const hidden = await visibilityNotes(page, { store, deps });
  return { kind: 'done', message, data: pageRecord(page), notes: [...hidden, ...changed] };
}
