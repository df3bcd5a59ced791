/**
 * Writes the page documents of the sample site as an editor would: drafts that are published one after the other. Goes on
 * where an earlier attempt was interrupted.
 */
import { samplePageDocuments } from '../../sample/sample-documents.js';
import type { Store } from '../../store/open.js';
import { readPageRowsOf } from '../../store/rows/page-rows.js';
import type { PageAuthoring } from '../pages/page-authoring.js';
import { saveDraft } from '../pages/save-draft.js';
import { withdrawPage } from '../pages/withdraw-page.js';

/** Whom history names. */
const author = 'demo';

/** The resources must be there. Gives the number of pages with a document. */
export async function loadSamplePages(store: Store): Promise<number> {
  // Nobody reads a site that is just being loaded; a server tells its first readers by itself.
  const authoring: PageAuthoring = { store, by: author, tellReaders: async () => undefined };
  const pages = samplePageDocuments();
  const rows = await readPageRowsOf(
    store.own.primary,
    pages.map(({ resource }) => resource),
  );
  for (const { resource, published, draft, withdrawn } of pages) {
    const row = rows.get(resource);
    // Each publication had a draft of its own, so that their numbers tell how far an earlier attempt came.
    for (const document of published.slice(row?.lastPublished ?? 0)) {
      await saveDraft(authoring, { resource, document, expected: null, publish: true });
    }
    if (draft && (row?.revision ?? 0) <= published.length)
      await saveDraft(authoring, { resource, document: draft, expected: null, publish: false });
    if (withdrawn && (row === undefined || row.isPublished)) await withdrawPage(authoring, resource);
  }
  return pages.length;
}
