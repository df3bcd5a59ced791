/** What was published of a page, number by number, and the documents themselves. */
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { type PageRevisionRow, readPageRevisions, readPublishedDocument } from '../rows/page-revision-rows.js';
import { readDraft } from '../rows/page-rows.js';
import type { PageDocument } from '../rules/page-document.js';
import { noPage } from './find-resource.js';
import { loadPage, type PageView } from './page-view.js';
import { parseStoredDocument } from './stored-document.js';

export interface HistoryEntry extends PageRevisionRow {
  /** Readers see this one. */
  readonly isPublished: boolean;
}

/** Publications, the newest first. Throws not_found for a resource without a page. */
export async function listHistory(
  store: Store,
  asked: { readonly resource: number; readonly limit: number; readonly offset: number },
): Promise<{ readonly page: PageView; readonly entries: readonly HistoryEntry[]; readonly total: number }> {
  const page = await loadPage(store, asked.resource);
  const { rows, total } = await readPageRevisions(store.own.primary, asked);
  const entries = rows.map((row) => ({ ...row, isPublished: row.revision === page.publishedRevision }));
  return { page, entries, total };
}

/** A document of a page: the draft, what is published, or what was published under a number. */
export type DocumentChoice = 'draft' | 'published' | number;

export interface FoundDocument {
  readonly document: PageDocument;
  /** How people call it, such as `published 7`. */
  readonly name: string;
}

/** Throws not_found where there is no such document, refused when it is damaged. */
export async function loadDocument(store: Store, page: PageView, choice: DocumentChoice): Promise<FoundDocument> {
  const { resource } = page;
  const own = store.own.primary;
  if (choice === 'draft') {
    const text = await readDraft(own, resource);
    if (text === null) throw noPage(resource);
    return { document: parseStoredDocument(text, `The draft of resource ${resource}`), name: 'draft' };
  }
  const revision = choice === 'published' ? page.publishedRevision : choice;
  if (revision === 0) throw new AppError('not_found', { message: `The page of resource ${resource} is not published` });
  const text = await readPublishedDocument(own, { resource, revision });
  if (text === null) throw noRevision(resource, revision);
  const document = parseStoredDocument(text, `Publication ${revision} of resource ${resource}`);
  return { document, name: `published ${revision}` };
}

/** The refusal for a number under which nothing was published. */
export function noRevision(resource: number, revision: number): AppError {
  return new AppError('not_found', {
    message: `Resource ${resource} was never published as revision ${revision}; hcd page history ${resource} lists them`,
  });
}
