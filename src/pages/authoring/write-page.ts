/** Saves and publishes in the caller's transaction, on a locked row (docs/pages-authoring.md#numbers-and-states). */

import { Op } from 'sequelize';
import { logChange } from '../../content/live/content-change.js';
import { keyTag, uriTag } from '../../content/live/mutation.js';
import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import { touch } from '../../store/base/transaction.js';
import { fromNow } from '../../store/models/columns.js';
import type { Store } from '../../store/open/open.js';
import { nextNumber, readNow } from '../../store/state/state.js';
import { enqueue } from '../../webhooks/queue/enqueue.js';
import { type PageAction, pagesObject } from '../../webhooks/rules/events.js';
import { pageRevisions } from '../models/page-revisions.js';
import { findPageRows, type PageRow, pages, updatePage } from '../models/pages.js';
import type { ResourcePlace } from './page-resources.js';

export function noPage(resource: number): AppError {
  return new AppError('not_found', {
    message: `Resource ${resource} has no page document; hcd page new ${resource} --sections hero,faq makes one`,
  });
}

/** Throws not_found. */
export async function lockPage(tx: Tx, resource: number): Promise<PageRow> {
  const [page] = await findPageRows(tx, [resource], { lock: true });
  if (!page) throw noPage(resource);
  return page;
}

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

/** Throws conflict (revision_conflict); null accepts any draft. */
export function checkRevision({ revision }: PageRow, expected: number | null): void {
  if (expected === null || expected === revision) return;
  throw new AppError('conflict', { message: `revision_conflict: the draft is at revision ${revision}` });
}

interface NewDraft {
  readonly text: string;
  /** Revision that the writer started from; null = any. */
  readonly expected: number | null;
  readonly by: string;
}

/** Throws conflict (revision_conflict) when the draft was saved since. */
export async function putDraft(tx: Tx, page: PageRow, { text, expected, by }: NewDraft): Promise<PageRow> {
  checkRevision(page, expected);
  // A planned publication that was refused gets another chance.
  const changes = { revision: page.revision + 1, failedDraft: null };
  await updatePage(tx, page.resource, { ...changes, draft: text, editedOn: fromNow(tx), editedBy: by });
  return { ...page, ...changes };
}

interface NewPublication {
  readonly document: string;
  readonly restoredFrom: number | null;
  readonly by: string;
  /** A plan publishes the page; its planned withdrawal may be due too. */
  readonly isPlanned?: boolean;
}

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

export interface PageAuthoring {
  readonly store: Store;
  readonly by: string;
  /** The feed must report a publication before it can be withdrawn again. Servers notice it later anyway. */
  readonly tellReaders: () => Promise<void>;
}

/** Key in `hcd_state` of the number of the last change of any page. */
export const siteRevisionKey = 'pages_revision';

/** Key in `hcd_state` of the number that every change of section types raises. */
export const sectionTypesGenerationKey = 'section_types_generation';

/** The next publication waits for the commit, so numbers become visible in their order. */
export function nextSiteRevision(tx: Tx): Promise<number> {
  return nextNumber(tx, siteRevisionKey);
}

export interface PageEvent {
  readonly action: PageAction;
  readonly resource: number;
  readonly lastPublished: number;
  readonly place: ResourcePlace | null;
}

/** Call it last. No row of content changes, so cached answers of the gateway stay valid. */
export async function announcePublication(tx: Tx, event: PageEvent | null = null): Promise<void> {
  touch(tx, 'live');
  const generation = await logChange(tx, { rows: [] });
  if (event !== null) {
    const { action, resource: key, lastPublished: publishedRevision, place } = event;
    const { context = null, uri = null } = place ?? {};
    const revalidate = [keyTag('resources', key), ...(uri === null ? [] : [uriTag(uri)])];
    const facts = { object: pagesObject, action, key, context, uri, parent: null, publishedRevision, revalidate };
    await enqueue(tx, facts, { revision: async () => generation });
  }
}

/** Call it last: the next change of section types waits for the commit. */
export async function announceSectionTypes(tx: Tx): Promise<void> {
  await nextNumber(tx, sectionTypesGenerationKey);
  // Documents may be complete for the other types: refused plans are tried again.
  await pages.on(tx).update({ failedDraft: null }, { where: { failedDraft: { [Op.ne]: null } } });
  await announcePublication(tx);
}
