/** What differs between two documents of one page. */

import type { Store } from '../../store/open/open.js';
import { diffPageDocuments, type SectionChange } from '../rules/page-diff.js';
import { type DocumentChoice, loadDocument } from './page-history.js';
import { loadPage } from './page-view.js';

export interface Comparison {
  /** What people call the two, such as `published 7` and `draft`. */
  readonly from: string;
  readonly to: string;
  readonly changes: readonly SectionChange[];
}

/** Left out: from what is published, to the draft. Throws not_found. */
export async function compareDocuments(
  store: Store,
  asked: { readonly resource: number; readonly from?: DocumentChoice; readonly to?: DocumentChoice },
): Promise<Comparison> {
  const page = await loadPage(store, asked.resource);
  // Of a page that was withdrawn the last publication says most.
  const usual = page.publishedRevision > 0 ? 'published' : page.lastPublished;
  const from = await loadDocument(store, page, asked.from ?? (usual === 0 ? 'published' : usual));
  const to = await loadDocument(store, page, asked.to ?? 'draft');
  return { from: from.name, to: to.name, changes: diffPageDocuments(from.document, to.document) };
}
