/** What was published of a page, number by number, the documents themselves, and what differs between two of them. */
import { AppError } from '../../errors/app-error.js';
import type { RowOf } from '../../store/models/model.js';
import type { Store } from '../../store/open/open.js';
import { findPublished, pageRevisions } from '../models/page-revisions.js';
import { findDraft } from '../models/pages.js';
import { diffPageDocuments, type SectionChange } from '../rules/page-diff.js';
import type { PageDocument } from '../rules/page-document.js';
import { parseStoredDocument } from './documents.js';
import { loadPage, type PageView } from './page-view.js';
import { noPage } from './write-page.js';

export interface HistoryEntry extends Pick<RowOf<typeof pageRevisions>, (typeof listed)[number]> {
  /** Readers see this one. */
  readonly isPublished: boolean;
}

/** What a list shows: documents are long. */
const listed = ['revision', 'publishedOn', 'publishedBy', 'restoredFrom', 'size'] as const;

/** Publications, the newest first. Throws not_found for a resource without a page. */
export async function listHistory(
  store: Store,
  { resource, ...part }: { readonly resource: number; readonly limit: number; readonly offset: number },
): Promise<{ readonly page: PageView; readonly entries: readonly HistoryEntry[]; readonly total: number }> {
  const page = await loadPage(store, resource);
  const revisions = pageRevisions.on(store.own.primary);
  const where = { resource };
  const rows = await revisions.findAll({ attributes: listed, where, order: [['revision', 'DESC']], ...part });
  const total = await revisions.count({ where });
  const entries = rows.map((row) => ({ ...row, isPublished: row.revision === page.publishedRevision }));
  return { page, entries, total };
}

/** A document of a page: the draft, what is published, or what was published under a number. */
export type DocumentChoice = 'draft' | 'published' | number;

interface FoundDocument {
  readonly document: PageDocument;
  /** How people call it, such as `published 7`. */
  readonly name: string;
}

/** Throws not_found where there is no such document, refused when it is damaged. */
export async function loadDocument(store: Store, page: PageView, choice: DocumentChoice): Promise<FoundDocument> {
  const { resource } = page;
  const own = store.own.primary;
  if (choice === 'draft') {
    const text = await findDraft(own, resource);
    if (text === null) throw noPage(resource);
    return { document: parseStoredDocument(text, `The draft of resource ${resource}`), name: 'draft' };
  }
  const revision = choice === 'published' ? page.publishedRevision : choice;
  if (revision === 0) throw new AppError('not_found', { message: `The page of resource ${resource} is not published` });
  const text = await findPublished(own, { resource, revision });
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

export interface Comparison {
  /** What people call the two, such as `published 7` and `draft`. */
  readonly from: string;
  readonly to: string;
  readonly changes: readonly SectionChange[];
}

/** By default from what is published to the draft. Throws not_found. */
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
