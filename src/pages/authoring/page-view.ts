/** Pages as commands show them: numbers and plans of a page with the facts of its resource. */

import { col, Op, type WhereOptions } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import { findPageRows, type PageRow, pageNumbers, pages } from '../models/pages.js';
import { type PageResource, readPageResources } from './page-resources.js';
import { noPage } from './write-page.js';

/** Where a page stands between draft and publication. */
export type PageState = 'draft' | 'published' | 'changed' | 'withdrawn';

interface PageFilter {
  readonly state: PageState | null;
  /** Only pages with a planned publication or withdrawal. */
  readonly isPlanned: boolean;
}

export interface PageView extends PageRow {
  readonly state: PageState;
  /** What readers see: 0 while the page is not published. */
  readonly publishedRevision: number;
  /** Null when the resource is deleted permanently. */
  readonly about: PageResource | null;
}

/** Throws not_found. */
export async function loadPage(store: Store, resource: number): Promise<PageView> {
  return viewPage(store, await readPage(store.own.primary, resource));
}

/**
 * A page as the reader sees it. A writer reads at the end of its transaction: read later, the page may have numbers that
 * another writer gave it since. Throws not_found.
 */
export async function readPage(reader: Reader, resource: number): Promise<PageRow> {
  const [row] = await findPageRows(reader, [resource]);
  if (!row) throw noPage(resource);
  return row;
}

/** The page with the facts of its resource. */
export async function viewPage(store: Store, row: PageRow): Promise<PageView> {
  return viewOf(row, (await readPageResources(store, [row.resource])).get(row.resource) ?? null);
}

/** Pages by resource id, and how many there are. */
export async function listPages(
  store: Store,
  { filter, ...part }: { readonly filter: PageFilter; readonly limit: number; readonly offset: number },
): Promise<{ readonly pages: readonly PageView[]; readonly total: number }> {
  const where = whereOf(filter);
  const found = pages.on(store.own.primary);
  const rows = await found.findAll({ attributes: pageNumbers, where, order: ['resource'], ...part });
  const about = new Map<number, PageResource>();
  for (const some of batchesOf(rows, together)) {
    const ids = some.map(({ resource }) => resource);
    for (const [id, resource] of await readPageResources(store, ids)) about.set(id, resource);
  }
  const views = rows.map((row) => viewOf(row, about.get(row.resource) ?? null));
  return { pages: views, total: await found.count({ where }) };
}

/** Ids in one statement. */
const together = 500;

const published = { isPublished: true };

/** As `stateOf` says it. */
const conditions: Readonly<Record<PageState, WhereOptions<PageRow>>> = {
  draft: { lastPublished: 0 },
  published: { ...published, revision: { [Op.eq]: col(pages.columnOf('publishedDraft')) } },
  changed: { ...published, revision: { [Op.ne]: col(pages.columnOf('publishedDraft')) } },
  withdrawn: { isPublished: false, lastPublished: { [Op.gt]: 0 } },
};

function whereOf({ state, isPlanned }: PageFilter): WhereOptions<PageRow> {
  const planned = { [Op.or]: { publishOn: { [Op.ne]: null }, unpublishOn: { [Op.ne]: null } } };
  return { [Op.and]: [state === null ? {} : conditions[state], isPlanned ? planned : {}] };
}

function stateOf({ lastPublished, isPublished, revision, publishedDraft }: PageRow): PageState {
  if (lastPublished === 0) return 'draft';
  if (!isPublished) return 'withdrawn';
  return revision === publishedDraft ? 'published' : 'changed';
}

function viewOf(row: PageRow, about: PageResource | null): PageView {
  const publishedRevision = row.isPublished ? row.lastPublished : 0;
  return Object.freeze({ ...row, state: stateOf(row), publishedRevision, about });
}
