/**
 * The two changes of which everything else is made: a draft under a new revision, and a publication under a new number
 * (docs/reference/pages.md#numbers). They run in the transaction of the caller, on a row that it holds locked.
 */

import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/database-time.js';
import { readNow } from '../../store/state/state.js';
import { pageRevisions } from '../models/page-revisions.js';
import { findPageRows, type PageRow, pages, updatePage } from '../models/pages.js';
import { nextSiteRevision } from './announce.js';

/** The refusal for a resource without a page. */
export function noPage(resource: number): AppError {
  return new AppError('not_found', {
    message: `Resource ${resource} has no page document; hcd page edit ${resource} --file FILE makes one`,
  });
}

/** The row of a page, locked. Throws not_found. */
export async function lockPage(tx: Tx, resource: number): Promise<PageRow> {
  const [page] = await findPageRows(tx, [resource], { lock: true });
  if (!page) throw noPage(resource);
  return page;
}

/** The same; a page that does not exist yet is made. */
export async function lockOrCreatePage(
  tx: Tx,
  { resource, by }: { readonly resource: number; readonly by: string },
): Promise<PageRow> {
  const [found] = await findPageRows(tx, [resource], { lock: true });
  if (found) return found;
  const now = fromNow(tx);
  const row = { resource, createdOn: now, editedOn: now, editedBy: by };
  await pages.on(tx).bulkCreate([row], { ignoreDuplicates: true });
  return lockPage(tx, resource);
}

/** Throws conflict (revision_conflict) unless the draft is the expected one; null expects none. */
export function checkRevision({ revision }: PageRow, expected: number | null): void {
  if (expected === null || expected === revision) return;
  throw new AppError('conflict', { message: `revision_conflict: the draft is at revision ${revision}` });
}

interface NewDraft {
  /** The document as JSON. */
  readonly text: string;
  /** Revision that the writer started from; null = any. */
  readonly expected: number | null;
  readonly by: string;
}

/** The page with its new draft. Throws conflict (revision_conflict) when the draft was saved since. */
export async function putDraft(tx: Tx, page: PageRow, { text, expected, by }: NewDraft): Promise<PageRow> {
  checkRevision(page, expected);
  // A planned publication that was refused gets another chance.
  const changes = { revision: page.revision + 1, failedDraft: null };
  await updatePage(tx, page.resource, { ...changes, draft: text, editedOn: fromNow(tx), editedBy: by });
  return { ...page, ...changes };
}

interface NewPublication {
  /** The document as JSON. */
  readonly document: string;
  readonly restoredFrom: number | null;
  readonly by: string;
  /** It happens by a plan, whose withdrawal may be due as well. */
  readonly isPlanned?: boolean;
}

/** The page as it is published now: a copy under the next number, which no publication has had before. */
export async function putPublication(tx: Tx, page: PageRow, publication: NewPublication): Promise<PageRow> {
  const { resource, revision: publishedDraft, unpublishOn } = page;
  const { document, restoredFrom, by: publishedBy, isPlanned = false } = publication;
  const lastPublished = page.lastPublished + 1;
  const publishedOn = await readNow(tx);
  const copy = { resource, revision: lastPublished, document, publishedOn, publishedBy, restoredFrom };
  await pageRevisions.on(tx).create(copy);
  // A withdrawal that was planned for a time that has passed would undo this publication.
  const isPast = unpublishOn !== null && unpublishOn <= publishedOn && !isPlanned;
  const changes = {
    ...{ isPublished: true, lastPublished, publishedDraft, publishedOn, siteRevision: await nextSiteRevision(tx) },
    ...{ publishOn: null, failedDraft: null, unpublishOn: isPast ? null : unpublishOn },
  };
  await updatePage(tx, resource, changes);
  return { ...page, ...changes };
}
