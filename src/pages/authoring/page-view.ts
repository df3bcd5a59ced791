/** Pages as commands show them: numbers and plans of a page beside the facts of its resource. */

import type { Reader } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import { type PageResource, readPageResources } from '../rows/page-resources.js';
import { type PageFilter, type PageRow, type PageState, readPageRow, readPageRows } from '../rows/page-rows.js';
import { publishedRevision } from '../rules/revision.js';
import type { PagePlace } from '../rules/section-type.js';
import { noPage } from './find-resource.js';

export type { PageFilter, PageState } from '../rows/page-rows.js';

export interface PageView extends PageRow {
  readonly state: PageState;
  /** What readers see: 0 while the page is not published. */
  readonly publishedRevision: number;
  /** Null when the resource is gone for good. */
  readonly about: PageResource | null;
}

/** Throws not_found. */
export async function loadPage(store: Store, resource: number): Promise<PageView> {
  return viewPage(store, await readPage(store.own.primary, resource));
}

/**
 * A page as the reader sees it. Who writes reads at the end of its transaction: read later, the numbers of a page may be
 * those that another writer gave it since. Throws not_found.
 */
export async function readPage(reader: Reader, resource: number): Promise<PageRow> {
  const row = await readPageRow(reader, resource);
  if (!row) throw noPage(resource);
  return row;
}

/** The page beside the facts of its resource. */
export async function viewPage(store: Store, row: PageRow): Promise<PageView> {
  return viewOf(row, (await readPageResources(store, [row.resource])).get(row.resource) ?? null);
}

/** Pages by resource id, and how many there are. */
export async function listPages(
  store: Store,
  asked: { readonly filter: PageFilter; readonly limit: number; readonly offset: number },
): Promise<{ readonly pages: readonly PageView[]; readonly total: number }> {
  const { rows, total } = await readPageRows(store.own.primary, asked);
  const about = new Map<number, PageResource>();
  for (const some of batchesOf(rows, together)) {
    const part = some.map(({ resource }) => resource);
    for (const [id, resource] of await readPageResources(store, part)) about.set(id, resource);
  }
  return { pages: rows.map((row) => viewOf(row, about.get(row.resource) ?? null)), total };
}

/** Ids in one statement. */
const together = 500;

function viewOf(row: PageRow, about: PageResource | null): PageView {
  return Object.freeze({ ...row, state: stateOf(row), publishedRevision: publishedRevision(row), about });
}

function stateOf({ lastPublished, isPublished, revision, publishedDraft }: PageRow): PageState {
  if (lastPublished === 0) return 'draft';
  if (!isPublished) return 'withdrawn';
  return revision === publishedDraft ? 'published' : 'changed';
}

/** Where the page stands, as availability of section types asks. */
export function placeOf({ id, parent, template, context }: PageResource): PagePlace {
  return { resource: id, parent, template, context };
}
