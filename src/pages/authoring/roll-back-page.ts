/**
 * Restores what was published under an earlier number: as the draft, and published under a new one
 * (docs/reference/pages.md#numbers).
 */

import { findPublished } from '../models/page-revisions.js';
import type { PageProblem } from '../rules/page-problem.js';
import { publishProblems } from '../rules/publish-problems.js';
import { announcePublication, type PageAuthoring } from './announce.js';
import { parseStoredDocument } from './documents.js';
import { noRevision } from './page-history.js';
import { type PageView, readPage, viewPage } from './page-view.js';
import { loadSectionTypes } from './section-types.js';
import { lockPage, putDraft, putPublication } from './write-page.js';

interface RolledBack {
  readonly page: PageView;
  /** What would keep the document from being published by itself: section types have changed since. */
  readonly missing: readonly PageProblem[];
}

/**
 * The page under its new number. What was complete when it was published is not refused because a type asks for more
 * today: the earlier page is needed now. Throws not_found.
 */
export async function rollBackPage(
  { store, by, tellReaders }: PageAuthoring,
  { resource, revision }: { readonly resource: number; readonly revision: number },
): Promise<RolledBack> {
  const { row, missing } = await store.own.write(async (tx) => {
    const page = await lockPage(tx, resource);
    const text = await findPublished(tx, { resource, revision });
    if (text === null) throw noRevision(resource, revision);
    const document = parseStoredDocument(text, `Publication ${revision} of resource ${resource}`);
    const saved = await putDraft(tx, page, { text, expected: null, by });
    await putPublication(tx, saved, { document: text, restoredFrom: revision, by });
    await announcePublication(tx);
    const problems = publishProblems(document, await loadSectionTypes(tx));
    return { row: await readPage(tx, resource), missing: problems };
  });
  await tellReaders();
  return { page: await viewPage(store, row), missing };
}
