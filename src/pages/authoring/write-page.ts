/**
 * The two changes of which everything else is made: a draft under a new revision, and a publication under a new number.
 * They run in the transaction of the caller, on a row that it holds locked.
 */

import type { Tx } from '../../store/base/database.js';
import { insertPageRevision } from '../rows/page-revision-rows.js';
import { lockPageRows, type PageRow } from '../rows/page-rows.js';
import { createPageRow, dropPastWithdrawal, markPublished, writeDraft } from '../rows/page-writes.js';
import { publishRevisions, saveRevisions } from '../rules/revision.js';
import { nextSiteRevision } from './announce-publication.js';

/** The row of a page, locked; null when there is none. */
export async function lockPage(tx: Tx, resource: number): Promise<PageRow | null> {
  return (await lockPageRows(tx, [resource])).get(resource) ?? null;
}

/** The same; a page that nobody wrote before is made. */
export async function lockOrCreatePage(
  tx: Tx,
  { resource, by }: { readonly resource: number; readonly by: string },
): Promise<PageRow> {
  const found = await lockPage(tx, resource);
  if (found) return found;
  await createPageRow(tx, { resource, by });
  const made = await lockPage(tx, resource);
  if (!made) throw new Error(`the page of resource ${resource} is gone right after it was made`);
  return made;
}

export interface NewDraft {
  /** The document as JSON. */
  readonly text: string;
  /** Revision that the writer started from; null = whatever is there. */
  readonly expected: number | null;
  readonly by: string;
}

/** The page with its new draft. Throws conflict (revision_conflict) when somebody else saved since. */
export async function putDraft(tx: Tx, page: PageRow, { text, expected, by }: NewDraft): Promise<PageRow> {
  const { revision } = saveRevisions(page, expected);
  await writeDraft(tx, { resource: page.resource, draft: text, revision, by });
  return { ...page, revision, failedDraft: null };
}

export interface NewPublication {
  /** The document as JSON. */
  readonly document: string;
  readonly restoredFrom: number | null;
  readonly by: string;
  /** It happens by a plan, whose other half may be due as well. */
  readonly isPlanned?: boolean;
}

/** The page as it is published now: a copy under the next number, which no publication has had before. */
export async function putPublication(tx: Tx, page: PageRow, publication: NewPublication): Promise<PageRow> {
  const { resource, revision: publishedDraft } = page;
  const { document, restoredFrom, by: publishedBy, isPlanned = false } = publication;
  const { lastPublished, isPublished } = publishRevisions(page);
  await insertPageRevision(tx, { resource, revision: lastPublished, document, publishedBy, restoredFrom });
  const siteRevision = await nextSiteRevision(tx);
  if (page.unpublishOn !== null && !isPlanned) await dropPastWithdrawal(tx, resource);
  await markPublished(tx, { resource, lastPublished, publishedDraft, siteRevision });
  return { ...page, lastPublished, isPublished, publishedDraft, siteRevision, publishOn: null, failedDraft: null };
}
