/** Page documents: draft, numbers of publications, plans, and the last state in the feed. */
import type { Reader, Tx } from '../../store/base/database.js';
import { flag, integer, key, named, optional, orNull, text, time } from '../../store/models/columns.js';
import type { Changes } from '../../store/models/finders.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

/** Times are Unix milliseconds of the database's clock. */
export const pages = defineModel('hcd_pages', {
  resource: named('resource_id', key(integer())),
  /** JSON; null before the first draft. */
  draft: orNull(text()),
  revision: optional(integer()),
  lastPublished: optional(integer()),
  isPublished: optional(flag()),
  publishedDraft: optional(integer()),
  publishedOn: orNull(time()),
  publishOn: orNull(time()),
  unpublishOn: orNull(time()),
  /** Revision of the draft whose planned publication was refused. */
  failedDraft: orNull(integer()),
  /** By the last change that the feed reports. */
  isDelivered: optional(flag()),
  siteRevision: optional(integer()),
  /** Where it is or was last delivered; empty before the first time. */
  deliveredContext: optional(text(100)),
  earlierContexts: orNull(text()),
  createdOn: time(),
  editedOn: time(),
  editedBy: text(190),
});

/** All but the draft, which is long. */
export const pageNumbers = [
  ...(['resource', 'revision', 'lastPublished', 'isPublished', 'publishedDraft', 'publishedOn'] as const),
  ...(['publishOn', 'unpublishOn', 'failedDraft', 'isDelivered', 'siteRevision'] as const),
  ...(['createdOn', 'editedOn', 'editedBy'] as const),
] as const;

export type PageRow = Pick<RowOf<typeof pages>, (typeof pageNumbers)[number]>;

/** In the order of ids, so that two transactions that lock never cross. */
export function findPageRows(
  reader: Reader,
  resources: readonly number[],
  how: { readonly lock?: boolean } = {},
): Promise<readonly PageRow[]> {
  return pages.on(reader).lookUpAll({ resource: resources }, { ...how, attributes: pageNumbers, order: ['resource'] });
}

export function findDrafts(reader: Reader, resources: readonly number[]) {
  const attributes = ['resource', 'draft', 'revision', 'lastPublished', 'publishedOn', 'editedOn'] as const;
  return pages.on(reader).lookUpAll({ resource: resources }, { attributes });
}

export async function findDraftRevision(reader: Reader, resource: number): Promise<number | null> {
  const [row] = await findPageRows(reader, [resource]);
  return row === undefined || row.revision === 0 ? null : row.revision;
}

export async function findDraft(reader: Reader, resource: number): Promise<string | null> {
  const [row] = await pages.on(reader).lookUpAll({ resource }, { attributes: ['draft'] });
  return row?.draft ?? null;
}

export function updatePage(
  tx: Tx,
  resource: number,
  values: Parameters<Changes<typeof pages.columns>['update']>[0],
): Promise<number> {
  return pages.on(tx).update(values, { where: { resource } });
}
