/**
 * The change feed (docs/pages.md#the-change-feed): pages that were published or withdrawn after a number of the site,
 * the oldest change first. A reader that goes on from the answer's number misses nothing.
 */
import { AppError } from '../../errors/app-error.js';
import type { Asker } from '../../store/base/fair-queue.js';
import { readAs } from '../../store/base/read-as.js';
import { type DeliverySite, deliverable } from './deliverable.js';
import { headOf, type PageList } from './list-pages.js';
import {
  type ChangesQuestion,
  countPageChanges,
  readPageChanges,
  readSiteRevision,
  type ToldPage,
} from './page-feed.js';
import { readResourcesOf } from './page-reads.js';

export interface FeedQuestion extends ChangesQuestion {
  readonly limit: number;
  readonly asker: Asker;
}

export interface PageFeed extends PageList {
  /** Whether changes are left for the next call. */
  readonly more: boolean;
}

/**
 * One part of the feed of a context. A page that was never delivered there is not in it. Throws bad_request for a number
 * that the site has not reached.
 */
export async function listChanges(site: DeliverySite, question: FeedQuestion): Promise<PageFeed> {
  const own = site.store.own.primary;
  // Before the changes: one that is committed in between is reported twice rather than missed.
  const current = await readSiteRevision(own);
  if (question.since > current) throw aheadOf(current);
  const changes = await readPageChanges(own, { ...question, limit: question.limit + 1 });
  const slice = sliceFeed({ changes, since: question.since, limit: question.limit, current });
  const total = slice.more ? await countPageChanges(readAs(own, question.asker), question) : slice.items.length;
  return { items: await itemsOf(site, question, slice.items), total, revision: slice.revision, more: slice.more };
}

/** Empty answers would keep such a reader waiting until the site has caught up, and everything before that from it. */
function aheadOf(current: number): AppError {
  return new AppError('bad_request', {
    message: `changed_since is ahead of this site, which is at revision ${current}: it is another one, or was put back to an earlier state; begin again with 0`,
  });
}

async function itemsOf(
  site: DeliverySite,
  { context }: FeedQuestion,
  told: readonly ToldPage[],
): Promise<PageList['items']> {
  const ids = told.filter(({ isDelivered }) => isDelivered).map(({ resource }) => resource);
  const found = await readResourcesOf(site, ids, [deliverable(site).within(context)]);
  return told.map(({ resource, lastPublished }) => {
    const row = found.get(resource);
    // A page that is not there now is withdrawn, even if the feed reported it: the next reconciliation records that.
    if (row?.publication?.isPublished) return headOf(site, row);
    return { resourceId: resource, publishedRevision: lastPublished, withdrawn: true };
  });
}

/**
 * The oldest changes after `since`, at most `limit`; `revision` is the cursor of the next call. A page is in `changes`
 * once, with its last change, so a reader that goes on from the cursor misses nothing, and gets a page again only when it
 * has changed again.
 */
export function sliceFeed<T extends Pick<ToldPage, 'siteRevision'>>({
  changes,
  since,
  limit,
  current,
}: {
  readonly changes: readonly T[];
  readonly since: number;
  readonly limit: number;
  /** The site's revision when the changes were read. */
  readonly current: number;
}): { readonly items: readonly T[]; readonly revision: number; readonly more: boolean } {
  const after = changes
    .filter(({ siteRevision }) => siteRevision > since)
    .sort((one, other) => one.siteRevision - other.siteRevision);
  const items = after.slice(0, limit);
  const more = after.length > items.length;
  return { items, more, revision: more ? (items.at(-1)?.siteRevision ?? since) : Math.max(current, since) };
}
