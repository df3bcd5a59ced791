/** Unpublishes a page: it is no longer delivered; its draft and its numbers stay. */
import type { Tx } from '../../store/base/database.js';
import { type PageRow, updatePage } from '../models/pages.js';
import { announcePublication, nextSiteRevision, type PageAuthoring } from './announce.js';
import { type PageView, readPage, viewPage } from './page-view.js';
import { lockPage } from './write-page.js';

interface Withdrawal {
  readonly page: PageView;
  readonly wasPublished: boolean;
  /** Its plans were cancelled too. */
  readonly wasPlanned: boolean;
}

/** Plans for the page are cancelled too: it must not come back by itself. Throws not_found. */
export async function withdrawPage({ store }: PageAuthoring, resource: number): Promise<Withdrawal> {
  const { before, after } = await store.own.write(async (tx) => {
    const page = await lockPage(tx, resource);
    if (isPlanned(page)) await updatePage(tx, resource, { publishOn: null, unpublishOn: null });
    if (page.isPublished) await putWithdrawal(tx, resource);
    return { before: page, after: await readPage(tx, resource) };
  });
  return { page: await viewPage(store, after), wasPublished: before.isPublished, wasPlanned: isPlanned(before) };
}

/** The withdrawal itself, of a published page that the transaction holds locked. */
export async function putWithdrawal(tx: Tx, resource: number): Promise<void> {
  const siteRevision = await nextSiteRevision(tx);
  await updatePage(tx, resource, { isPublished: false, isDelivered: false, siteRevision, unpublishOn: null });
  await announcePublication(tx);
}

function isPlanned({ publishOn, unpublishOn }: PageRow): boolean {
  return publishOn !== null || unpublishOn !== null;
}
